// Any set can be stored, but only random-looking ones are small: of those the begin of each group is within a byte of
// where even groups would put it. A block whose groups are not has its begins in full in a list, and keeps its place in
// the row of blocks, so a look-up is one multiplication and one line either way.
// 55 groups and not 64: with the begin and the size beside them they are one line of memory. Groups of 2^n with the
// begin apart took two (bench/DEAD_ENDS.md). docs/design/hamming_index.md, "The packed table".
#include "neardup/hamming/packed_directory.h"

#include <algorithm>
#include <cstring>

#include "neardup/hamming/section.h"

namespace neardup::hamming {
namespace {

size_t blocks_for(int bits) { return ((size_t{1} << bits) + PackedDirectory::kBlock - 1) / PackedDirectory::kBlock; }

}  // namespace

PackedDirectory::PackedDirectory(int bits) : blocks_(blocks_for(bits)), pending_(std::make_shared<Pending>()) {}

void PackedDirectory::set_block(size_t number, std::span<const uint64_t> begins) {
  const uint64_t begin = begins.front(), size = begins.back() - begin;
  Block& block = blocks_.data()[number];
  bool even = size < kUneven;
  for (uint32_t place = 0; place <= kBlock; ++place) {
    const auto shift = static_cast<int64_t>(begins[place] - begin - even_shift(size, place));
    // Written all the same where it does not fit; nobody reads it then.
    even = even && shift >= INT8_MIN && shift <= INT8_MAX;
    block.shifts[place] = static_cast<int8_t>(shift);
  }
  block.head = begin | (even ? size : kUneven) << kBeginBits;
  if (even) return;
  std::vector<uint32_t> list;
  for (const uint64_t at : begins) list.push_back(static_cast<uint32_t>(at - begin));
  const std::lock_guard lock(pending_->mutex);
  pending_->lists[number] = std::move(list);
}

void PackedDirectory::finish() {
  uneven_ = StoredArray<uint32_t>(pending_->lists.size() * (kBlock + 1));
  // By block, not as threads came: the same bytes for any number of them.
  uint32_t number = 0;
  for (const auto& [block, list] : pending_->lists) {
    std::copy(list.begin(), list.end(), uneven_.data() + size_t{number} * (kBlock + 1));
    std::memcpy(blocks_.data()[block].shifts, &number, sizeof number);
    ++number;
  }
  pending_.reset();
}

uint32_t PackedDirectory::list_of(uint32_t block) const {
  uint32_t number;
  std::memcpy(&number, blocks_[block].shifts, sizeof number);
  return number;
}

PackedDirectory::Range PackedDirectory::uneven_range(uint32_t block, uint32_t place) const {
  const uint32_t* list = uneven_.data() + size_t{list_of(block)} * (kBlock + 1);
  const uint64_t begin = blocks_[block].head & kBeginMask;
  return {begin + list[place], begin + list[place + 1]};
}

uint32_t PackedDirectory::group_of(uint64_t rank) const {
  uint32_t low = 0, high = static_cast<uint32_t>(num_blocks());  // the block: the last that begins at or before rank
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    ((blocks_[middle].head & kBeginMask) <= rank ? low : high) = middle;
  }
  low *= kBlock;
  high = low + kBlock;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (range(middle).begin <= rank ? low : high) = middle;
  }
  return low;
}

// Every range is looked at once when a file is opened, so no query has to: none can lead outside of the words.
bool PackedDirectory::is_sound(uint64_t size) const {
  const uint64_t num_lists = uneven_.size() / (kBlock + 1);
  uint64_t at = 0;
  for (uint32_t block = 0; block < num_blocks(); ++block) {
    if (blocks_[block].head >> kBeginBits == kUneven && list_of(block) >= num_lists) return false;
    for (uint32_t place = 0; place < kBlock; ++place) {
      const Range range = this->range(block * kBlock + place);
      if (range.begin != at || range.end < at) return false;
      at = range.end;
    }
  }
  return at == size;
}

Result<PackedDirectory> PackedDirectory::open(std::span<const TableSection> sections, int bits, uint64_t size) {
  NEARDUP_ASSIGN(const auto blocks, find_section(sections, "blocks", blocks_for(bits) * sizeof(Block)));
  NEARDUP_ASSIGN(const auto uneven, find_section(sections, "uneven"));
  PackedDirectory directory;
  directory.blocks_ = StoredArray<Block>::of_bytes(blocks);
  directory.uneven_ = StoredArray<uint32_t>::of_bytes(uneven);
  if (directory.is_sound(size)) return directory;
  return fail(Code::kCorruption, "the groups of a packed table do not follow each other");
}

void PackedDirectory::append_sections(std::vector<TableSection>& sections) const {
  sections.push_back({"blocks", blocks_.bytes()});
  sections.push_back({"uneven", uneven_.bytes()});
}

}  // namespace neardup::hamming
