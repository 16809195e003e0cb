#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/disk/file.h"
#include "neardup/base/json.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/contained_flag.h"
#include "neardup/cli/family_flag.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/given_arguments.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/memory_flag.h"
#include "neardup/cli/pair_filter_flags.h"
#include "neardup/cli/progress.h"
#include "neardup/cli/recipe_flag.h"
#include "neardup/cli/verify_flag.h"
#include "neardup/engine/online/store_place.h"
#include "neardup/engine/read/sources.h"
#include "neardup/engine/run/dedup.h"
#include "neardup/engine/stored/run_store.h"
#include "neardup/report/render.h"
#include "neardup/report/warnings.h"

namespace neardup::cli {
namespace {

struct DedupArguments {
  engine::DedupOptions options;
  ProgressKind progress = ProgressKind::kAuto;
  InputArguments input;
};

void define_input(Flags& flags, DedupArguments& arguments) {
  engine::DedupOptions& options = arguments.options;
  flags.group("Input");
  flags.arguments(
      {"INPUT", "",
       "Files, folders, patterns; - is standard input. JSONL, CSV, TSV, WARC, text or lines, also .gz and .zst"},
      options.inputs);
  flags.list({"--reference", "PATH", "Compare with these documents too, files or a store; they are only read"},
             options.references);
  flags.output({"--into", "STORE", "Compare with a store, and put what is kept into it; made if not there"},
               options.into);
  define_input_flags(flags, arguments.input, options.read, options.discover);
  flags.text({"--group-key", "FIELD", "Report removals for each value of this field"}, options.read.group_key);
}

void define_matching(Flags& flags, engine::DedupOptions& options) {
  flags.group("What is a duplicate");
  define_verify_flags(flags, options.verify, options.verify_is_given);
  define_commonness_flag(flags, options.commonness_file);
  define_contained_flag(flags, options.contained);
  define_family_flag(flags, options.family, kFamilyOfCandidates);
  define_distance_flag(flags, options.distance);
  define_bands_flag(flags, options.recipe, options.family);
  define_pair_filter_flags(flags, options.read.within_key, options.size_within);
  define_recipe_flags(flags, options.recipe, options.idf_file, &options.memory_bytes, &options.recipe_is_given);
  flags.choice<fingerprint::Checksum>({"--checksum", "", "Digest that tells equal texts"}, options.checksum,
                                      {{"xxh3", fingerprint::Checksum::kXxh3}, {"md5", fingerprint::Checksum::kMd5}});
}

void define_keeping(Flags& flags, engine::DedupOptions& options) {
  flags.group("What stays");
  flags.value({"--keep", "first|longest|max:FIELD|priority:FIELD=A,B", "Which document of a cluster stays"},
              cluster::to_string(options.keep), [&options](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(options.keep, cluster::keep_rule_from_string(typed));
                return {};
              });
  flags.choice<cluster::ClusterKind>(
      {"--cluster", "", "star: each removed document is similar to the kept one; components: to any of its cluster"},
      options.cluster, {{"star", cluster::ClusterKind::kStar}, {"components", cluster::ClusterKind::kComponents}});
}

void define_output(Flags& flags, engine::DedupOptions& options) {
  flags.group("Output");
  flags.output({"-o,--output", "DIR", "Folder for the results (required)"}, options.output);
  flags.choice<engine::Mode>(
      {"--mode", "", "Write the kept documents, all with marks, or only the kept ids"}, options.mode,
      {{"remove", engine::Mode::kRemove}, {"annotate", engine::Mode::kAnnotate}, {"ids", engine::Mode::kIds}});
  flags.on({"--pairs", "", "Also write pairs.jsonl: every verified pair"}, options.write_pairs);
  flags.on({"--overwrite", "", "Replace the results of another run in DIR"}, options.overwrite);
}

Status read_shard(engine::DedupOptions& options, const std::string& typed) {
  NEARDUP_ASSIGN(const ShardArgument shard, parse_shard(typed));
  options.shard_index = shard.index;
  options.shard_count = shard.count;
  return {};
}

Status read_merge(engine::DedupOptions& options, const std::string& typed) {
  NEARDUP_ASSIGN(const int64_t count, parse_whole(typed, 1, 1 << 20));
  options.shard_count = static_cast<int>(count);
  options.merge_shards = true;
  return {};
}

void define_running(Flags& flags, DedupArguments& arguments) {
  engine::DedupOptions& options = arguments.options;
  flags.group("Running");
  flags.size({"--memory", "SIZE", "Limit of memory, such as 512M; larger work goes through the disk"},
             options.memory_bytes);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, options.num_threads, 0, 4096, "0");
  flags.output({"--temp", "DIR", "Folder for work files, on another disk; without it in the output folder"},
               options.temp);
  flags.on({"--resume", "", "Go on where a stopped run of this command was"}, options.resume);
  flags.value({"--shard", "I/N", "Only read part I (from 0) of N, for --merge-shards"}, "",
              [&options](const std::string& typed) { return read_shard(options, typed); });
  flags.value({"--merge-shards", "N", "Take what the N runs with --shard have left in DIR, and finish"}, "",
              [&options](const std::string& typed) { return read_merge(options, typed); });
  flags.on({"--strict", "", "Stop at the first record that cannot be read"}, options.strict);
  define_progress_flag(flags, arguments.progress);
  flags.config();
}

bool is_file_input(const std::string& input) {
  const auto info = file_info(input);
  return input == "-" || (info && !info->is_directory);
}

/// --include and --exclude choose among the files of folders: with none they would do nothing.
Status check_globs(const engine::DedupOptions& options) {
  if (options.discover.include.empty() && options.discover.exclude.empty()) return {};
  if (!std::ranges::all_of(options.inputs, is_file_input) || !std::ranges::all_of(options.references, is_file_input))
    return {};
  return fail(Code::kInvalidArgument,
              "--include and --exclude choose files in folders, and every INPUT is a file: leave them out, or name "
              "the folder");
}

Status check_output_is_folder(const std::string& output) {
  if (engine::is_on_server(output))
    return fail(Code::kInvalidArgument,
                fmt::format("-o is a folder, and {0} a store on a server: --into {0} puts there "
                            "what is kept",
                            engine::shown_place(output)));
  if (engine::check_scheme(output)) return {};
  const bool has_user = output.find('@') != std::string::npos;  // and perhaps a password
  return fail(Code::kInvalidArgument,
              fmt::format("-o is a folder, and {0} looks like a URI; a folder of such a name is "
                          "./{0}",
                          has_user ? output.substr(0, output.find(':') + 1) + "..." : output));
}

Status check(const engine::DedupOptions& options) {
  if (options.inputs.empty())
    return fail(Code::kInvalidArgument, "INPUT is missing: a file, a folder, or - for standard input");
  if (options.output.empty()) return fail(Code::kInvalidArgument, "-o DIR is missing: where the results go");
  NEARDUP_TRY(check_output_is_folder(options.output));
  NEARDUP_TRY(check_memory(options.memory_bytes));
  NEARDUP_TRY(check_globs(options));
  if (options.shard_index && options.merge_shards) {
    return fail(Code::kInvalidArgument,
                "--shard and --merge-shards cannot go together: first run every shard, then merge");
  }
  if (options.resume && options.overwrite) {
    return fail(Code::kInvalidArgument,
                "--resume and --overwrite cannot go together: one goes on, the other starts anew");
  }
  return {};
}

std::string how_to_go_on(const engine::DedupOptions& options) {
  if (!engine::reads_standard_input(options)) return "stopped; the same command with --resume goes on";
  return "stopped; standard input is gone: give it again, with --overwrite";
}

/// For people: the summary table.
void say_table(const engine::DedupOptions& options, const report::Report& report, Io& io) {
  io.say("\n" + report::to_text(report));
  if (!options.shard_index) return io.say(fmt::format("\nReport: {}/report.html\n", options.output));
  const int count = options.shard_count;
  io.say(fmt::format("\nPart {0}/{1} is read. When all {1} are: the same with --merge-shards {1} instead of --shard.\n",
                     *options.shard_index, count));
}

/// For programs: warnings and the totals, one JSON object a line. A shard knows only what it has read.
void say_events(const engine::DedupOptions& options, const report::Report& report, Progress& progress, Io& io) {
  for (const std::string& warning : report::all_warnings(report)) progress.warn(warning);
  const report::Tally& total = report.total;
  std::string line = fmt::format("{{\"event\":\"summary\",\"read\":{}", total.read);
  if (!options.shard_index) {
    line += fmt::format(",\"kept\":{},\"removed_exact\":{},\"removed_near\":{}", total.kept, total.exact, total.near);
    if (options.contained) line += fmt::format(",\"removed_contained\":{}", total.contained);
    line += fmt::format(",\"rejected\":{}", total.rejected);
  }
  line += fmt::format(",\"seconds\":{:.3f},\"output\":", report.seconds);
  append_json_string(line, options.output);
  io.say_raw(line + "}\n");
}

// The engine puts these into its commands itself.
const std::vector<std::string> kKnownToEngine = {"--text-key", "--id-key",    "--table",
                                                 "--verify",   "--templates", "--commonness"};

// Which flags explain is not given. It knows no stores.
std::vector<std::string> left_out_of_explain(const engine::DedupOptions& options) {
  std::vector<std::string> flags = kKnownToEngine;
  const auto is_store = [](const std::string& path) { return engine::is_store_of_texts(path); };
  if (std::ranges::any_of(options.references, is_store)) flags.emplace_back("--reference");
  return flags;
}

Status run(DedupArguments& arguments, Io& io) {
  NEARDUP_TRY(apply_input_flags(arguments.input, arguments.options.discover));
  NEARDUP_TRY(complete_places(arguments.options.references));
  NEARDUP_ASSIGN(arguments.options.into, given_place(arguments.options.into));
  NEARDUP_TRY(check(arguments.options));
  const engine::DedupOptions& options = arguments.options;
  Result<report::Report> report = [&]() -> Result<report::Report> {
    ProgressDisplay progress(ProgressDisplay::style_for(arguments.progress, io), io.err, io.columns);
    NEARDUP_ASSIGN(report::Report done, engine::dedup(options, {&progress, io.cancel}));
    if (arguments.progress == ProgressKind::kJson) say_events(options, done, progress, io);
    return done;
  }();
  if (!report && report.error().code == Code::kCancelled) return fail(Code::kCancelled, how_to_go_on(options));
  if (!report) return tl::unexpected<Error>(report.error());
  if (arguments.progress != ProgressKind::kJson) say_table(options, *report, io);
  if (report->total.read > 0 && report->total.rejected == report->total.read)
    return fail(Code::kCorruption, fmt::format("nothing could be read: all records were rejected; {}/rejected.jsonl "
                                               "says why",
                                               options.output));
  return {};
}

}  // namespace

