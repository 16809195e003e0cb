#include "neardup/hamming/packed_directory.h"

#include <algorithm>
#include <string_view>

namespace neardup::hamming {
namespace {

size_t blocks_for(int bits) { return std::max<size_t>(1, (size_t{1} << bits) >> PackedDirectory::kBlockBits); }

std::span<const std::byte> bytes_of(std::span<const Section> sections, std::string_view name) {
  for (const Section& section : sections) {
    if (section.name == name) return section.bytes;
  }
  return {};
}

}  // namespace

PackedDirectory::PackedDirectory(int bits)
    : bits_(bits),
      blocks_(blocks_for(bits) + 1),
      shifts_(blocks_for(bits) * kBlock + 1),
      pending_(std::make_shared<Pending>()) {}

void PackedDirectory::set_block(size_t block, std::span<const uint64_t> begins) {
  const uint64_t begin = begins.front(), size = begins.back() - begin;
  blocks_.data()[block] = begin;
  int8_t* shifts = shifts_.data() + block * kBlock;
  bool even = true;
  for (uint32_t place = 0; place < kBlock; ++place) {
    const auto shift = static_cast<int64_t>(begins[place] - begin - (size * place >> kBlockBits));
    even = even && shift >= INT8_MIN && shift <= INT8_MAX;
    shifts[place] = static_cast<int8_t>(shift);
  }
  if (block + 1 == num_blocks()) blocks_.data()[block + 1] = begins.back();
  if (even) return;
  std::fill_n(shifts, kBlock, int8_t{0});
  std::vector<uint32_t> list;
  for (const uint64_t at : begins) list.push_back(static_cast<uint32_t>(at - begin));
  const std::lock_guard lock(pending_->mutex);
  pending_->lists[block] = std::move(list);
}

void PackedDirectory::finish() {
  uneven_ = StoredArray<uint32_t>(pending_->lists.size() * (kBlock + 1));
  uint64_t number = 0;
  for (const auto& [block, list] : pending_->lists) {
    std::copy(list.begin(), list.end(), uneven_.data() + number * (kBlock + 1));
    blocks_.data()[block] |= ++number << kBeginBits;
  }
  pending_.reset();
}

PackedDirectory::Range PackedDirectory::uneven_range(uint32_t block, uint32_t place) const {
  const uint64_t word = blocks_[block];
  const uint32_t* list = uneven_.data() + ((word >> kBeginBits) - 1) * (kBlock + 1);
  const uint64_t begin = word & kBeginMask;
  return {begin + list[place], begin + list[place + 1]};
}

uint32_t PackedDirectory::group_of(uint64_t rank) const {
  uint32_t low = 0, high = static_cast<uint32_t>(num_blocks());  // the block: the last that begins at or before rank
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    ((blocks_[middle] & kBeginMask) <= rank ? low : high) = middle;
  }
  low *= kBlock;
  high = low + kBlock;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (range(middle).begin <= rank ? low : high) = middle;
  }
  return low;
}

bool PackedDirectory::is_sound(uint64_t size) const {
  if ((blocks_[0] & kBeginMask) != 0 || blocks_[num_blocks()] != size) return false;
  const uint64_t num_lists = uneven_.size() / (kBlock + 1);
  for (size_t block = 0; block < num_blocks(); ++block) {
    if (blocks_[block] >> kBeginBits > num_lists) return false;
    uint64_t at = blocks_[block] & kBeginMask;
    for (uint32_t place = 0; place < kBlock; ++place) {
      const Range range = this->range(static_cast<uint32_t>(block) * kBlock + place);
      if (range.begin != at || range.end < at) return false;
      at = range.end;
    }
    if (at != (blocks_[block + 1] & kBeginMask)) return false;
  }
  return true;
}

Result<PackedDirectory> PackedDirectory::open(std::span<const Section> sections, int bits, uint64_t size) {
  PackedDirectory directory;
  directory.bits_ = bits;
  directory.blocks_ = StoredArray<uint64_t>::of_bytes(bytes_of(sections, "blocks"));
  directory.shifts_ = StoredArray<int8_t>::of_bytes(bytes_of(sections, "shifts"));
  directory.uneven_ = StoredArray<uint32_t>::of_bytes(bytes_of(sections, "uneven"));
  if (directory.blocks_.size() != blocks_for(bits) + 1 || directory.shifts_.size() != blocks_for(bits) * kBlock + 1 ||
      directory.uneven_.size() % (kBlock + 1) != 0 || !directory.is_sound(size)) {
    return fail(Code::kCorruption, "the directory of a packed table does not fit its keys; build the index again");
  }
  return directory;
}

void PackedDirectory::append_sections(std::vector<Section>& sections) const {
  sections.push_back({"blocks", blocks_.bytes()});
  sections.push_back({"shifts", shifts_.bytes()});
  sections.push_back({"uneven", uneven_.bytes()});
}

}  // namespace neardup::hamming
