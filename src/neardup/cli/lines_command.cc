#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "neardup/base/disk/file_id.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/contained_flag.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/progress.h"
#include "neardup/lines/lines.h"
#include "neardup/report/numbers.h"

namespace neardup::cli {
namespace {

struct LinesArguments {
  lines::LinesOptions options;
  std::optional<corpus::Compression> compression;  // empty: by the name of the output
  std::string output;
  std::optional<double> similar;
  bool verifies_origin = false;
  std::string duplicates;
  bool overwrite = false;
  bool is_zero_terminated = false;
  ProgressKind progress = ProgressKind::kAuto;
};

/// Standard output that is appended to one of the inputs would be read again; one that is the file of duplicates would
/// be lost when that takes its place.
Status check_lines_output(const LinesArguments& arguments, const Io& io) {
  if (!arguments.output.empty()) return {};
  if (arguments.overwrite && arguments.duplicates.empty())
    return fail(Code::kInvalidArgument, "--overwrite is about the output: name it by --output FILE");
  const auto out = file_id(io.out);
  if (out && out->is_regular && !arguments.duplicates.empty() && file_id(arguments.duplicates) == out)
    return fail(Code::kInvalidArgument,
                fmt::format("'{}' is also standard output; name another file by --duplicates", arguments.duplicates));
  return lines::check_is_no_input(arguments.options, out, "standard output");
}

std::string summary(const lines::LinesTotals& totals, double seconds) {
  std::string text = fmt::format("neardup lines: {}, {}: {} kept, {} removed", report::counted(totals.read, "line"),
                                 human_bytes(static_cast<double>(totals.read_bytes)), human_count(totals.kept),
                                 human_count(totals.removed));
  if (totals.similar > 0) text += fmt::format(" ({} of them similar)", human_count(totals.similar));
  if (totals.minus > 0) text += fmt::format("; {} to subtract", report::counted(totals.minus, "line"));
  if (totals.without_key > 0) text += fmt::format("; {} without a key", report::counted(totals.without_key, "line"));
  if (totals.parted > 0)
    text += fmt::format("; {} more than memory held, compared on disk", report::counted(totals.parted, "line"));
  text += fmt::format(". {}", human_seconds(seconds));
  if (seconds > 0.01)
    text += fmt::format(", {} lines/s",
                        human_count(static_cast<uint64_t>(static_cast<double>(totals.read + totals.minus) / seconds)));
  return text + "\n";
}

Status run(LinesArguments& arguments, Io& io) {
  lines::LinesOptions& options = arguments.options;
  if (options.inputs.empty())
    return fail(Code::kInvalidArgument, "FILE is missing: the lines to compare; - is standard input");
  NEARDUP_TRY(check_lines_output(arguments, io));
  NEARDUP_ASSIGN(options.similar, lines::similar_options(arguments.similar, arguments.verifies_origin));
  options.line_end = arguments.is_zero_terminated ? '\0' : '\n';
  options.compression = arguments.compression.value_or(lines::compression_of_name(arguments.output));
  // Lines and a live line would mix on one terminal.
  const bool quiet = arguments.progress == ProgressKind::kAuto &&
                     (!io.err_is_terminal || (io.out_is_terminal && arguments.output.empty()));
  ProgressDisplay progress(ProgressDisplay::style_for(quiet ? ProgressKind::kOff : arguments.progress, io), io.err,
                           io.columns);
  options.context = {&progress, io.cancel};
  const auto start = std::chrono::steady_clock::now();
  const lines::LineOutputs outputs{arguments.output, arguments.duplicates, arguments.overwrite};
  NEARDUP_ASSIGN(const auto totals, lines::unique_lines_to(outputs, options, [&io](std::string_view bytes) -> Status {
                   io.print(bytes);
                   return io.failed() ? io.finish() : Status();
                 }));
  NEARDUP_TRY(io.finish());
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (arguments.progress != ProgressKind::kOff) io.say(summary(totals, seconds));
  return {};
}

void define_sameness(Flags& flags, lines::KeyOptions& key, bool& fast) {
  flags.group("Which lines are the same");
  flags.on({"--ignore-case", "", "A and a are the same, in all scripts"}, key.ignore_case);
  flags.on({"--ignore-space", "", "White space does not count, nor the CR of CRLF"}, key.ignore_space);
  flags.on({"--ignore-punctuation", "", "Punctuation and symbols do not count"}, key.ignore_punctuation);
  flags.whole({"--field", "N", "Only field N counts, from 1; a line without it is like no other"}, key.field, 1,
              1'000'000, "the whole line");
  flags.value({"--delimiter", "TEXT", "Between fields; \\t is a tab"}, "blanks and tabs",
              [&key](const std::string& typed) -> Status {
                key.delimiter = typed == "\\t" ? "\t" : typed;
                if (key.delimiter.empty()) return fail(Code::kInvalidArgument, "no text stands between fields");
                return {};
              });
  flags.text({"--regex", "RE",
              "Only what RE (RE2) finds counts: its first group, or all of it; a line where it finds nothing is like "
              "no other"},
             key.pattern);
  flags.on({"--fast", "",
            "128-bit hashes decide, not the bytes: less memory; a line is lost with a chance of 1 in 10^19 "
            "among a billion"},
           fast);
}

void define_similar(Flags& flags, LinesArguments& arguments) {
  flags.group("Nearly the same");
  flags.value({"--similar", "SHARE",
               "Remove also lines that have this share of their character n-grams in common with one before, .5 to 1, "
               "such as 0.7"},
              "", [&arguments](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(arguments.similar, share_of(typed));
                return {};
              });
  flags.choice<bool>({"--verify", "",
                      "content: and the same digits, signs, negations and words but for misprints; "
                      "origin: and the same digits"},
                     arguments.verifies_origin, lines::verify_words());
  flags.output({"--duplicates", "FILE", "Write a line of JSON for each line that went for a similar one"},
               arguments.duplicates);
}

void define(Flags& flags, LinesArguments& arguments) {
  lines::LinesOptions& options = arguments.options;
  flags.group("Input");
  flags.arguments({"FILE", "", "Files, plain, gzip or zstd; - is standard input"}, options.inputs);
  flags.list({"--minus", "FILE", "Lines of this file are removed, too; may be given many times"}, options.minus);
  flags.on({"-z,--zero-terminated", "", "Lines end with NUL, not with a newline"}, arguments.is_zero_terminated);
  flags.group("Lines");
  flags.choice<lines::Show>(
      {"--only", "", "What is written of each line: one, only if it repeats, or only if it does not"}, options.show,
      lines::show_words());
  flags.on({"--count", "", "Write how often it comes and a tab before each line"}, options.count);
  flags.choice<lines::Order>({"--order", "", "As they first came, or by their bytes"}, options.order,
                             lines::order_words());
  define_sameness(flags, options.key, options.fast);
  define_similar(flags, arguments);
  flags.group("Output");
  flags.output({"-o,--output", "FILE", "Write to this file instead of standard output"}, arguments.output);
  flags.choice<std::optional<corpus::Compression>>({"--compression", "", "Of the output; auto: by the ending of FILE"},
                                                   arguments.compression, lines::compression_words());
  flags.on({"--overwrite", "", "Replace FILE"}, arguments.overwrite);
  flags.group("Running");
  flags.size({"--memory", "SIZE",
              fmt::format("Limit of memory, at least {}; beyond it lines are compared on disk, in TMPDIR",
                          size_text(lines::kSmallestMemory))},
             options.memory_bytes);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, options.num_threads, 0, 4096, "0");
  define_progress_flag(flags, arguments.progress);
  flags.config();
}

}  // namespace

