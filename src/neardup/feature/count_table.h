// Counts by hash: the table behind IDF dictionaries and phrases.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace neardup::feature {

/// One hash and how often it was counted.
struct HashCount {
  uint64_t hash = 0;
  uint32_t count = 0;
};

/// A part of a CountTable that grows alone, so that growing needs little memory beside the table.
class CountShard {
 public:
  static constexpr int kBits = 6;  // the uppermost bits of a hash, which choose the shard

  void prefetch(uint64_t hash) const;
  void add(uint64_t hash, uint32_t count);
  [[nodiscard]] size_t size() const { return size_ + (zero_count_ > 0); }
  [[nodiscard]] size_t memory_bytes() const { return keys_.size() * (sizeof(uint64_t) + sizeof(uint32_t)); }
  template <class Visit>
  void for_each(const Visit& visit) const;

 private:
  [[nodiscard]] size_t home(uint64_t hash) const;
  [[nodiscard]] size_t find(uint64_t hash) const;
  void grow();

  std::vector<uint64_t> keys_;  // 0 = empty
  std::vector<uint32_t> counts_;
  size_t size_ = 0;
  uint32_t zero_count_ = 0;  // of the hash 0, which marks an empty slot
};

/// Counts of well-mixed hashes; a count stays at 2^32 - 1 when it gets there. Memory: 15 to 24 bytes per distinct hash.
/// Threads: one at a time. What it holds does not depend on the order of additions.
class CountTable {
 public:
  /// Adds `count` to the count of `hash`.
  void add(uint64_t hash, uint32_t count) { shard(hash).add(hash, count); }
  /// Starts to fetch the place of `hash` into the cache.
  void prefetch(uint64_t hash) const { shards_[hash >> (64 - CountShard::kBits)].prefetch(hash); }
  /// Takes everything out and gives the memory back.
  void clear() { shards_ = {}; }

  [[nodiscard]] uint64_t size() const;
  [[nodiscard]] uint64_t memory_bytes() const;

  /// Calls visit(hash, count) for each hash, in no particular order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const CountShard& shard : shards_) shard.for_each(visit);
  }
  /// Calls visit(const std::vector<HashCount>&) for 64 parts one after the other: all hashes in ascending order.
  /// `visit` returns a Status; the first error ends it and is returned. Memory: a 64th of the table.
  template <class Visit>
  auto for_each_sorted_part(const Visit& visit) const -> decltype(visit(std::vector<HashCount>()));

 private:
  CountShard& shard(uint64_t hash) { return shards_[hash >> (64 - CountShard::kBits)]; }

  std::array<CountShard, size_t{1} << CountShard::kBits> shards_;
};

template <class Visit>
void CountShard::for_each(const Visit& visit) const {
  if (zero_count_ > 0) visit(uint64_t{0}, zero_count_);
  for (size_t slot = 0; slot < keys_.size(); ++slot) {
    if (keys_[slot] != 0) visit(keys_[slot], counts_[slot]);
  }
}

template <class Visit>
auto CountTable::for_each_sorted_part(const Visit& visit) const -> decltype(visit(std::vector<HashCount>())) {
  std::vector<HashCount> part;
  for (const CountShard& shard : shards_) {
    part.clear();
    part.reserve(shard.size());
    shard.for_each([&part](uint64_t hash, uint32_t count) { part.push_back({hash, count}); });
    std::sort(part.begin(), part.end(), [](const HashCount& a, const HashCount& b) { return a.hash < b.hash; });
    if (auto status = visit(std::as_const(part)); !status) return status;
  }
  return {};
}

}  // namespace neardup::feature
