#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "neardup/base/file.h"
#include "neardup/base/threads.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/input_flags.h"
#include "neardup/cli/pairs_of_signatures.h"
#include "neardup/cli/pairs_on_disk.h"
#include "neardup/cli/pairs_output.h"
#include "neardup/cli/progress.h"
#include "neardup/cli/same_file.h"
#include "neardup/engine/fingerprints/stream.h"
#include "neardup/engine/fingerprints/table.h"
#include "neardup/join/cluster_join.h"
#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"
#include "neardup/recipe/recipe_words.h"
#include "neardup/verify/rule.h"

namespace neardup::cli {
namespace {

enum class Clusters { kNone, kStar, kComponents };

struct PairsArguments {
  std::vector<std::string> files;
  int max_distance = -1;  // -1 = not given
  int num_threads = 0;
  uint64_t memory_bytes = uint64_t{4} << 30;
  std::string output;
  std::string work;
  bool raw = false;
  Clusters clusters = Clusters::kNone;
  std::optional<verify::Rule> rule;
  ProgressKind progress = ProgressKind::kAuto;
};

/// Collects pairs of documents from joins of several columns, within a budget.
class PairCollector {
 public:
  PairCollector(int num_threads, uint64_t budget_bytes)
      : by_thread_(static_cast<size_t>(num_threads)), budget_bytes_(budget_bytes) {}

  /// Takes pairs of positions in two columns. Threads: any, `thread` tells them apart.
  Status take(std::span<const join::Pair> pairs, int thread, const engine::FingerprintTable::Column& left,
              const engine::FingerprintTable::Column& right) {
    // Twice: all lists stand in memory beside the one that they are put into.
    if ((num_pairs_ += pairs.size()) * sizeof(join::Pair) * 2 > budget_bytes_) {
      return fail(
          Code::kMemory,
          fmt::format("more than {} pairs do not fit into --memory; raise it, lower --distance or give --work DIR",
                      budget_bytes_ / sizeof(join::Pair) / 2));
    }
    std::vector<join::Pair>& list = by_thread_[static_cast<size_t>(thread)];
    for (const join::Pair& pair : pairs)
      list.push_back({left.documents[pair.a], right.documents[pair.b], pair.distance});
    return {};
  }

