#include <fmt/format.h>

#include <optional>

#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/pairs_output.h"
#include "neardup/cli/progress.h"
#include "neardup/cli/same_file.h"
#include "neardup/cluster/cluster_join.h"
#include "neardup/engine/fingerprints/pairs_of_tables.h"
#include "neardup/engine/fingerprints/pairs_on_disk.h"
#include "neardup/engine/fingerprints/table.h"
#include "neardup/fingerprint/value.h"
#include "neardup/verify/rule.h"

namespace neardup::cli {
namespace {

struct PairsArguments {
  std::vector<std::string> files;
  int max_distance = -1;  // -1 = not given
  int num_threads = 0;
  uint64_t memory_bytes = uint64_t{4} << 30;
  std::string output;
  std::string work;
  bool raw = false;
  std::optional<cluster::ClusterKind> clusters;
  std::optional<verify::Rule> rule;
  ProgressKind progress = ProgressKind::kAuto;
};

int distance_of(const PairsArguments& arguments) {
  return arguments.max_distance < 0 ? engine::kUsualPairDistance : arguments.max_distance;
}

Status run_in_memory(const PairsArguments& arguments, const Context& context, PairsOutput& output) {
  NEARDUP_ASSIGN(const auto left, engine::FingerprintTable::load(arguments.files[0], context, arguments.memory_bytes));
  std::optional<engine::FingerprintTable> right;
  if (arguments.files.size() > 1) {
    NEARDUP_ASSIGN(right, engine::FingerprintTable::load(arguments.files[1], context, arguments.memory_bytes));
  }
  engine::TablePairs job{.names = arguments.files, .left = left, .right = right ? &*right : nullptr};
  if (arguments.max_distance >= 0) job.max_distance = arguments.max_distance;
  job.rule = arguments.rule;
  job.clusters = arguments.clusters;
  job.num_threads = arguments.num_threads;
  job.memory_bytes = arguments.memory_bytes;
  job.context = context;
  return engine::find_table_pairs(job, output);
}

Status check_arguments(const PairsArguments& arguments) {
  if (arguments.files.empty())
    return fail(Code::kInvalidArgument, "FILE is missing: fingerprints, as neardup fingerprint writes them");
  if (arguments.rule && !arguments.work.empty())
    return fail(Code::kInvalidArgument, "--verify is about MinHash signatures, whose pairs are found without --work");
  if (arguments.raw && arguments.work.empty())
    return fail(Code::kInvalidArgument, "--raw needs --work DIR, a folder for what does not fit into memory");
  if (arguments.clusters && (arguments.files.size() > 1 || !arguments.work.empty()))
    return fail(Code::kInvalidArgument, "--clusters takes one FILE and no --work: clusters are made in memory");
  return check_output_is_no_input(arguments.output, arguments.files);
}

Status run(const PairsArguments& arguments, Io& io) {
  NEARDUP_TRY(check_arguments(arguments));
  // Short joins say nothing in scripts; lines and a live line would mix on one terminal.
  const bool mixed = io.out_is_terminal && arguments.output.empty();
  const bool brief = !io.err_is_terminal && arguments.work.empty();
  const bool quiet = arguments.progress == ProgressKind::kAuto && (mixed || brief);
  ProgressDisplay progress(ProgressDisplay::style_for(quiet ? ProgressKind::kOff : arguments.progress, io), io.err,
                           io.columns);
  const Context context{&progress, io.cancel};
  NEARDUP_ASSIGN(PairsOutput output, PairsOutput::create(arguments.output, io));
  if (arguments.work.empty()) return run_in_memory(arguments, context, output);
  return engine::find_pairs_on_disk({arguments.files, arguments.raw, distance_of(arguments), arguments.num_threads,
                                     arguments.memory_bytes, arguments.work, context},
                                    output);
}

}  // namespace

void add_pairs_command(CommandLine& line) {
  auto arguments = std::make_shared<PairsArguments>();
  Command& command = line.add(
      {"pairs",
       "List all pairs of fingerprints within a distance",
       "Lists all pairs of documents whose fingerprints differ in at most --distance bits, of one file or between two.",
       "FILE [FILE] [FLAGS]",
       {{"neardup pairs prints.tsv --distance 8 > pairs.tsv", "id, id and distance, tab separated."},
        {"neardup pairs old.bin new.bin --distance 3", "New documents that are near an old one."},
        {"neardup pairs all.bin --work /scratch -o pairs.tsv",
         "More than fits into memory; goes on where it was stopped."},
        {"neardup pairs signatures.bin --verify jaccard:0.7", "MinHash signatures: pairs that seem to be similar."}},
       {"Pairs come in the order of the documents in the files, each once; of documents with several fingerprints the "
        "smallest distance counts. All pairs are found, whatever --threads and --memory are.",
        "With --work DIR files may be larger than memory. They are read from disk, in binary form; a run that was "
        "stopped "
        "or killed goes on when it is given again, with the same files, --distance and --memory. It works in "
        "DIR/neardup-pairs, which no other run may use meanwhile and which is removed at its end.",
        "Files of MinHash signatures (neardup fingerprint --family minhash) give the pairs that meet in a band and "
        "that "
        "the rule of --verify accepts: id, id, estimated similarity and the standard error of that estimate. The texts "
        "are not needed; pairs whose similarity lies within the error of the threshold can be judged wrongly.",
        "With --clusters each line has a document that is dropped, the one that is kept for it, and their distance. "
        "Earlier documents are preferred. The list of pairs, which may be hopelessly long, is not made."},
       {"--distance", "--verify", "--clusters", "--output", "--memory", "--work", "--threads"}});
  Flags flags(command);
  flags.group("Input");
  flags.arguments({"FILE", "", "Fingerprints from neardup fingerprint, text or bin; - is standard input"},
                  arguments->files, 2);
  flags.on({"--raw", "", "Files hold 64-bit numbers, the lowest byte first; ids are positions, from 0"},
           arguments->raw);
  flags.group("Pairs");
  flags.whole({"--distance", "K", "Fingerprints: bits in which a pair may differ, 0 to 16"}, arguments->max_distance, 0,
              fingerprint::kMaxDistance, "3");
  flags.value({"--verify", "origin|jaccard:T|code|code:T|none",
               "Signatures: origin, jaccard:T with T from 0 to 1, code or code:T (of --recipe code, the default "
               "there), or none"},
              "origin", [arguments](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(arguments->rule, verify::rule_from_string(typed));
                return {};
              });
  flags.choice<std::optional<cluster::ClusterKind>>({"--clusters", "", "Clusters instead of pairs"},
                                                    arguments->clusters,
                                                    {{"none", std::nullopt},
                                                     {"star", cluster::ClusterKind::kStar},
                                                     {"components", cluster::ClusterKind::kComponents}});
  flags.output({"-o,--output", "FILE", "Write to this file instead of standard output"}, arguments->output);
  flags.group("Running");
  flags.size({"--memory", "SIZE", "Limit of memory, such as 512M"}, arguments->memory_bytes);
  flags.output({"--work", "DIR", "Folder for what is larger than memory"}, arguments->work);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, arguments->num_threads, 0, 4096, "0");
  define_progress_flag(flags, arguments->progress);
  flags.config();
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
