// The paper's tables: fewest bytes of whole keys, more steps. A block of 64 keys is a whole first key, found by a small
// plain table, and 63 differences that can only be read from the begin. A probe therefore reads its bucket's blocks
// from their begin to the bucket's end: for media where bytes cost more than steps (docs/design/planner.md); in memory
// the packed table is smaller and faster.
// Invariant: block b holds ranks 64 b to 64 b + 63, so a rank needs no table.
#include "neardup/hamming/delta_table.h"

#include <algorithm>
#include <array>

#include "neardup/hamming/section.h"

namespace neardup::hamming {

using fingerprint::AnyFingerprint;

namespace {

template <AnyFingerprint F>
std::span<const F> block_of_keys(std::span<const F> keys, uint64_t block) {
  const uint64_t begin = block * DeltaTable<F>::kBlock;
  return keys.subspan(begin, std::min(DeltaTable<F>::kBlock, keys.size() - begin));
}

// Goes to the first key that is not below `key`; returns its place in the block, `count` where there is none.
template <AnyFingerprint F>
uint64_t skip_below(DeltaReader<F>& reader, uint64_t count, F key) {
  uint64_t place = 0;
  while (place < count && reader.key() < key) {
    if (++place < count && !reader.next()) return count;
  }
  return place;
}

// Reads on to the last of `left` keys that is not above `last`; returns how many.
template <AnyFingerprint F>
uint64_t read_up_to(DeltaReader<F>& reader, uint64_t left, F last, F* keys) {
  uint64_t num_keys = 0;
  while (num_keys < left && reader.key() <= last) {
    keys[num_keys++] = reader.key();
    if (num_keys < left && !reader.next()) break;
  }
  return num_keys;
}

}  // namespace

template <AnyFingerprint F>
DeltaTable<F> DeltaTable<F>::build(std::span<const F> keys, const TableLayout& layout) {
  DeltaTable table;
  table.size_ = keys.size();
  table.prefix_bits_ = layout.prefix_bits;
  const uint64_t num_blocks = (keys.size() + kBlock - 1) / kBlock;
  std::vector<F> heads;
  std::vector<DeltaWidths> widths;
  uint64_t num_bytes = 0;
  // Once for the widths: the bytes are known before the first is written.
  for (uint64_t block = 0; block < num_blocks; ++block) {
    const std::span<const F> own = block_of_keys(keys, block);
    heads.push_back(own[0]);
    widths.push_back(delta_widths(own));
    num_bytes += widths.back().num_bytes;
  }
  table.heads_ = PlainTable<F>::build(heads, layout);
  table.offsets_ = PackedPositions(num_blocks + 1, num_bytes);
  table.differences_ = StoredArray<uint8_t>(num_bytes + DeltaReader<F>::kPadding);
  uint64_t offset = 0;
  for (uint64_t block = 0; block < num_blocks; ++block) {
    table.offsets_.set(block, offset);
    write_delta_block(block_of_keys(keys, block), widths[block], table.differences_.data() + offset);
    offset += widths[block].num_bytes;
  }
  table.offsets_.set(num_blocks, offset);
  return table;
}

template <AnyFingerprint F>
Result<DeltaTable<F>> DeltaTable<F>::open(std::span<const TableSection> sections, const TableLayout& layout,
                                          uint64_t num_keys) {
  constexpr uint64_t kPadding = DeltaReader<F>::kPadding;
  const uint64_t num_blocks = num_keys / kBlock + (num_keys % kBlock != 0);
  DeltaTable table;
  table.size_ = num_keys;
  table.prefix_bits_ = layout.prefix_bits;
  NEARDUP_ASSIGN(table.heads_, PlainTable<F>::open(sections, layout, num_blocks));
  NEARDUP_ASSIGN(const auto differences, find_section(sections, "differences"));
  if (differences.size() < kPadding) {
    return fail(Code::kCorruption, "section 'differences' is cut short");
  }
  const uint64_t num_bytes = differences.size() - kPadding;
  NEARDUP_ASSIGN(const auto offsets,
                 find_section(sections, "offsets", PackedPositions::num_bytes(num_blocks + 1, num_bytes)));
  table.differences_ = StoredArray<uint8_t>::of_bytes(differences);
  table.offsets_ = PackedPositions::of_bytes(offsets, num_blocks + 1, num_bytes);
  if (table.offsets_.ascend_to(num_bytes)) return table;
  return fail(Code::kCorruption, "the blocks of a table do not ascend");
}

template <AnyFingerprint F>
std::vector<TableSection> DeltaTable<F>::sections() const {
  std::vector<TableSection> all = heads_.sections();
  all.push_back({"offsets", offsets_.bytes()});
  all.push_back({"differences", differences_.bytes()});
  return all;
}

// The block that holds the first key that is not below `key`, or the one before it.
template <AnyFingerprint F>
uint64_t DeltaTable<F>::block_of(F key) const {
  const uint64_t block = heads_.lower_bound(key);
  if (block == 0 || (block < heads_.size() && heads_.key_at(block) == key)) return block;
  return block - 1;
}

template <AnyFingerprint F>
DeltaReader<F> DeltaTable<F>::reader(uint64_t block) const {
  return {differences_.data(), offsets_[block], offsets_[block + 1], heads_.key_at(block)};
}

template <AnyFingerprint F>
uint64_t DeltaTable<F>::locate(F key) const {
  constexpr uint64_t kLine = 64, kMaxLines = 8;
  const uint64_t block = block_of(KeyRange<F>(key, prefix_bits_).first);
  if (block == heads_.size()) return block;
  const uint64_t begin = offsets_[block], end = std::min(offsets_[block + 1], begin + kMaxLines * kLine);
  for (uint64_t at = begin; at < end + kLine; at += kLine) __builtin_prefetch(differences_.data() + at);
  return block;
}

template <AnyFingerprint F>
void DeltaTable<F>::collect(F key, uint64_t hint, int max_distance, std::vector<TableCandidate<F>>& out) const {
  const KeyRange<F> bucket(key, prefix_bits_);
  std::array<F, kBlock> keys;
  for (uint64_t block = hint; block < heads_.size() && heads_.key_at(block) <= bucket.last; ++block) {
    DeltaReader<F> values = reader(block);
    const uint64_t count = keys_in(block), begin = skip_below(values, count, bucket.first);
    const uint64_t found = read_up_to(values, count - begin, bucket.last, keys.data());
    if (found > 0) scan_keys<F>({keys.data(), found}, key, max_distance, block * kBlock + begin, out);
    // The block holds a key beyond the bucket.
    if (begin + found < count) return;
  }
}

template <AnyFingerprint F>
uint64_t DeltaTable<F>::lower_bound(F key) const {
  const uint64_t block = block_of(key);
  if (block == heads_.size()) return size_;
  DeltaReader<F> values = reader(block);
  return block * kBlock + skip_below(values, keys_in(block), key);
}

// Reads one block where the range ends in the one in which it begins.
template <AnyFingerprint F>
std::pair<uint64_t, uint64_t> DeltaTable<F>::equal_range(F key, int places) const {
  const KeyRange<F> range(key, places);
  const uint64_t block = block_of(range.first);
  if (block == heads_.size()) return {size_, size_};
  DeltaReader<F> values = reader(block);
  const uint64_t count = keys_in(block), begin = skip_below(values, count, range.first);
  uint64_t end = begin;
  while (end < count && values.key() <= range.last) {
    if (++end < count && !values.next()) break;
  }
  const uint64_t first = block * kBlock;
  const bool last_block = block + 1 == heads_.size();
  if (end < count || last_block || heads_.key_at(block + 1) > range.last) return {first + begin, first + end};
  // No key follows the last one.
  if (range.last == static_cast<F>(~F{0})) return {first + begin, size_};
  return {first + begin, std::max(first + end, lower_bound(range.last + 1))};
}

template <AnyFingerprint F>
void DeltaTable<F>::read_keys(uint64_t first, std::span<F> keys) const {
  while (!keys.empty()) {
    DeltaReader<F> values = reader(first / kBlock);
    const uint64_t begin = first % kBlock, count = std::min<uint64_t>(kBlock - begin, keys.size());
    for (uint64_t i = 0; i < begin; ++i) values.next();
    for (uint64_t i = 0; i < count; ++i) {
      keys[i] = values.key();
      if (i + 1 < count) values.next();
    }
    first += count;
    keys = keys.subspan(count);
  }
}

template <AnyFingerprint F>
F DeltaTable<F>::key_at(uint64_t rank) const {
  DeltaReader<F> values = reader(rank / kBlock);
  for (uint64_t left = rank % kBlock; left > 0 && values.next(); --left) {
  }
  return values.key();
}

template class DeltaTable<fingerprint::Fingerprint>;
template class DeltaTable<fingerprint::Fingerprint128>;
static_assert(TableCodec<DeltaTable<fingerprint::Fingerprint>, fingerprint::Fingerprint>);
static_assert(TableCodec<DeltaTable<fingerprint::Fingerprint128>, fingerprint::Fingerprint128>);

}  // namespace neardup::hamming
