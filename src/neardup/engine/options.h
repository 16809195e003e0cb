// What a deduplication run can be asked to do: one struct for the command line, configuration files and bindings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/cluster/cluster_join.h"
#include "neardup/cluster/keep_rule.h"
#include "neardup/corpus/corpus.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/fingerprint/checksum.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/rule.h"

namespace neardup::engine {

/// What is written for the documents that stay and those that go.
enum class Mode {
  kRemove,    // kept/: the inputs without the removed documents
  kAnnotate,  // annotated/: all documents, with the members "neardup_duplicate_of" and "neardup_cluster" added (JSONL
              // only)
  kIds,       // kept_ids.txt alone: the ids of the kept documents, one a line
};

using cluster::ClusterKind;  // --cluster
/// Return the words of the command line: "remove", "annotate", "ids"; "star", "components".
[[nodiscard]] std::string to_string(Mode mode);
[[nodiscard]] std::string to_string(ClusterKind kind);
/// Errors: kInvalidArgument for another word than those of the command line.
[[nodiscard]] Result<ClusterKind> cluster_kind_from_string(std::string_view word);

/// What stands for a document: see family.h.
enum class FamilyChoice { kAuto, kSimHash, kMinHash };

/// How many values of the group field are told apart.
struct GroupLimit {
  uint64_t num_values = 65536;           // those that come later count together: a table in a report is for people
  uint64_t memory_bytes = ~uint64_t{0};  // values that take more are an error (kMemory)
};

struct DedupOptions {
  std::vector<std::string> inputs;      // files, folders, globs; "-" = standard input
  std::vector<std::string> references;  // likewise: read only; inputs are reduced against them. One may be a store
  std::string into;                     // a store: inputs are reduced against it, and what is kept becomes part of it
  std::string output;                   // folder; created
  std::string temp;                     // folder for the files of the work; created; empty: in `output`
  corpus::DiscoverOptions discover;
  corpus::ReadOptions read;
  recipe::Recipe recipe = recipe::default_recipe();
  bool recipe_is_given = false;  // else a store's may take its place; another one than the default is given in any case
  FamilyChoice family = FamilyChoice::kAuto;
  std::string idf_file;  // where recipe.idf is "file"
  fingerprint::Checksum checksum = fingerprint::Checksum::kXxh3;
  GroupLimit groups;
  std::optional<int> distance;  // of SimHash; empty = auto: from the number of documents
  uint64_t num_documents = 2;   // of a pair that is explained: about how many the run has, for --distance auto
  verify::Rule verify;
  std::string commonness_file;             // of the rule content: counts of another run; empty = learnt from this one
  bool verify_is_given = false;            // else the rule may follow the recipe: settle_rule()
  std::optional<double> size_within = {};  // pairs whose sizes differ by more than this share of the larger are none
  // Documents of which another one holds this share of the tokens (.5 to 1) are removed for it; none: nobody
  // looks for them.
  std::optional<double> contained = {};
  cluster::KeepRule keep;
  ClusterKind cluster = ClusterKind::kStar;
  Mode mode = Mode::kRemove;
  bool write_pairs = false;  // pairs.jsonl: every verified pair
  uint64_t memory_bytes = uint64_t{4} << 30;
  int num_threads = 0;             // 0 = all cores
  std::optional<int> shard_index;  // with shard_count: only fingerprint this part, for a later merge
  int shard_count = 0;
  bool merge_shards = false;    // take the parts of all `shard_count` shards instead of reading again
  bool resume = false;          // go on where an earlier run with the same inputs and options stopped
  bool overwrite = false;       // replace the results of another run in `output`
  bool strict = false;          // the first rejected record is an error
  std::string reference_store;  // the one of `references` that is a store: the run sets it, and leaves it out there
  bool commonness_is_stored = false;  // the counts are a store's, or will be: the run sets it
  std::string command;                // as typed, for the report
  std::string explain_flags;  // " --recipe FILE" and the like: what explain must be told, for the commands in warnings
};

/// Takes the rule `code` where options.verify is as it was made, none is given, and the recipe's tokens are of source
/// code.
void settle_rule(DedupOptions& options);

/// Errors: kInvalidArgument where a distance is given that is not from 0 to fingerprint::kMaxDistance.
[[nodiscard]] Status check_distance(const DedupOptions& options);

/// Errors: kInvalidArgument where `rule` cannot be asked for, or takes what `recipe` throws away.
[[nodiscard]] Status check_rule(const verify::Rule& rule, const recipe::Recipe& recipe);

/// Errors: kInvalidArgument where a file says how common n-grams are, and the rule does not weigh them.
[[nodiscard]] Status check_commonness(const DedupOptions& options);

/// Errors: kInvalidArgument where options.contained is out of range, or does not go with the rest.
[[nodiscard]] Status check_contained(const DedupOptions& options);

/// Returns how many threads may hold a batch each, as it is read or written again, within the share of `use` (kBatches
/// or kKeptFiles): options.num_threads (0 = all cores) or fewer. `longest_record`: of the records in the batches, where
/// that is known, and `num_documents` likewise.
[[nodiscard]] int num_batch_threads(const DedupOptions& options, MemoryUse use = MemoryUse::kBatches,
                                    uint64_t longest_record = 0, uint64_t num_documents = 0);

/// Returns how the memory of such a run is divided.
[[nodiscard]] MemoryPlan memory_plan(const DedupOptions& options, uint64_t num_documents = 0);

}  // namespace neardup::engine
