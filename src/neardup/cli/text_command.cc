#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/json.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/corpus/find/input_set.h"
#include "neardup/corpus/find/standard_input.h"
#include "neardup/corpus/reader.h"
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
  bool own = true;
  TextFormat format = TextFormat::kText;
  uint64_t max_bytes = uint64_t{64} << 20;
};

std::string extracted_line(const std::string& id, const text::Extracted& extracted) {
  std::string line = "{\"id\":";
  append_json_string(line, id);
  for (const auto& [key, value] : {std::pair{"title", extracted.title}, std::pair{"language", extracted.language},
                                   std::pair{"encoding", extracted.encoding}, std::pair{"text", extracted.text}}) {
    line += fmt::format(",\"{}\":", key);
    append_json_string(line, value);
  }
  return line + "}\n";
}

std::string plain(std::string heading, const text::Extracted& extracted) {
  heading += extracted.text;
  if (!heading.empty() && heading.back() != '\n') heading += '\n';
  return heading;
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
  options.own_lines = arguments.own;
  for (const std::string& kind : arguments.mask) options.mask |= text::mask_kind(kind);
  return options;
}

bool is_standard_input(const TextArguments& arguments, const std::vector<corpus::Input>& inputs, size_t i) {
  return i + 1 == inputs.size() && corpus::names_standard_input(arguments.inputs);
}

/// Whether an error concerns one file: the others can be shown all the same.
bool concerns_a_file(Code code) {
  return code == Code::kNotFound || code == Code::kIo || code == Code::kUnsupported || code == Code::kCorruption;
}

/// Shows one file after the other, and names those that cannot be shown.
class Show {
 public:
  Show(const TextArguments& arguments, const text::ExtractOptions& options, Io& io)
      : arguments_(arguments), extract_(options), io_(io) {}

  Status run() {
    corpus::DiscoverOptions discover = arguments_.discover;
    discover.format = corpus::Format::kText;
    NEARDUP_ASSIGN(const corpus::InputSet set, open(discover));
    inputs_ = set.inputs();
    NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs_, read_options()));
    corpus::Batch batch;
    while (true) {
      NEARDUP_TRY(context_.check_cancel());
      NEARDUP_ASSIGN(const bool more, reader.next(batch));
      if (!more) break;
      NEARDUP_TRY(show(reader, batch));
    }
    const size_t num_files = inputs_.size() + num_missing_;
    if (failures_ == 0) return {};
    return fail(Code::kIo, fmt::format("{} of {} files could not be shown", failures_, num_files));
  }

 private:
  /// Finds the files of all arguments, or of those that can be found.
  Result<corpus::InputSet> open(const corpus::DiscoverOptions& discover) {
    Result<corpus::InputSet> set = corpus::InputSet::open(arguments_.inputs, discover, context_);
    if (set || !concerns_a_file(set.error().code)) return set;
    std::vector<std::string> found;
    std::vector<std::string> faults;
    for (const std::string& argument : arguments_.inputs) {
      const auto alone = corpus::discover_files(std::span(&argument, 1), discover);
      if (alone || !concerns_a_file(alone.error().code)) {
        found.push_back(argument);
      } else {
        faults.push_back(alone.error().message);
      }
    }
    if (found.empty() || faults.empty()) return set;
    for (const std::string& fault : faults) name_failure(fault);
    num_missing_ = faults.size();
    return corpus::InputSet::open(found, discover, context_);
  }

  [[nodiscard]] corpus::ReadOptions read_options() const {
    corpus::ReadOptions options;
    options.batch_bytes = 1;  // a file at a time
    options.max_record_bytes = arguments_.max_bytes;
    options.any_encoding = true;
    options.any_bytes = text::encoding_of_label(arguments_.charset).starts_with("UTF-16");
    options.too_long_cure = "raise --max-bytes";
    options.context = context_;
    return options;
  }

  /// A batch is one file, but for files without a byte, which stand before it.
  Status show(const corpus::Reader& reader, corpus::Batch& batch) {
    if (const Status loaded = reader.load(batch); !loaded) {
      if (!concerns_a_file(loaded.error().code)) return loaded;
      return refuse(loaded.error().code, loaded.error().message);
    }
    for (const corpus::Rejection& rejection : batch.rejections) {
      NEARDUP_TRY(refuse(Code::kUnsupported, rejection.message));
    }
    for (const corpus::Document& document : batch.documents) {
      NEARDUP_TRY(context_.check_cancel());
      const text::Extracted extracted = extract_.from(document.record);
      io_.print(arguments_.format == TextFormat::kJsonl ? extracted_line(inputs_[document.input].name, extracted)
                                                        : plain(heading(document.input), extracted));
      first_ = false;
    }
    return {};
  }

  /// Where there is but one file, its fault is that of the run.
  Status refuse(Code code, const std::string& message) {
    if (inputs_.size() + num_missing_ == 1) return fail(code, message);
    name_failure(message);
    return {};
  }

  void name_failure(const std::string& message) {
    io_.say(fmt::format("neardup text: {}\n", message));
    ++failures_;
  }

  /// The heading of a file where there are several, as head and tail have it.
  [[nodiscard]] std::string heading(size_t i) const {
    if (inputs_.size() == 1) return {};
    return fmt::format("{}==> {} <==\n", first_ ? "" : "\n",
                       is_standard_input(arguments_, inputs_, i) ? "standard input" : inputs_[i].path);
  }

  const TextArguments& arguments_;
  text::Extract extract_;
  Io& io_;
  Context context_{nullptr, io_.cancel};
  std::vector<corpus::Input> inputs_;
  size_t num_missing_ = 0;
  size_t failures_ = 0;
  bool first_ = true;
};

