// Candidates come sorted by the worse document, so a document is compared with all of its better ones in a row, and
// those recur (docs/design/verification.md). Every comparison asks the cache twice, so a hit must be cheap: a lock of
// its shard, a walk of a chain and one byte.
// Invariants: a shard holds no more than its share of the budget; what is larger than a share is never kept; a set
// lives as long as somebody holds it, in the cache or not.
#include "neardup/verify/set_cache.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "neardup/base/hash.h"
#include "neardup/base/per_thread.h"
#include "neardup/base/undo.h"
#include "neardup/verify/common_code.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/lists.h"
#include "neardup/verify/numbers.h"
#include "neardup/verify/subject.h"
#include "neardup/verify/turned.h"

namespace neardup::verify {
namespace {

// What a set takes besides itself at most: entry and chain in arrays that may be half empty, allocator's headers.
constexpr uint64_t kEntryOverheadBytes = 160;

uint64_t cost_bytes(const ShingleSet& set) { return set.size_bytes() + kEntryOverheadBytes; }

// Small caches are not divided: a shard must hold a fair number of sets.
size_t num_shards_for(uint64_t budget_bytes) {
  constexpr uint64_t kShardBytes = uint64_t{4} << 20, kMostShards = 64;
  return std::bit_floor(std::clamp<uint64_t>(budget_bytes / kShardBytes, 1, kMostShards));
}

}  // namespace

SetCache::SetCache(const Rule& rule, TokenSource source, uint64_t budget_bytes)
    : rule_(rule),
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
  // Kept by each thread: one allocation for all texts.
  static PerThread<std::vector<uint32_t>> buffers;
  std::vector<uint32_t>& tokens = buffers.get();
  NEARDUP_TRY(source_(document, tokens));
  auto set = std::make_shared<ShingleSet>(
      rule_.kind == Rule::Kind::kCode ? make_code_set(tokens) : make_shingle_set(tokens, ngram_size(rule_)));
  set->num_tokens = static_cast<uint32_t>(tokens.size());
  if (!common_.empty()) set->hashes = without_common(std::move(set->hashes), common_);
  if (rule_.kind == Rule::Kind::kContent) {
    collect_numbers(tokens, set->numbers);
    find_names(tokens, set->names);
    place_turning(tokens, set->turning);
    set->is_list = is_list(tokens);
    set->weights = std::make_shared<NgramWeights>();
  }
  if (rule_.templates) place_numbers(tokens, set->numbers);
  constexpr size_t kKeepBytes = size_t{1} << 20;  // a giant text must not leave its memory behind in each thread
  if (tokens.capacity() * sizeof(uint32_t) > kKeepBytes) std::vector<uint32_t>().swap(tokens);
  return set;
}

// The upper half of the hash: the lower one chose the shard.
uint32_t& SetCache::Shard::chain_of(uint32_t document) { return chains[mix64(document) >> 32 & (chains.size() - 1)]; }

uint32_t SetCache::Shard::find(uint32_t document) {
  uint32_t entry = chain_of(document);
  while (entry != kNone && entries[entry].document != document) entry = entries[entry].next;
  return entry;
}

void SetCache::Shard::add(uint32_t document, SharedSet set) {
  if (free.empty()) {
    if (entries.size() == chains.size()) grow_chains();
    entries.emplace_back();
    Undo undo([this] { entries.pop_back(); });
    free.push_back(static_cast<uint32_t>(entries.size() - 1));
    undo.keep();
  }
  const uint32_t entry = free.back();
  free.pop_back();
  stats.size_bytes += cost_bytes(*set);
  uint32_t& chain = chain_of(document);
  entries[entry] = {document, chain, false, std::move(set)};
  chain = entry;
}

void SetCache::Shard::grow_chains() {
  chains.assign(2 * chains.size(), kNone);
  for (uint32_t entry = 0; entry < entries.size(); ++entry) {
    if (entries[entry].set) entries[entry].next = std::exchange(chain_of(entries[entry].document), entry);
  }
}

// Takes out the next entry whose turn passes without use. There must be one.
SharedSet SetCache::Shard::evict() {
  while (true) {
    const uint32_t turn = hand;
    hand = hand + 1 < entries.size() ? hand + 1 : 0;
    Entry& entry = entries[turn];
    if (!entry.set || std::exchange(entry.used, false)) continue;
    free.push_back(turn);  // what may be refused comes first
    uint32_t* link = &chain_of(entry.document);
    while (*link != turn) link = &entries[*link].next;
    *link = entry.next;
    stats.size_bytes -= cost_bytes(*entry.set);
    return std::move(entry.set);
  }
}

SharedSet SetCache::look_up(Shard& shard, uint32_t document) const {
  const std::lock_guard lock(shard.mutex);
  const uint32_t found = shard.find(document);
  if (found == kNone) {
    ++shard.stats.misses;
    return nullptr;
  }
  ++shard.stats.hits;
  shard.entries[found].used = true;
  return shard.entries[found].set;
}

SharedSet SetCache::insert(Shard& shard, uint32_t document, SharedSet set) const {
  const uint64_t cost = cost_bytes(*set);
  if (cost > shard_budget_bytes_) return set;
  std::vector<SharedSet> evicted;  // freed after the lock
  const std::lock_guard lock(shard.mutex);
  if (const uint32_t found = shard.find(document); found != kNone) return shard.entries[found].set;
  // There is one to take out: the set alone would fit.
  while (shard.stats.size_bytes + cost > shard_budget_bytes_) evicted.push_back(shard.evict());
  shard.add(document, set);
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