void add_lines_command(CommandLine& line) {
  auto arguments = std::make_shared<LinesArguments>();
  Command& command = line.add(
      {"lines",
       "Remove duplicate lines of files of any size",
       "Writes each different line of the inputs once, byte for byte, in the order in which they first come.",
       "FILE... [-o FILE] [FLAGS]",
       {{"neardup lines a.txt b.txt.gz -o all.txt", "What two files have, each line once."},
        {"neardup lines new.txt --minus old.txt > fresh.txt", "Lines of new.txt that old.txt does not have."},
        {"neardup lines access.log --only duplicates --count --field 1", "Addresses that came more than once."}},
       {"Bytes decide: empty lines, CRLF and bytes of no encoding are as good as any, lines may be of any length. Only "
        "a last line without an end gets one, where another line follows.",
        "What does not fit into --memory is compared on disk, in TMPDIR, which needs about as much room as the inputs; "
        "the output is the same. With --count and --only, and beyond memory, inputs are read twice, and standard input "
        "is copied there.",
        "A field or regular expression takes a part of the line, then what is ignored goes out of it; of the lines "
        "that are the same the first is written, as it is. A file given by -o is there whole or not at all."},
       {"--minus", "--only", "--count", "--order", "--ignore-case", "--field", "--regex", "--output", "--overwrite",
        "--memory"}});
  Flags flags(command);
  define(flags, *arguments);
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