void add_dedup_command(CommandLine& line) {
  auto arguments = std::make_shared<DedupArguments>();
  Command& command = line.add(
      {"dedup",
       "Remove equal and near-duplicate documents",
       "Removes documents with equal and near-duplicate texts, and tells for each which kept document it repeats.",
       "INPUT... -o DIR [FLAGS]",
       {{"neardup dedup corpus.jsonl.zst -o out", "out/kept/corpus.jsonl.zst is the corpus without its duplicates."},
        {"neardup dedup new/ --reference old/ --keep longest -o out",
         "Documents of new/ that repeat one of old/ go, too."},
        {"neardup dedup january.jsonl --into seen -o out/january",
         "What is kept is put into the store seen: february.jsonl can be reduced against it."}},
       {"DIR receives kept/ (the inputs without the removed documents and the rejected records, same names and "
        "formats), duplicates.jsonl, "
        "clusters.jsonl, rejected.jsonl, report.json and report.html. The same inputs and flags give the same bytes "
        "for any "
        "number of threads and shards.",
        "Equal texts are the same once normalised: letter case, accents, width and white space do not count, as the "
        "recipe says, but punctuation does. All other duplicates are near-duplicates.",
        "A store is a folder, or on a server: redis://HOST:PORT/PREFIX, "
        "hbase://HOST:PORT/TABLE (docs/operations.md). What comes into one on a server during the run may be missed.",
        "Exit codes: 0 done, 1 wrong arguments, 2 failed, 130 stopped by Ctrl-C (--resume goes on)."},
       {"--reference", "--into", "--text-key", "--id-key", "--format", "--verify", "--recipe", "--keep", "--output",
        "--mode", "--overwrite", "--memory", "--resume"}});
  Flags flags(command);
  define_input(flags, *arguments);
  define_matching(flags, arguments->options);
  define_keeping(flags, arguments->options);
  define_output(flags, arguments->options);
  define_running(flags, *arguments);
  command.run = [arguments, &line](Io& io) {
    arguments->options.command = line.as_typed();
    arguments->options.explain_flags = line.shared_flags("dedup", "explain", left_out_of_explain(arguments->options));
    return run(*arguments, io);
  };
}

}  // namespace neardup::cli
