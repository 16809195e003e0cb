// Says of two groups whether the one contains the other: the decision of --contained.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/cluster/assignment.h"
#include "neardup/engine/match/contained/length_order.h"
#include "neardup/engine/match/long_pairs.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/join/disk/shared_keys.h"
#include "neardup/verify/held.h"
#include "neardup/verify/run_index_cache.h"

namespace neardup::engine {

/// What tells a passage of the document of `row`: documents of another value of the --within field have none of its
/// passages, so that what is common is so among those of one value.
[[nodiscard]] inline uint64_t key_of(const feature::Passage& passage, const Row& row) {
  return passage.hash ^ row.within;
}

/// Whether `longer` may stand for `shorter` at all, whatever their texts: it is longer (verify::is_longer()), their
/// values of the --within field are equal, and the keep rule does not rank `shorter` before it by its key, or it is a
/// reference.
[[nodiscard]] bool may_contain(const Documents& documents, const ExactGroups& groups, uint32_t longer, uint32_t shorter,
                               double asked);

/// Threads: all members from many at once.
class HeldComparer {
 public:
  /// All references must outlive it.
  HeldComparer(const Documents& documents, const ExactGroups& groups, const Followers& followers, double asked,
               const MemoryPlan& plan, int num_threads, const Context& context);
  /// From now on the passages that are common in `passages`, which must outlive it, are left out.
  void leave_out(const join::SharedKeys& passages) { passages_ = &passages; }

  /// Whether group `longer` contains group `shorter`, and the share that it holds. Errors: those of reading tokens,
  /// kCancelled.
  [[nodiscard]] Result<cluster::Likeness> compare(uint32_t longer, uint32_t shorter);
  /// Whether `shorter` can go for `longer`: this one contains it and each of its followers; the share is that of
  /// `shorter`. Counted.
  [[nodiscard]] Result<cluster::Likeness> compare_all(uint32_t longer, uint32_t shorter);
  [[nodiscard]] uint64_t num_verified() const { return num_verified_; }

 private:
  // The longer one, whose runs are looked up, or whose tokens are read where these are too many to be kept.
  struct Longer {
    uint64_t num_tokens = 0;
    verify::SharedRunIndex runs;
    std::vector<uint32_t> tokens;
  };
  Result<Longer> longer_of(uint32_t group);
  Result<cluster::Likeness> compare_with(const Longer& longer, uint32_t shorter) const;

  const Documents& documents_;
  const ExactGroups& groups_;
  const Followers& followers_;
  const double asked_;
  const Context& context_;
  const join::SharedKeys* passages_ = nullptr;
  LongPairs long_pairs_;
  verify::RunIndexCache indexes_;  // by groups
  std::atomic<uint64_t> num_verified_{0};
};

}  // namespace neardup::engine
