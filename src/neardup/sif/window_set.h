// All substrings of one length of a text: which of them another text has, too, and where. Exact: bytes decide.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/sif/window_kernel.h"

namespace neardup::sif {

/// Work arrays of a WindowSet, for one call after the other; grow to the longest text.
struct WindowScratch {
  HashScratch hash;
  std::vector<uint32_t> hashes;
  std::vector<uint32_t> counted;     // positions whose bit in `seen` is set
  std::vector<bool> seen;            // none between calls
  std::vector<uint32_t> next, last;  // of passages()
};

/// A passage that two texts have in common.
struct Passage {
  uint64_t a = 0, b = 0;  // where it begins in either
  uint64_t size_bytes = 0;
  bool operator==(const Passage&) const = default;
};

/// The substrings of `length` bytes of one text. Threads: const members from many at once, each with its own scratch.
class WindowSet {
 public:
  /// Of memory for each byte of the text: its own, and what assign() and count_shared() with a text that is no longer
  /// take of the scratch.
  static constexpr uint64_t kBytesForEach = 31;
  /// What passages() takes on top.
  static constexpr uint64_t kPassageBytesForEach = 8;

  /// Replaces what was there. `text` must outlive it. Cost: about 5 ns a byte. Requires: text.size() < 2^31, length >
  /// 0.
  void assign(std::string_view text, size_t length, WindowScratch& scratch);

  /// How many different ones there are.
  [[nodiscard]] uint64_t num_distinct() const { return num_distinct_; }
  /// Returns how many of them `other` has, each counted once. Cost: that of `other` alone, about 2 ns a byte.
  [[nodiscard]] uint64_t count_shared(std::string_view other, WindowScratch& scratch) const;
  /// Returns the passages of at least `length` bytes that `other` (b) has in common with the text (a), ascending by b,
  /// none overlapping in b. Of those that begin at one byte of b it is the longest of up to 64 places in a.
  [[nodiscard]] std::vector<Passage> passages(std::string_view other, WindowScratch& scratch) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  [[nodiscard]] bool equal(uint32_t position, std::string_view other, size_t at) const;
  [[nodiscard]] uint32_t find(uint32_t hash, std::string_view other, size_t at) const;
  [[nodiscard]] Passage longest_at(uint32_t first, std::string_view other, size_t at,
                                   const std::vector<uint32_t>& next) const;
  [[nodiscard]] uint64_t place_of(uint32_t hash) const;
  void insert(uint32_t position, uint32_t hash);
  void hash_text(std::string_view text, WindowScratch& scratch) const;
  void link_equal(WindowScratch& scratch) const;

  struct Slot {
    uint32_t position, hash;
  };
  std::string_view text_;
  size_t length_ = 0;
  uint64_t num_distinct_ = 0;
  std::vector<Slot> slots_;      // open addressing, at most half full
  std::vector<bool> marks_;      // 8 for each slot, by hash: which are there
  std::vector<uint32_t> first_;  // of each position the first one with the same substring
};

}  // namespace neardup::sif
