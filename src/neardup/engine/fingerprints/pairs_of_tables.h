// All pairs of what stands for documents in memory, of either family: what `neardup pairs` finds without a work folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/cluster/cluster_join.h"
#include "neardup/engine/fingerprints/pair_receiver.h"
#include "neardup/engine/fingerprints/table.h"
#include "neardup/verify/rule.h"

namespace neardup::engine {

inline constexpr int kUsualPairDistance = 3;

struct TablePairs {
  std::vector<std::string> names;  // of the tables, for messages
  const FingerprintTable& left;
  const FingerprintTable* right = nullptr;  // null: pairs within `left`
  std::optional<int> max_distance = {};     // of fingerprints; empty: kUsualPairDistance
  std::optional<verify::Rule> rule = {};    // of signatures; empty: the one that dedup takes by itself
  std::optional<cluster::ClusterKind> clusters = {};
  int num_threads = 0;
  uint64_t memory_bytes = uint64_t{4} << 30;  // with what the tables take
  Context context = {};
};

/// Hands on the pairs of the tables' family, as find_pairs(), find_clusters() and find_signature_pairs() do. Errors:
/// theirs, and those of check_comparable(); kInvalidArgument where the distance, the rule or the clusters are not of
/// that family, or clusters are asked for between two tables; kMemory where the tables alone take more.
[[nodiscard]] Status find_table_pairs(const TablePairs& job, PairReceiver& receiver);

}  // namespace neardup::engine
