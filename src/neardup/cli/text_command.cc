#include <fmt/format.h>
#include <fmt/ranges.h>

#include "neardup/base/file.h"
#include "neardup/base/json.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/input_set.h"
#include "neardup/text/charset.h"
#include "neardup/text/extract.h"
#include "neardup/text/mask.h"

namespace neardup::cli {
namespace {

enum class TextFormat { kText, kJsonl };

struct TextArguments {
  std::vector<std::string> inputs;
  corpus::DiscoverOptions discover;
  text::Extraction extraction = text::Extraction::kAuto;
  std::vector<std::string> mask;
  std::string charset;
  bool all = false;
  TextFormat format = TextFormat::kText;
  uint64_t max_bytes = uint64_t{64} << 20;
};

std::string json_line(const std::string& id, const text::Extracted& extracted) {
  std::string line = "{\"id\":";
  append_json_string(line, id);
  for (const auto& [key, value] : {std::pair{"title", extracted.title}, std::pair{"language", extracted.language},
                                   std::pair{"encoding", extracted.encoding}, std::pair{"text", extracted.text}}) {
    line += fmt::format(",\"{}\":", key);
    append_json_string(line, value);
  }
  return line + "}\n";
}

/// A text as it is, with a heading of its file where there are several, as head and tail do.
std::string plain(const corpus::Input& input, const text::Extracted& extracted, bool heading, bool first) {
  std::string out = heading ? fmt::format("{}==> {} <==\n", first ? "" : "\n", input.path) : "";
  out += extracted.text;
  if (!out.empty() && out.back() != '\n') out += '\n';
  return out;
}

Result<text::ExtractOptions> extract_options(const TextArguments& arguments) {
  if (arguments.inputs.empty()) {
    return fail(Code::kInvalidArgument, "FILE is missing: a file, a folder, or - for standard input");
  }
  if (!arguments.charset.empty() && text::encoding_of_label(arguments.charset).empty()) {
    return fail(Code::kInvalidArgument,
                fmt::format("--charset {} is not known; encodings are {}", arguments.charset, text::encoding_names()));
  }
  text::ExtractOptions options{
      .extraction = arguments.extraction, .main_only = !arguments.all, .mask = 0, .charset = arguments.charset};
  for (const std::string& kind : arguments.mask) options.mask |= text::mask_kind(kind);
  return options;
}

Result<std::string> read_input(const corpus::Input& input, uint64_t max_bytes) {
  if (input.compression == corpus::Compression::kNone) return read_file(input.path, max_bytes);
  return fail(Code::kUnsupported, fmt::format("'{}' is compressed; unpack it first", input.path));
}

Status run(const TextArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const text::ExtractOptions options, extract_options(arguments));
  corpus::DiscoverOptions discover = arguments.discover;
  discover.format = corpus::Format::kText;
  const Context context{nullptr, io.cancel};
  NEARDUP_ASSIGN(const InputSet set, InputSet::open(arguments.inputs, discover, context));
  text::Extract extract(options);
  bool first = true;
  size_t num_failed = 0;
  for (const corpus::Input& input : set.inputs()) {
    NEARDUP_TRY(context.check_cancel());
    const Result<std::string> bytes = read_input(input, arguments.max_bytes);
    if (!bytes) {
      if (set.inputs().size() == 1) return tl::unexpected<Error>(bytes.error());
      io.say(fmt::format("neardup text: {}\n", bytes.error().message));
      ++num_failed;
      continue;
    }
    const text::Extracted extracted = extract.from(*bytes);
    io.print(arguments.format == TextFormat::kJsonl ? json_line(input.name, extracted)
                                                    : plain(input, extracted, set.inputs().size() > 1, first));
    first = false;
  }
  if (num_failed == 0) return {};
  return fail(Code::kIo, fmt::format("{} of {} files could not be shown", num_failed, set.inputs().size()));
}

}  // namespace

void add_text_command(CommandLine& line) {
  auto arguments = std::make_shared<TextArguments>();
  Command& command = line.add(
      {"text",
       "Show the main text of pages and other files",
       "Shows the text that fingerprints are made of: the main text of HTML pages, in any encoding, as UTF-8.",
       "FILE... [FLAGS]",
       {{"neardup text page.html", "The article, without navigation, advertisements, comments and footers."},
        {"neardup text pages/ --format jsonl", "Title, language, encoding and text of each page, as documents."},
        {"curl -s URL | neardup text - --mask dates,numbers", "The same with dates and numbers masked."}},
       {"Navigation, advertisements, comments, cookie notices, share bars, lists of related links, footers and hidden "
        "parts are left out. --all leaves out only what is hidden."}});
  Flags flags(command);
  flags.group("Input");
  flags.arguments({"FILE", "", "Files, folders, patterns; - is standard input"}, arguments->inputs);
  flags.list({"--include", "GLOB", "In folders, only files like this"}, arguments->discover.include);
  flags.list({"--exclude", "GLOB", "In folders, no files like this"}, arguments->discover.exclude);
  flags.text({"--charset", "NAME", "Encoding that a server declared for the files"}, arguments->charset);
  flags.size({"--max-bytes", "SIZE", "Larger files are an error"}, arguments->max_bytes);
  flags.group("Text");
  flags.choice<text::Extraction>(
      {"--extraction", "", "What is taken for a page; auto looks at each file"}, arguments->extraction,
      {{"auto", text::Extraction::kAuto}, {"html", text::Extraction::kHtml}, {"none", text::Extraction::kNone}});
  flags.on({"--all", "", "Everything that a reader of the page sees"}, arguments->all);
  flags.value({"--mask", "KIND,...", fmt::format("Mask {}", fmt::join(text::mask_names(), ", "))}, "",
              [arguments](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(arguments->mask, parse_mask(typed));
                return {};
              });
  flags.group("Output");
  flags.choice<TextFormat>({"--format", "", "Form of the output"}, arguments->format,
                           {{"text", TextFormat::kText}, {"jsonl", TextFormat::kJsonl}});
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