Status run(const TextArguments& arguments, Io& io) {
  NEARDUP_ASSIGN(const text::ExtractOptions options, extract_options(arguments));
  return Show(arguments, options, io).run();
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
        {"neardup text pages/ --output-format jsonl", "Title, language, encoding and text of each page, as documents."},
        {"curl -s URL | neardup text - --mask dates,numbers", "The same with dates and numbers masked."}},
       {"Navigation, advertisements, comments, cookie notices, share bars, lists of related links, footers and hidden "
        "parts are left out. --all leaves out only what is hidden.",
        "Files compressed by gzip or Zstandard are unpacked. A file that cannot be read, is not text or is too large "
        "is "
        "named, the others are shown, and the exit status is 2."},
       {"--extraction", "--mask", "--all", "--output-format"}});
  Flags flags(command);
  flags.group("Input");
  flags.arguments({"FILE", "", "Files, folders, patterns, plain or compressed; - is standard input"},
                  arguments->inputs);
  flags.list({"--include", "GLOB", "In folders, only files like this"}, arguments->discover.include);
  flags.list({"--exclude", "GLOB", "In folders, no files like this"}, arguments->discover.exclude);
  flags.text({"--charset", "NAME", "Encoding that a server declared for the files"}, arguments->charset);
  flags.size({"--max-bytes", "SIZE", "Of a larger file, unpacked, nothing is shown"}, arguments->max_bytes);
  flags.group("Text");
  flags.choice<text::Extraction>(
      {"--extraction", "", "What is taken for a page; auto looks at each file"}, arguments->extraction,
      {{"auto", text::Extraction::kAuto}, {"html", text::Extraction::kHtml}, {"none", text::Extraction::kNone}});
  flags.on({"--all", "", "Everything that a reader of the page sees"}, arguments->all);
  flags.value({"--mask", "KIND,...", fmt::format("Mask {}", fmt::join(text::mask_names(), ", "))}, "",
              [arguments](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(arguments->mask, recipe::parse_mask(typed));
                return {};
              });
  flags.choice<bool>({"--quotes", "", "Of answers to mails: their own lines, or those that they quote as well"},
                     arguments->own, {{"own", true}, {"all", false}});
  flags.group("Output");
  flags.choice<TextFormat>({"--output-format", "", "Form of the output", "--format"}, arguments->format,
                           {{"text", TextFormat::kText}, {"jsonl", TextFormat::kJsonl}});
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
