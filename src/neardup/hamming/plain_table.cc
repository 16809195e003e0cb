// Whole keys: the records need to add nothing but documents. The directory gives a group of 32 to 64 keys,
// interpolation a place in it; from there the search doubles its steps, so a skewed group costs a few of them and not a
// scan. Bounds come from the directory, so a guess is never more than a hint.
#include "neardup/hamming/plain_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "neardup/hamming/section.h"

namespace neardup::hamming {

using fingerprint::AnyFingerprint;
using fingerprint::kBitsOf;

namespace {

// 32 to 64 keys a group: a directory that mostly stays in the caches, and a guess that is mostly off by less than a
// cache line of keys.
int group_bits_for(uint64_t num_keys) {
  constexpr int kLogGroup = 5, kMaxBits = 40;
  return std::clamp(static_cast<int>(std::bit_width(num_keys)) - 1 - kLogGroup, 0, kMaxBits);
}

uint64_t num_positions(int group_bits) { return (uint64_t{1} << group_bits) + 1; }

}  // namespace

template <AnyFingerprint F>
PlainTable<F> PlainTable<F>::build(std::span<const F> keys, const TableLayout& layout) {
  PlainTable table;
  table.prefix_bits_ = layout.prefix_bits;
  table.group_bits_ = group_bits_for(keys.size());
  table.keys_ = StoredArray<F>(keys.size());
  if (!keys.empty()) std::memcpy(table.keys_.data(), keys.data(), keys.size_bytes());
  table.directory_ = PackedPositions(num_positions(table.group_bits_), keys.size());
  uint64_t group = 0;
  for (uint64_t rank = 0; rank < keys.size(); ++rank) {
    for (const uint64_t last = table.group_of(keys[rank]); group <= last; ++group) table.directory_.set(group, rank);
  }
  for (; group < table.directory_.size(); ++group) table.directory_.set(group, keys.size());
  return table;
}

template <AnyFingerprint F>
Result<PlainTable<F>> PlainTable<F>::open(std::span<const TableSection> sections, const TableLayout& layout,
                                          uint64_t num_keys) {
  if (num_keys > UINT64_MAX / sizeof(F)) return fail(Code::kCorruption, "impossibly many keys");
  PlainTable table;
  table.prefix_bits_ = layout.prefix_bits;
  table.group_bits_ = group_bits_for(num_keys);
  const uint64_t positions = num_positions(table.group_bits_);
  NEARDUP_ASSIGN(const auto keys, find_section(sections, "keys", num_keys * sizeof(F)));
  NEARDUP_ASSIGN(const auto directory,
                 find_section(sections, "directory", PackedPositions::num_bytes(positions, num_keys)));
  table.keys_ = StoredArray<F>::of_bytes(keys);
  table.directory_ = PackedPositions::of_bytes(directory, positions, num_keys);
  if (table.directory_.ascend_to(num_keys)) return table;
  return fail(Code::kCorruption, "the directory of a table does not ascend");
}

template <AnyFingerprint F>
std::vector<TableSection> PlainTable<F>::sections() const {
  return {{"keys", keys_.bytes()}, {"directory", directory_.bytes()}};
}

// Keys within a group are taken for evenly spread: the place is that of the next 32 places among all their values.
template <AnyFingerprint F>
uint64_t PlainTable<F>::guess(F key) const {
  const uint64_t group = group_of(key);
  const uint64_t begin = directory_[group];
  const uint64_t next = static_cast<uint64_t>(static_cast<F>(key << group_bits_) >> (kBitsOf<F> - 32));
  return begin +
         static_cast<uint64_t>((static_cast<fingerprint::Fingerprint128>(directory_[group + 1] - begin) * next) >> 32);
}

template <AnyFingerprint F>
uint64_t PlainTable<F>::lower_bound_from(F key, uint64_t guess) const {
  const uint64_t group = group_of(key);
  return lower_bound_near(keys_.data(), directory_[group], directory_[group + 1], guess, key);
}

// The line before, too, where the guess is near its begin.
template <AnyFingerprint F>
void PlainTable<F>::prefetch_keys(uint64_t rank) const {
  constexpr uint64_t kOff = 16 / sizeof(F);
  if (size() == 0) return;
  __builtin_prefetch(keys_.data() + (rank - std::min(rank, kOff)));
  __builtin_prefetch(keys_.data() + rank + 2 * kOff);
}

template <AnyFingerprint F>
uint64_t PlainTable<F>::locate(F key) const {
  const uint64_t rank = guess(bucket_of(key).first);
  prefetch_keys(rank);
  return rank;
}

template <AnyFingerprint F>
std::pair<uint64_t, uint64_t> PlainTable<F>::ranks_of(const KeyRange<F>& range, uint64_t guess) const {
  const uint64_t begin = lower_bound_from(range.first, guess);
  if (begin == size() || keys_[begin] > range.last) return {begin, begin};
  if (range.last == static_cast<F>(~F{0})) return {begin, size()};  // nothing is beyond it
  return {begin, lower_bound_near<F>(keys_.data(), begin, size(), begin, range.last + 1)};
}

template <AnyFingerprint F>
void PlainTable<F>::collect(F key, uint64_t hint, int max_distance, std::vector<TableCandidate<F>>& out) const {
  const auto [begin, end] = ranks_of(bucket_of(key), hint);
  if (begin < end) scan_keys<F>({keys_.data() + begin, end - begin}, key, max_distance, begin, out);
}

template <AnyFingerprint F>
std::pair<uint64_t, uint64_t> PlainTable<F>::equal_range(F key, int places) const {
  const KeyRange<F> range(key, places);
  return ranks_of(range, guess(range.first));
}

template class PlainTable<fingerprint::Fingerprint>;
template class PlainTable<fingerprint::Fingerprint128>;
static_assert(TableCodec<PlainTable<fingerprint::Fingerprint>, fingerprint::Fingerprint>);
static_assert(TableCodec<PlainTable<fingerprint::Fingerprint128>, fingerprint::Fingerprint128>);

}  // namespace neardup::hamming
