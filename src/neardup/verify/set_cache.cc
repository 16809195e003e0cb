#include "neardup/verify/set_cache.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "neardup/base/hash.h"

namespace neardup::verify {
namespace {

// What a set takes in the list and in the map, allocator's headers included; measured with glibc.
constexpr uint64_t kEntryOverheadBytes = 160;

uint64_t cost_bytes(const ShingleSet& set) { return set.size_bytes() + kEntryOverheadBytes; }

// Small caches are not divided: a shard must hold a fair number of sets.
size_t num_shards_for(uint64_t budget_bytes) {
  constexpr uint64_t kShardBytes = uint64_t{4} << 20, kMostShards = 64;
  return std::bit_floor(std::clamp<uint64_t>(budget_bytes / kShardBytes, 1, kMostShards));
}

}  // namespace

SetCache::SetCache(int ngram_size, TokenSource source, uint64_t budget_bytes)
    : ngram_size_(ngram_size),
      source_(std::move(source)),
      shards_(num_shards_for(budget_bytes)),
      shard_budget_bytes_(budget_bytes / shards_.size()) {}

SetCache::Shard& SetCache::shard_of(uint32_t document) { return shards_[mix64(document) & (shards_.size() - 1)]; }

Result<SharedSet> SetCache::get(uint32_t document) {
  Shard& shard = shard_of(document);
  if (SharedSet set = look_up(shard, document)) return set;
  NEARDUP_ASSIGN(SharedSet set, build(document));
  return insert(shard, document, std::move(set));
}

Result<SharedSet> SetCache::build(uint32_t document) const {
  static thread_local std::vector<uint32_t> tokens;
  NEARDUP_TRY(source_(document, tokens));
  auto set = std::make_shared<const ShingleSet>(make_shingle_set(tokens, ngram_size_));
  constexpr size_t kKeepBytes = size_t{1} << 20;  // a giant text must not leave its memory behind in each thread
  if (tokens.capacity() * sizeof(uint32_t) > kKeepBytes) std::vector<uint32_t>().swap(tokens);
  return set;
}

SharedSet SetCache::look_up(Shard& shard, uint32_t document) const {
  const std::lock_guard lock(shard.mutex);
  const auto found = shard.positions.find(document);
  if (found == shard.positions.end()) {
    ++shard.stats.misses;
    return nullptr;
  }
  ++shard.stats.hits;
  shard.entries.splice(shard.entries.begin(), shard.entries, found->second);
  return found->second->set;
}

SharedSet SetCache::insert(Shard& shard, uint32_t document, SharedSet set) const {
  const uint64_t cost = cost_bytes(*set);
  if (cost > shard_budget_bytes_) return set;
  std::vector<SharedSet> evicted;  // freed after the lock
  const std::lock_guard lock(shard.mutex);
  if (const auto found = shard.positions.find(document); found != shard.positions.end()) return found->second->set;
  while (shard.stats.size_bytes + cost > shard_budget_bytes_) {
    Entry& oldest = shard.entries.back();
    shard.stats.size_bytes -= cost_bytes(*oldest.set);
    shard.positions.erase(oldest.document);
    evicted.push_back(std::move(oldest.set));
    shard.entries.pop_back();
  }
  shard.entries.push_front({document, set});
  shard.positions[document] = shard.entries.begin();
  shard.stats.size_bytes += cost;
  return set;
}

CacheStats SetCache::stats() const {
  CacheStats total;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    total.hits += shard.stats.hits;
    total.misses += shard.stats.misses;
    total.size_bytes += shard.stats.size_bytes;
  }
  return total;
}

}  // namespace neardup::verify
