#include "neardup/engine/fingerprints/pairs_in_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "neardup/base/threads.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"
#include "neardup/recipe/recipe_words.h"

namespace neardup::engine {
namespace {

/// Collects pairs of documents from joins of several columns, within a budget.
class PairCollector {
 public:
  PairCollector(int num_threads, uint64_t budget_bytes)
      : by_thread_(static_cast<size_t>(num_threads)), budget_bytes_(budget_bytes) {}

  /// Takes pairs of positions in two columns. Threads: any, `thread` tells them apart.
  Status take(std::span<const join::Pair> pairs, int thread, const FingerprintTable::Column& left,
              const FingerprintTable::Column& right) {
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

/// What stands for each document of a file, in words.
std::string shape_of(const FingerprintTable& file) {
  if (file.num_values() > 0) return fmt::format("signatures of {} values", file.num_values());
  return fmt::format("{} fingerprint{} a document", file.num_columns(), file.num_columns() == 1 ? "" : "s");
}

Status join_column(const FingerprintTable& left, const FingerprintTable* right, size_t index,
                   const join::JoinOptions& options, PairCollector& collector) {
  const FingerprintTable::Column a = left.column(index);
  if (right == nullptr) {
    return join::self_join(a.values, options, [&](std::span<const join::Pair> pairs, int thread) {
      return collector.take(pairs, thread, a, a);
    });
  }
  const FingerprintTable::Column b = right->column(index);
  return join::cross_join(a.values, b.values, options, [&](std::span<const join::Pair> pairs, int thread) {
    return collector.take(pairs, thread, a, b);
  });
}

}  // namespace

Status find_pairs(const MemoryPairs& job, PairReceiver& receiver) {
  const int num_threads = resolve_num_threads(job.num_threads);
  const MemoryPlan plan(job.memory_bytes);
  PairCollector collector(num_threads, plan.bytes_of(MemoryUse::kListedPairs));
  const join::JoinOptions options{job.max_distance, num_threads, plan.bytes_of(MemoryUse::kPairsJoin), job.context};
  size_t num_columns = job.left.num_columns();
  if (job.right != nullptr) num_columns = std::min(num_columns, job.right->num_columns());
  for (size_t column = 0; column < num_columns; ++column)
    NEARDUP_TRY(join_column(job.left, job.right, column, options, collector));
  const FingerprintTable& others = job.right != nullptr ? *job.right : job.left;
  for (const join::Pair& pair : collector.sorted())
    NEARDUP_TRY(receiver.add(job.left.id(pair.a), others.id(pair.b), static_cast<int>(pair.distance)));
  return receiver.finish();
}

Status find_clusters(const MemoryPairs& job, cluster::ClusterKind kind, PairReceiver& receiver) {
  const FingerprintTable& file = job.left;
  if (file.num_columns() > 1) {
    return fail(
        Code::kInvalidArgument,
        fmt::format("--clusters takes documents with one fingerprint each, these have {}; use a recipe with one",
                    file.num_columns()));
  }
  if (file.num_columns() == 0) return receiver.finish();
  const FingerprintTable::Column column = file.column(0);
  const join::JoinOptions options{job.max_distance, resolve_num_threads(job.num_threads),
                                  MemoryPlan(job.memory_bytes).bytes_of(MemoryUse::kPairsJoin), job.context};
  NEARDUP_ASSIGN(const auto kept, cluster::cluster_join(column.values, kind, options));
  for (size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == i) continue;
    NEARDUP_TRY(receiver.add(file.id(column.documents[i]), file.id(column.documents[kept[i]]),
                             fingerprint::distance(column.values[i], column.values[kept[i]])));
  }
  return receiver.finish();
}

Status check_comparable(const std::vector<std::string>& names, const FingerprintTable& left,
                        const FingerprintTable& right) {
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

}  // namespace neardup::engine
