// The directory of a packed table: where each group of keys begins, in one byte a group.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/hamming/stored_array.h"
#include "neardup/hamming/table.h"

namespace neardup::hamming {

/// Where the group of each leading-places number begins. 55 groups are a block, one cache line: where it begins, how
/// many keys it has, and for each group, in one signed byte, how far off its begin is from where it would be if all
/// were of one size. A block whose groups are too uneven for that has its begins in full in a list apart. Threads: any
/// number of readers.
class PackedDirectory {
 public:
  static constexpr uint32_t kBlock = 55;
  static constexpr int kMaxBits = 28;
  struct Range {
    uint64_t begin;
    uint64_t end;
  };

  PackedDirectory() = default;
  /// Of 2^bits groups, all empty so far: call set_block() for each block, then finish().
  explicit PackedDirectory(int bits);  // at most kMaxBits
  /// `begins` are the kBlock + 1 begins of the groups of a block, the last one its end (groups beyond the directory's
  /// are empty). Threads: any, for blocks of their own. Requires: ascending; end - begin < 2^32, begin < 2^40.
  void set_block(size_t block, std::span<const uint64_t> begins);
  void finish();

  /// Errors: kCorruption where the begins do not ascend from 0 to `size`.
  [[nodiscard]] static Result<PackedDirectory> open(std::span<const TableSection> sections, int bits, uint64_t size);
  void append_sections(std::vector<TableSection>& sections) const;

  [[nodiscard]] size_t num_blocks() const { return blocks_.size(); }

  /// Returns the ranks of a group. Cost: one read.
  [[nodiscard]] Range range(uint32_t group) const {
    const uint32_t number = block_of(group), place = group - number * kBlock;
    const Block& block = blocks_[number];
    const uint64_t begin = block.head & kBeginMask, size = block.head >> kBeginBits;
    if (size == kUneven) [[unlikely]]
      return uneven_range(number, place);
    return {begin + even_shift(size, place) + static_cast<uint64_t>(int64_t{block.shifts[place]}),
            begin + even_shift(size, place + 1) + static_cast<uint64_t>(int64_t{block.shifts[place + 1]})};
  }
  void prefetch(uint32_t group) const { __builtin_prefetch(blocks_.data() + block_of(group), 0, 2); }
  /// Returns the group that holds `rank`. Requires: rank < the number of keys.
  [[nodiscard]] uint32_t group_of(uint64_t rank) const;

 private:
  static constexpr int kBeginBits = 40;
  static constexpr uint64_t kBeginMask = (uint64_t{1} << kBeginBits) - 1;
  static constexpr uint64_t kUneven = (uint64_t{1} << (64 - kBeginBits)) - 1;
  struct Block {
    uint64_t head = 0;               // begin, and above it the number of keys or kUneven
    int8_t shifts[kBlock + 1] = {};  // of the begins, and of the end; the number of its list where it is uneven
  };
  static_assert(sizeof(Block) == 64);

  // group / kBlock in one multiplication: right for all groups of up to kMaxBits places.
  [[nodiscard]] static uint32_t block_of(uint32_t group) {
    constexpr int kShift = 37;
    constexpr uint64_t kFactor = (uint64_t{1} << kShift) / kBlock + 1;
    static_assert((kFactor * kBlock - (uint64_t{1} << kShift)) << kMaxBits < uint64_t{1} << kShift);
    return static_cast<uint32_t>(group * kFactor >> kShift);
  }
  // Where a group of a block would begin if all were of one size, from the block's begin.
  [[nodiscard]] static uint64_t even_shift(uint64_t size, uint32_t place) {
    constexpr int kShift = 16;
    constexpr uint64_t kStep = (uint64_t{1} << kShift) / kBlock;
    return size * (place * kStep) >> kShift;
  }
  [[nodiscard]] Range uneven_range(uint32_t block, uint32_t place) const;
  [[nodiscard]] uint32_t list_of(uint32_t block) const;
  // Whether ranges follow each other from 0 to `size`: what every query relies on.
  [[nodiscard]] bool is_sound(uint64_t size) const;

  StoredArray<Block> blocks_;     // one line of memory each
  StoredArray<uint32_t> uneven_;  // lists of kBlock + 1 begins, relative to their block's
  struct Pending {
    std::mutex mutex;
    std::map<size_t, std::vector<uint32_t>> lists;  // [block]: its begins
  };
  std::shared_ptr<Pending> pending_;  // while it is built
};

}  // namespace neardup::hamming
