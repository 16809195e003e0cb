// The n-gram sets of recently compared documents, within a byte budget.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "neardup/verify/rule.h"
#include "neardup/verify/shingles.h"
#include "neardup/verify/verifier.h"

namespace neardup::verify {

using SharedSet = std::shared_ptr<const ShingleSet>;

/// Sets go out in turn, but one that was used since its last turn stays for another (CLOCK: Corbato, A paging
/// experiment with the Multics system, 1968), so that a hit writes one byte and moves nothing. In shards with a lock
/// each. Sets are built outside the locks; two threads that miss the same document at once may both build it, and the
/// first one stays.
/// Threads: all members from many at once.
class SetCache {
 public:
  /// Sets are what `rule` looks at.
  SetCache(const Rule& rule, TokenSource source, uint64_t budget_bytes);

  /// Verifier::leave_out().
  void leave_out(std::vector<uint32_t> common) { common_ = std::move(common); }

  /// Returns the set of `document`; it stays valid as long as it is held. Errors: what the source returns.
  [[nodiscard]] Result<SharedSet> get(uint32_t document);
  [[nodiscard]] CacheStats stats() const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Entry {
    uint32_t document = 0;
    uint32_t next = kNone;  // entry with the same chain
    bool used = false;      // since its last turn
    SharedSet set;          // null where the entry is free
  };
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    std::vector<uint32_t> chains = {kNone};  // by hash: the first entry; a power of two of them, at least one an entry
    std::vector<Entry> entries;
    std::vector<uint32_t> free;  // entries
    uint32_t hand = 0;           // the entry whose turn is next
    CacheStats stats;

    [[nodiscard]] uint32_t& chain_of(uint32_t document);
    [[nodiscard]] uint32_t find(uint32_t document);
    void add(uint32_t document, SharedSet set);
    [[nodiscard]] SharedSet evict();
    void grow_chains();
  };

  [[nodiscard]] Shard& shard_of(uint32_t document);
  [[nodiscard]] Result<SharedSet> build(uint32_t document) const;
  [[nodiscard]] SharedSet look_up(Shard& shard, uint32_t document) const;
  [[nodiscard]] SharedSet insert(Shard& shard, uint32_t document, SharedSet set) const;

  Rule rule_;
  TokenSource source_;
  std::vector<uint32_t> common_;  // is in no set
  std::vector<Shard> shards_;     // a power of two of them
  uint64_t shard_budget_bytes_;
};

}  // namespace neardup::verify
