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

/// Where the group of each leading-places number begins. 64 groups are a block; within it each group begins near where
/// it would if all were of one size, and one signed byte says how far off. A block whose groups are too uneven for
/// that has its begins in full in a list apart. Threads: any number of readers.
class PackedDirectory {
 public:
  static constexpr int kBlockBits = 6;
  static constexpr uint32_t kBlock = 1u << kBlockBits;
  struct Range {
    uint64_t begin;
    uint64_t end;
  };

  PackedDirectory() = default;
  /// Of 2^bits groups, all empty so far: call set_block() for each block, then finish().
  explicit PackedDirectory(int bits);
  /// `begins` are the kBlock + 1 begins of the groups of a block, the last one its end (groups beyond the directory's
  /// are empty). Threads: any, for blocks of their own. Requires: ascending; end - begin < 2^32.
  void set_block(size_t block, std::span<const uint64_t> begins);
  void finish();

  /// Errors: kCorruption where the begins do not ascend from 0 to `size`.
  [[nodiscard]] static Result<PackedDirectory> open(std::span<const Section> sections, int bits, uint64_t size);
  void append_sections(std::vector<Section>& sections) const;

  [[nodiscard]] size_t num_blocks() const { return blocks_.size() - 1; }
  [[nodiscard]] uint32_t num_groups() const { return 1u << bits_; }

  /// Returns the ranks of a group. Cost: two reads.
  [[nodiscard]] Range range(uint32_t group) const {
    const uint32_t block = group >> kBlockBits, place = group % kBlock;
    const uint64_t word = blocks_[block];
    if (word >> kBeginBits != 0) [[unlikely]]
      return uneven_range(block, place);
    const uint64_t begin = word, size = (blocks_[block + 1] & kBeginMask) - begin;
    return {begin + (size * place >> kBlockBits) + static_cast<uint64_t>(int64_t{shifts_[group]}),
            begin + (size * (place + 1) >> kBlockBits) + static_cast<uint64_t>(int64_t{shifts_[group + 1]})};
  }
  void prefetch(uint32_t group) const {
    __builtin_prefetch(blocks_.data() + (group >> kBlockBits));
    __builtin_prefetch(shifts_.data() + group);
  }
  /// Returns the group that holds `rank`. Requires: rank < the number of keys.
  [[nodiscard]] uint32_t group_of(uint64_t rank) const;

 private:
  static constexpr int kBeginBits = 40;  // of a block's word; above: 1 + number of its list where it is uneven
  static constexpr uint64_t kBeginMask = (uint64_t{1} << kBeginBits) - 1;

  [[nodiscard]] Range uneven_range(uint32_t block, uint32_t place) const;
  [[nodiscard]] bool is_sound(uint64_t size) const;

  int bits_ = 0;
  StoredArray<uint64_t> blocks_;  // begin of each block and the end of the last
  StoredArray<int8_t> shifts_;    // one for each group of whole blocks, and a 0
  StoredArray<uint32_t> uneven_;  // lists of kBlock + 1 begins, relative to their block's
  struct Pending {
    std::mutex mutex;
    std::map<size_t, std::vector<uint32_t>> lists;
  };
  std::shared_ptr<Pending> pending_;  // while it is built
};

}  // namespace neardup::hamming
