#include <fmt/format.h>

#include "neardup/base/disk/file.h"
#include "neardup/base/sizes.h"
#include "neardup/base/work_place.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/evaluate_output.h"
#include "neardup/cli/family_flag.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/memory_flag.h"
#include "neardup/cli/pair_filter_flags.h"
#include "neardup/cli/progress.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/cli/same_file.h"
#include "neardup/cli/verify_flag.h"
#include "neardup/engine/evaluate/evaluate.h"
#include "neardup/evaluate/evaluate.h"
#include "neardup/evaluate/evaluation_json.h"
#include "neardup/report/evaluation_page.h"

namespace neardup::cli {
namespace {

enum class EvaluateFormat { kTable, kJson };

struct EvaluateArguments {
  engine::EvaluateOptions options;
  InputArguments input;
  EvaluateFormat format = EvaluateFormat::kTable;
  bool json = false;
  std::vector<std::string> asked;  // rules
  std::string html;
  double least_precision = 0;
  ProgressKind progress = ProgressKind::kAuto;
};

Status check(const EvaluateArguments& arguments) {
  const engine::EvaluateOptions& options = arguments.options;
  if (options.run.inputs.empty())
    return fail(Code::kInvalidArgument, "INPUT is missing: a file, a folder, or - for standard input");
  NEARDUP_TRY(check_memory(options.run.memory_bytes));
  const engine::EvaluateOptions plain;
  for (const auto& [flag, is_given] : {std::pair("--least-similarity", options.least_similarity > 0),
                                       {"--duplicate-from", options.duplicate_from != plain.duplicate_from},
                                       {"--stratum-key", options.stratum_key != plain.stratum_key}})
    if (is_given && options.labels_file.empty())
      return fail(Code::kInvalidArgument, fmt::format("{} is about the pairs of a file: it needs --labels FILE", flag));
  std::vector<std::string> read = options.run.inputs;
  read.push_back(options.labels_file);
  return check_output(arguments.html, read);
}

Status read_asked(EvaluateArguments& arguments) {
  for (const std::string& typed : arguments.asked) {
    NEARDUP_ASSIGN(const verify::Rule rule, verify::rule_from_string(typed));
    arguments.options.asked.push_back(rule);
  }
  return {};
}

Status run(EvaluateArguments& arguments, Io& io) {
  NEARDUP_TRY(read_asked(arguments));
  NEARDUP_TRY(apply_input_flags(arguments.input, arguments.options.run.discover));
  NEARDUP_TRY(check(arguments));
  NEARDUP_ASSIGN(const TemporaryFolder folder, make_work_place());
  arguments.options.run.output = folder.path();
  const auto evaluation = [&]() -> Result<evaluate::Evaluation> {
    ProgressDisplay progress(ProgressDisplay::style_for(arguments.progress, io), io.err, io.columns);
    NEARDUP_ASSIGN(evaluate::Evaluation done, engine::evaluate_recipe(arguments.options, {&progress, io.cancel}));
    return done;
  }();
  if (!evaluation) return tl::unexpected<Error>(evaluation.error());
  const evaluate::Findings found = evaluate::findings(*evaluation, arguments.least_precision);
  const std::vector<std::string> advice = evaluate::advice(*evaluation, found, arguments.least_precision);
  if (!arguments.html.empty())
    NEARDUP_TRY(write_file_atomically(arguments.html, report::evaluation_html(*evaluation, found, advice)));
  io.print(arguments.json || arguments.format == EvaluateFormat::kJson ? evaluation_json(*evaluation, found, advice)
                                                                       : evaluation_text(*evaluation, found, advice));
  return {};
}

void define_labels(Flags& flags, EvaluateArguments& arguments) {
  engine::EvaluateOptions& options = arguments.options;
  flags.group("Labels");
  flags.text({"--cluster-key", "FIELD", "Documents with one value of this field are duplicates of each other"},
             options.cluster_key);
  flags.text({"--labels", "FILE", "Labelled pairs instead: line numbers (17 42 0.83) or ids ({\"a\":...,\"b\":...})",
              "--pairs"},
             options.labels_file);
  flags.whole(
      {"--duplicate-from", "G", "Judged pairs with this label or a higher one are duplicates, the others are not"},
      options.duplicate_from, 1, evaluate::kHighestGrade, std::to_string(options.duplicate_from));
  flags.text({"--stratum-key", "FIELD", "Of judged pairs, the field with the part of the sample they were drawn for"},
             options.stratum_key);
  flags.value({"--least-similarity", "T", "Of the pairs in FILE, those with less are not duplicates"}, "0",
              [&options](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(options.least_similarity, parse_share(typed));
                return {};
              });
}

void define_evaluation(Flags& flags, EvaluateArguments& arguments) {
  flags.group("What is evaluated");
  flags.list({"--verify", kRuleWords, "Compare this rule with what dedup takes by itself"}, arguments.asked);
  define_recipe_flags(flags, arguments.options.run.recipe, arguments.options.run.idf_file,
                      &arguments.options.run.memory_bytes);
  define_family_flag(flags, arguments.options.run.family, kFamilyOfCandidates);
  define_bands_flag(flags, arguments.options.run.recipe, arguments.options.run.family);
  flags.value({"--distance", "K", "SimHash: the widest distance to look at, no less than what dedup takes by itself"},
              std::to_string(fingerprint::kMaxDistance), [&arguments](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(const int64_t distance, parse_whole(typed, 0, fingerprint::kMaxDistance));
                arguments.options.run.distance = static_cast<int>(distance);
                return {};
              });
  define_pair_filter_flags(flags, arguments.options.run.read.within_key, arguments.options.run.size_within);
  flags.on({"--templates", "", "Also measure --verify origin --templates"}, arguments.options.run.verify.templates);
  flags.value({"--least-precision", "P", "Recommend no setting with a lower precision"}, "0",
              [&arguments](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(arguments.least_precision, parse_share(typed));
                return {};
              });
}

}  // namespace

void add_evaluate_command(CommandLine& line) {
  auto arguments = std::make_shared<EvaluateArguments>();
  Command& command = line.add(
      {"evaluate",
       "Measure precision and recall against labels, and recommend a setting",
       "Measures precision, recall, F1 and the adjusted Rand index of every distance and every verification rule "
       "against labelled documents, and recommends a setting.",
       "INPUT... [FLAGS]",
       {{"neardup evaluate labelled.jsonl", "Documents with one value in their field \"cluster\" are duplicates."},
        {"neardup evaluate corpus.jsonl --labels judged.jsonl --html evaluation.html",
         "Judged pairs of ids, and a page with the curves."},
        {"neardup evaluate corpus.jsonl --labels judged.jsonl --verify jaccard:0.7 --bands 100",
         "Is another rule, with more bands, better than the default by more than chance?"},
        {"neardup evaluate corpus.jsonl --labels pairs.txt --least-similarity 0.8",
         "Pairs of line numbers with a similarity: duplicates from .8 on."}},
       {"A line of --labels FILE is I J [SIMILARITY], line numbers from 0, or a JSON object with the ids \"a\" and "
        "\"b\" and perhaps \"similarity\". Pairs that are not listed are then not duplicates. With \"duplicate\": true "
        "or false, or a \"label\" from 0 (different) on, every line is a judgement: only the judged pairs count. "
        "\"stratum\" and \"weight\" say which part of a sample a pair was drawn for, and how many pairs it stands for.",
        "Counts are of pairs, as dedup --pairs writes them under the same flags; the Rand index is that of the "
        "connected components. Intervals hold the true value 19 times of 20. Under origin two short texts are judged "
        "by their characters, at every distance."},
       {"--text-key", "--id-key", "--cluster-key", "--labels", "--duplicate-from", "--verify", "--recipe", "--json",
        "--html", "--memory", "--threads"}});
  Flags flags(command);
  flags.group("Input");
  flags.arguments({"INPUT", "", "Files, folders, patterns; - is standard input"}, arguments->options.run.inputs);
  define_input_flags(flags, arguments->input, arguments->options.run.read, arguments->options.run.discover);
  define_labels(flags, *arguments);
  define_evaluation(flags, *arguments);
  flags.group("Output");
  define_output_format<EvaluateFormat>(flags, arguments->input, arguments->format,
                                       {{"table", EvaluateFormat::kTable}, {"json", EvaluateFormat::kJson}});
  flags.on({"--json", "", "Short for --output-format json"}, arguments->json);
  flags.output({"--html", "FILE", "Also write a page with curves and all figures"}, arguments->html);
  flags.group("Running");
  flags.size({"--memory", "SIZE", "Limit of memory; larger work goes through the disk"},
             arguments->options.run.memory_bytes);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, arguments->options.run.num_threads, 0, 4096, "0");
  define_progress_flag(flags, arguments->progress);
  flags.config();
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
