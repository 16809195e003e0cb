// Grows with the distinct words of a corpus, so it is tight: up to four fifths full, grown by half, keys and counts
// apart (12 bytes a slot; a struct would be padded to 16). In 64 shards by the uppermost bits, so that only one of them
// stands twice while it grows. The shards are also 64 ranges of hashes: sorted one by one, they are the whole in order.
#include "neardup/feature/count_table.h"

#include <limits>
#include <random>

#include "neardup/feature/idf_impl.h"

namespace neardup::feature {
namespace {

constexpr size_t kFirstSlots = 64;

// Words are other people's. By a multiplier that nobody else knows, they cannot be chosen to meet in the table.
uint64_t random_multiplier() {
  std::random_device random;
  return (uint64_t{random()} << 32 | random()) | 1;
}

const uint64_t kMultiplier = random_multiplier();

void add_to(uint32_t& value, uint32_t count) {
  const uint32_t room = std::numeric_limits<uint32_t>::max() - value;
  value += std::min(room, count);
}

}  // namespace

void CountShard::prefetch(uint64_t hash) const {
  if (keys_.empty()) return;
  const size_t slot = home(hash);
  __builtin_prefetch(keys_.data() + slot, 1);
  __builtin_prefetch(counts_.data() + slot, 1);
}

void CountShard::add(uint64_t hash, uint32_t count) {
  if (hash == 0) return add_to(zero_count_, count);
  if ((size_ + 1) * 5 > keys_.size() * 4) grow();
  const size_t slot = find(hash);
  size_ += keys_[slot] == 0;
  keys_[slot] = hash;
  add_to(counts_[slot], count);
}

size_t CountShard::home(uint64_t hash) const {
  return scale_to_range(static_cast<uint32_t>((hash * kMultiplier) >> 32), keys_.size());
}

size_t CountShard::find(uint64_t hash) const {
  size_t slot = home(hash);
  while ((keys_[slot] != 0) & (keys_[slot] != hash)) slot = slot + 1 == keys_.size() ? 0 : slot + 1;
  return slot;
}

void CountShard::grow() {
  const std::vector<uint64_t> old_keys = std::move(keys_);
  const std::vector<uint32_t> old_counts = std::move(counts_);
  const size_t num_slots = std::max(kFirstSlots, old_keys.size() + old_keys.size() / 2);
  keys_.assign(num_slots, 0);
  counts_.assign(num_slots, 0);
  for (size_t i = 0; i < old_keys.size(); ++i) {
    if (old_keys[i] == 0) continue;
    const size_t slot = find(old_keys[i]);
    keys_[slot] = old_keys[i];
    counts_[slot] = old_counts[i];
  }
}

uint64_t CountTable::size() const {
  uint64_t sum = 0;
  for (const CountShard& shard : shards_) sum += shard.size();
  return sum;
}

uint64_t CountTable::memory_bytes() const {
  uint64_t sum = sizeof(*this);
  for (const CountShard& shard : shards_) sum += shard.memory_bytes();
  return sum;
}

}  // namespace neardup::feature