  /// Returns all pairs by (a, b), each once with its smallest distance.
  std::vector<join::Pair> sorted() {
    std::vector<join::Pair> all;
    all.reserve(num_pairs_);
    for (auto& list : by_thread_) {
      all.insert(all.end(), list.begin(), list.end());
      std::vector<join::Pair>().swap(list);
    }
    std::sort(all.begin(), all.end());
    const auto same = [](const join::Pair& x, const join::Pair& y) { return x.a == y.a && x.b == y.b; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
  }

 private:
  std::vector<std::vector<join::Pair>> by_thread_;
  std::atomic<uint64_t> num_pairs_ = 0;
  uint64_t budget_bytes_;
};

constexpr int kUsualDistance = 3;

int distance_of(const PairsArguments& arguments) {
  return arguments.max_distance < 0 ? kUsualDistance : arguments.max_distance;
}

/// Each family has its own measure: a flag of the other one was meant for something.
Status check_family(const PairsArguments& arguments, const engine::FingerprintTable& file) {
  if (file.num_values() > 0 && arguments.max_distance >= 0) {
    return fail(Code::kInvalidArgument,
                fmt::format("'{}' holds MinHash signatures, and --distance is about bits of SimHash fingerprints: take "
                            "--verify jaccard:T instead, or neardup fingerprint --family simhash",
                            arguments.files[0]));
  }
  if (file.num_columns() > 0 && arguments.rule) {
    return fail(Code::kInvalidArgument,
                fmt::format("'{}' holds SimHash fingerprints, and --verify is about MinHash signatures: take "
                            "--distance K instead, or neardup fingerprint --family minhash",
                            arguments.files[0]));
  }
  return {};
}

/// What stands for each document of a file, in words.
std::string shape_of(const engine::FingerprintTable& file) {
  if (file.num_values() > 0) return fmt::format("signatures of {} values", file.num_values());
  return fmt::format("{} fingerprint{} a document", file.num_columns(), file.num_columns() == 1 ? "" : "s");
}

Status check_recipes(const std::vector<std::string>& names, const engine::FingerprintTable& left,
                     const engine::FingerprintTable& right) {
  const std::string left_name = fmt::format("'{}'", names[0]), right_name = fmt::format("'{}'", names[1]);
  if (!left.recipe_id().empty() && !right.recipe_id().empty() && left.recipe_id() != right.recipe_id())
    return recipe::recipes_differ({left_name, left.recipe_id()}, {right_name, right.recipe_id()});
  const auto differ = [](size_t a, size_t b) { return a != 0 && b != 0 && a != b; };
  const bool other_count =
      differ(left.num_columns(), right.num_columns()) || differ(left.num_values(), right.num_values()) ||
      (left.num_values() != 0 && right.num_columns() != 0) || (left.num_columns() != 0 && right.num_values() != 0);
  if (!other_count) return {};
  return fail(Code::kMismatch,
              fmt::format("{} has {}, {} has {}: they were made with different recipes; fingerprint both with the same "
                          "--recipe",
                          left_name, shape_of(left), right_name, shape_of(right)));
}

Status join_column(const engine::FingerprintTable& left, const engine::FingerprintTable* right, size_t index,
                   const join::JoinOptions& options, PairCollector& collector) {
  const engine::FingerprintTable::Column a = left.column(index);
  if (right == nullptr) {
    return join::self_join(a.values, options, [&](std::span<const join::Pair> pairs, int thread) {
      return collector.take(pairs, thread, a, a);
    });
  }
  const engine::FingerprintTable::Column b = right->column(index);
  return join::cross_join(a.values, b.values, options, [&](std::span<const join::Pair> pairs, int thread) {
    return collector.take(pairs, thread, a, b);
  });
}

Status join_all(const engine::FingerprintTable& left, const engine::FingerprintTable* right, uint64_t free_bytes,
                const PairsArguments& arguments, const Context& context, PairsOutput& output) {
  const int num_threads = resolve_num_threads(arguments.num_threads);
  PairCollector collector(num_threads, free_bytes / 2);
  const join::JoinOptions options{distance_of(arguments), num_threads, free_bytes / 2, context};
  const size_t num_columns = right != nullptr ? std::min(left.num_columns(), right->num_columns()) : left.num_columns();
  for (size_t column = 0; column < num_columns; ++column) {
    NEARDUP_TRY(join_column(left, right, column, options, collector));
  }
  for (const join::Pair& pair : collector.sorted()) {
    NEARDUP_TRY(
        output.add(left.id(pair.a), (right != nullptr ? *right : left).id(pair.b), static_cast<int>(pair.distance)));
  }
  return output.finish();
}

// Each document that does not stay, the one that stays in its place, and their distance.
Status write_clusters(const engine::FingerprintTable& file, uint64_t free_bytes, const PairsArguments& arguments,
                      const Context& context, PairsOutput& output) {
  if (file.num_columns() > 1) {
    return fail(
        Code::kInvalidArgument,
        fmt::format("--clusters takes documents with one fingerprint each, these have {}; use a recipe with one",
                    file.num_columns()));
  }
  if (file.num_columns() == 0) return output.finish();
  const engine::FingerprintTable::Column column = file.column(0);
  const join::JoinOptions options{distance_of(arguments), resolve_num_threads(arguments.num_threads), free_bytes / 2,
                                  context};
  const auto kind = arguments.clusters == Clusters::kStar ? join::ClusterKind::kStar : join::ClusterKind::kComponents;
  NEARDUP_ASSIGN(const auto kept, join::cluster_join(column.values, kind, options));
  for (size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == i) continue;
    NEARDUP_TRY(output.add(file.id(column.documents[i]), file.id(column.documents[kept[i]]),
                           fingerprint::distance(column.values[i], column.values[kept[i]])));
  }
  return output.finish();
}

Status run_in_memory(const PairsArguments& arguments, const Context& context, PairsOutput& output) {
  NEARDUP_ASSIGN(const engine::FingerprintTable left, engine::FingerprintTable::load(arguments.files[0], context));
  std::optional<engine::FingerprintTable> right;
  if (arguments.files.size() > 1) {
    NEARDUP_ASSIGN(right, engine::FingerprintTable::load(arguments.files[1], context));
    NEARDUP_TRY(check_recipes(arguments.files, left, *right));
  }
  NEARDUP_TRY(check_family(arguments, left));
  const uint64_t held_bytes = left.memory_bytes() + (right ? right->memory_bytes() : 0);
  if (held_bytes >= arguments.memory_bytes) {
    return fail(Code::kMemory, fmt::format("the fingerprints alone take {}; raise --memory or give --work DIR",
                                           human_bytes(static_cast<double>(held_bytes))));
  }
  const uint64_t free_bytes = arguments.memory_bytes - held_bytes;
  if (left.num_values() > 0) {
    if (arguments.clusters != Clusters::kNone) return engine::no_fingerprints(arguments.files[0]);
    if (right && right->num_values() == 0) return output.finish();
    NEARDUP_ASSIGN(const verify::Rule rule, rule_of_signatures(arguments.rule, left));
    return write_signature_pairs({left, right ? &*right : nullptr, rule, arguments.num_threads, free_bytes, context},
                                 output);
  }
  if (arguments.clusters != Clusters::kNone) return write_clusters(left, free_bytes, arguments, context, output);
  return join_all(left, right ? &*right : nullptr, free_bytes, arguments, context, output);
}

Status check_arguments(const PairsArguments& arguments) {
  if (arguments.files.empty())
    return fail(Code::kInvalidArgument, "FILE is missing: fingerprints, as neardup fingerprint writes them");
  if (arguments.rule && !arguments.work.empty())
    return fail(Code::kInvalidArgument, "--verify is about MinHash signatures, whose pairs are found without --work");
  if (arguments.raw && arguments.work.empty())
    return fail(Code::kInvalidArgument, "--raw needs --work DIR, a folder for what does not fit into memory");
  if (arguments.clusters != Clusters::kNone && (arguments.files.size() > 1 || !arguments.work.empty()))
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
  return write_pairs_on_disk({arguments.files, arguments.raw, distance_of(arguments), arguments.num_threads,
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
        {"neardup pairs old.bin new.bin --distance 3", "What is new and near something old."},
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
        "With --clusters a line is a document that does not stay, the one that stays in its place, and their distance. "
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
  flags.value({"--verify", "RULE",
               "Signatures: origin, jaccard:T with T from 0 to 1, code or code:T (of --recipe code, the default "
               "there), or none"},
              "origin", [arguments](const std::string& typed) -> Status {
                NEARDUP_ASSIGN(arguments->rule, verify::rule_from_string(typed));
                return {};
              });
  flags.choice<Clusters>({"--clusters", "", "Clusters instead of pairs"}, arguments->clusters,
                         {{"none", Clusters::kNone}, {"star", Clusters::kStar}, {"components", Clusters::kComponents}});
  flags.text_once({"-o,--output", "FILE", "Write to this file instead of standard output"}, arguments->output);
  flags.group("Running");
  flags.size({"--memory", "SIZE", "Limit of memory, such as 512M"}, arguments->memory_bytes);
  flags.text({"--work", "DIR", "Folder for what is larger than memory"}, arguments->work);
  flags.whole({"--threads", "N", "Threads; 0 is one for each core"}, arguments->num_threads, 0, 4096, "0");
  define_progress_flag(flags, arguments->progress);
  flags.config();
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
