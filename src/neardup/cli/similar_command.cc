#include <fmt/format.h>

#include "neardup/base/disk/file_id.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/given_arguments.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/memory_flag.h"
#include "neardup/cli/progress.h"
#include "neardup/cli/same_file.h"
#include "neardup/cli/similar_html.h"
#include "neardup/cli/similar_output.h"
#include "neardup/engine/options.h"

namespace neardup::cli {
namespace {

struct SimilarArguments {
  sif::SimilarOptions options;
  SimilarView view;
  std::string output;
  std::string html;
  ProgressKind progress = ProgressKind::kAuto;
  const CLI::App* app = nullptr;
};

// A flag that would say nothing is a mistake.
Status check_flags_speak(const SimilarArguments& arguments) {
  using sif::SelectionKind;
  const SelectionKind kind = arguments.options.selection.kind;
  struct Rule {
    const char* flag;
    bool speaks;
    const char* about;
  };
  const Rule rules[] = {{"--window", kind == SelectionKind::kWinnow, "--select winnow"},
                        {"--zero-bits", kind == SelectionKind::kSample, "--select sample"},
                        {"--anchor", kind == SelectionKind::kAnchors, "--select anchors"},
                        {"--common-files", arguments.options.common != sif::CommonPassages::kCount,
                         "--common weigh and --common ignore"}};
  for (const Rule& rule : rules)
    if (is_given(*arguments.app, rule.flag) && !rule.speaks)
      return fail(Code::kInvalidArgument,
                  fmt::format("{} is about {}, which is not given; leave it out, or give that", rule.flag, rule.about));
  return {};
}

// The file that standard output goes to, if it is one: it may lie in a tree that is compared.
void leave_out_standard_output(const Io& io, sif::SimilarOptions& options) {
  if (const auto id = file_id(io.out); id && id->is_regular) options.left_out.push_back(*id);
}

Status check_similar(const SimilarArguments& arguments) {
  if (arguments.options.inputs.empty())
    return fail(Code::kInvalidArgument, "PATH is missing: files or folders that are to be compared");
  if (arguments.view.groups && arguments.view.num_shown > 0)
    return fail(Code::kInvalidArgument, "--groups lists files, --show passages of pairs; leave out one of them");
  if (arguments.options.verify && arguments.options.common != sif::CommonPassages::kCount)
    return fail(
        Code::kInvalidArgument,
        "--verify counts all substrings alike, --common weigh and --common ignore do not; leave out one of them");
  if (is_given(*arguments.app, "--index") && arguments.options.index_folder.empty())
    return fail(Code::kInvalidArgument, "--index is empty; give the folder of the index");
  NEARDUP_TRY(check_flags_speak(arguments));
  NEARDUP_TRY(sif::check_selection(arguments.options.selection));
  NEARDUP_TRY(check_memory(arguments.options.memory_bytes));
  NEARDUP_TRY(check_outputs_differ(arguments.output, arguments.html));
  for (const auto& [flag, written] : {std::pair("-o", arguments.output), {"--html", arguments.html}}) {
    NEARDUP_TRY(check_output_is_no_input(written, arguments.options.references, flag));
    NEARDUP_TRY(check_output(written, arguments.options.inputs, flag));
  }
  return {};
}

Status run_similar(SimilarArguments& arguments, Io& io) {
  NEARDUP_TRY(check_similar(arguments));
  ProgressDisplay progress(ProgressDisplay::style_for(arguments.progress, io), io.err, io.columns);
  arguments.options.context = {&progress, io.cancel};
  arguments.view.columns = io.columns;
  for (const std::string& written : {arguments.output, arguments.html})
    if (!written.empty()) arguments.options.outputs.push_back(written);
  if (arguments.output.empty()) leave_out_standard_output(io, arguments.options);
  NEARDUP_ASSIGN(const sif::SimilarFiles found, sif::find_similar(arguments.options));
  // Not before: it may lie in a folder that is compared.
  LineOutput output(arguments.output, io);
  NEARDUP_TRY(output.begin());
  NEARDUP_TRY(write_similar(found, arguments.options, arguments.view, output));
  NEARDUP_TRY(output.finish());
  // Last: whatever becomes of the page, the lines are there.
  if (!arguments.html.empty()) NEARDUP_TRY(write_similar_html(found, arguments.options, arguments.html));
  io.say(arguments.progress == ProgressKind::kOff ? similar_warnings(found) : similar_summary(found));
  return {};
}

void define_files(Flags& flags, sif::SimilarOptions& options) {
  flags.group("Input");
  flags.arguments({"PATH", "", "Files, and folders with all that is in them"}, options.inputs);
  flags.list({"--reference", "PATH", "Compare with these files, not with each other"}, options.references);
  flags.list({"--include", "PATTERN", "Files of folders: only those, such as '*.py' or 'src/**'"},
             options.filter.include);
  flags.list({"--exclude", "PATTERN", "Files and folders to leave out"}, options.filter.exclude);
  flags.on({"--hidden", "", "Also files and folders whose names begin with a dot"}, options.filter.hidden);
  flags.on({"--binary", "", "Also files that look binary"}, options.filter.binary);
  flags.output({"--index", "FOLDER", "Keep fingerprints there: the next run reads only files that have changed"},
               options.index_folder);
}

void define_similarity(Flags& flags, sif::SimilarOptions& options) {
  flags.group("Similarity");
  flags.value({"--threshold", "T", "Least share of one file that is in the other, 0 to 1"}, "0.25",
              [&options](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(options.threshold, parse_share(typed));
                return {};
              });
  flags.on(
      {"--verify", "", "Count all pairs; without it only those near the threshold are counted, the others estimated"},
      options.verify);
  flags.choice<sif::Fold>({"--fold", "",
                           "What of texts is compared. space: white space in a row counts as one blank; none: bytes as "
                           "they are; code: source "
                           "files without white space, comments and names of identifiers"},
                          options.fold,
                          {{"space", sif::Fold::kSpace}, {"none", sif::Fold::kNone}, {"code", sif::Fold::kCode}});
  flags.choice<sif::CommonPassages>({"--common", "", "Passages that many files hold, such as licences"}, options.common,
                                    {{"count", sif::CommonPassages::kCount},
                                     {"weigh", sif::CommonPassages::kWeigh},
                                     {"ignore", sif::CommonPassages::kIgnore}});
  flags.count({"--common-files", "N", "A passage in more files is common; 0: in a twentieth of all, at least 20"},
              options.common_files);
}

void define_fingerprints(Flags& flags, sif::Selection& selection) {
  flags.group("Fingerprints");
  flags.choice<sif::SelectionKind>({"--select", "", "Which substrings are fingerprints"}, selection.kind,
                                   {{"winnow", sif::SelectionKind::kWinnow},
                                    {"sample", sif::SelectionKind::kSample},
                                    {"anchors", sif::SelectionKind::kAnchors}});
  flags.whole({"--substring", "BYTES", "Length of a substring"}, selection.substring_bytes, sif::kMinSubstring,
              sif::kMaxSubstring, "50");
  flags.whole({"--window", "N", "winnow: one of so many substrings in a row is kept"}, selection.window,
              sif::kMinWindow, sif::kMaxWindow, "64");
  flags.whole({"--zero-bits", "N", "sample: one of 2^N substrings is kept"}, selection.zero_bits, 0, sif::kMaxZeroBits,
              "6");
  flags.list({"--anchor", "TEXT", "anchors: substrings that begin with it are kept"}, selection.anchors);
}

}  // namespace

void add_similar_command(CommandLine& line) {
  auto arguments = std::make_shared<SimilarArguments>();
  Command& command = line.add(
      {"similar",
       "List files that share passages",
       "Lists all pairs of files that have passages in common, and how much of each is in the other.",
       "PATH... [FLAGS]",
       {{"neardup similar src > pairs.tsv", "All files of a tree with each other."},
        {"neardup similar new.c --reference src --show 3", "One file against a tree, with the longest passages."},
        {"neardup similar src --common ignore --groups", "Groups of files, licences left out of account."},
        {"neardup similar src --html similar.html > pairs.tsv",
         "Also a page to look at, with the passages side by side."},
        {"neardup similar src --index src.index > pairs.tsv", "Again and again: only files that changed are read."},
        {"neardup similar submissions --fold code --show 3", "Code whose names and comments were changed, too."}},
       {"Each line has: how much of the first file is in the second, in percent; how much of the second is in the "
        "first; "
        "equal, exact or estimate; the two files. The most similar pairs come first. The similarity of a pair is the "
        "greater of its two shares.",
        "A share is that of the file's different substrings of 50 bytes (--substring) that the other file has, too. "
        "Shares are estimated by fingerprints, off by a substring or two at each end of what is shared in small files, "
        "by "
        "some more in large ones. --verify reads the files of pairs again and counts; pairs within 3 points of the "
        "threshold are counted without it, too.",
        "White space in a row counts as one blank: files that differ in line ends, tabs or indents alone have all in "
        "common. Files that gzip or Zstandard made are compared by what they hold.",
        "A file that equals an earlier one has one line, with that one; what else it is similar to, that one is.",
        "Tabs, line breaks, backslashes and bytes that are not UTF-8 are written as \\t, \\n, \\\\, \\xNN in names.",
        "--fold code compares source files by what is left of them: no white space, no comments, each identifier the "
        "same letter; keywords, numbers, signs and strings stay. Languages are told by the endings of names; other "
        "files are compared as without it. Shares and passages are those of what is left, places those of the files.",
        "An index (--index) belongs to one run at a time, and to its settings (--select and what is about it, "
        "--substring, --fold). A file is unchanged if its size, its times and its inode are; where the size alone "
        "is the same, its bytes decide."},
       {"--threshold", "--verify", "--reference", "--fold", "--index", "--common", "--show", "--groups", "--html",
        "--output", "--output-format"}});
  arguments->app = command.app;
  Flags flags(command);
  define_files(flags, arguments->options);
  define_similarity(flags, arguments->options);
  define_fingerprints(flags, arguments->options.selection);
  flags.group("Output");
  flags.output({"-o,--output", "FILE", "Write to this file instead of standard output"}, arguments->output);
  flags.choice<SimilarForm>({"--output-format", "", "Form of the output"}, arguments->view.form,
                            {{"tsv", SimilarForm::kTsv}, {"jsonl", SimilarForm::kJsonl}});
  flags.output({"--html", "FILE", "Also write a page: slider, matrix, graph, pairs with their passages marked"},
               arguments->html);
  flags.count({"--show", "N", "The N longest passages of each pair, with their bytes and lines"},
              arguments->view.num_shown);
  flags.on({"--groups", "", "Groups of files that are connected by pairs, instead of pairs"}, arguments->view.groups);
  flags.group("Running");
  flags.size({"--memory", "SIZE", fmt::format("Limit of memory, at least {}", size_text(engine::kSmallestMemory))},
             arguments->options.memory_bytes);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, arguments->options.num_threads, 0, 4096, "0");
  define_progress_flag(flags, arguments->progress);
  flags.config();
  command.run = [arguments](Io& io) { return run_similar(*arguments, io); };
}

}  // namespace neardup::cli
