// The n-gram sets of recently compared documents, within a byte budget.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "neardup/verify/shingles.h"
#include "neardup/verify/verify.h"

namespace neardup::verify {

using SharedSet = std::shared_ptr<const ShingleSet>;

/// Least recently used out first, in shards with a lock each. Sets are built outside the locks; two threads that miss
/// the same document at once may both build it, and the first one stays.
/// Threads: all members from many at once.
class SetCache {
 public:
  SetCache(int ngram_size, TokenSource source, uint64_t budget_bytes);

  /// Returns the set of `document`; it stays valid as long as it is held. Errors: what the source returns.
  [[nodiscard]] Result<SharedSet> get(uint32_t document);
  [[nodiscard]] CacheStats stats() const;

 private:
  struct Entry {
    uint32_t document;
    SharedSet set;
  };
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    std::list<Entry> entries;  // most recently used first
    std::unordered_map<uint32_t, std::list<Entry>::iterator> positions;
    CacheStats stats;
  };

  [[nodiscard]] Shard& shard_of(uint32_t document);
  [[nodiscard]] Result<SharedSet> build(uint32_t document) const;
  [[nodiscard]] SharedSet look_up(Shard& shard, uint32_t document) const;
  [[nodiscard]] SharedSet insert(Shard& shard, uint32_t document, SharedSet set) const;

  int ngram_size_;
  TokenSource source_;
  std::vector<Shard> shards_;  // a power of two of them
  uint64_t shard_budget_bytes_;
};

}  // namespace neardup::verify
