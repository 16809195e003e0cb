// All substrings of one length of a text: which of them another text has, too, and where. Exact: bytes decide.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/sif/window_kernel.h"

namespace neardup::sif {

/// What of a text is looked up in the substrings of others. Pieces are evenly spaced, so long and so near that each
/// substring of `length` bytes has one of them in it: where no piece of another text is the same, nothing is shared.
struct Pieces {
  std::vector<uint32_t> hashes;   // of those that begin at bytes 0, step(), 2 step(), ...
  std::vector<uint32_t> windows;  // hashes of all substrings
  [[nodiscard]] static constexpr size_t size_bytes(size_t length) { return length / 2 + 1; }
  [[nodiscard]] static constexpr size_t step(size_t length) { return length - size_bytes(length) + 1; }
  /// Memory for each byte of the text, at most.
  static constexpr uint64_t kBytesForEach = 6;
};

/// Positions [begin, end).
struct Positions {
  uint32_t begin = 0, end = 0;
};

/// Work arrays of a WindowSet, for one call after the other; grow to the longest text.
struct WindowScratch {
  HashScratch hash;
  std::vector<uint32_t> hashes;
  Pieces pieces;
  std::vector<Positions> counted;    // of count_shared()
  std::vector<uint32_t> next, last;  // of passages()
};

/// A passage that two texts have in common.
struct Passage {
  uint64_t a = 0, b = 0;  // where it begins in either
  uint64_t size_bytes = 0;
  bool operator==(const Passage&) const = default;
};

/// Replaces `pieces` by those of `text`, and takes no more memory than they need. Cost: about 2 ns a byte.
void find_pieces(std::string_view text, size_t length, WindowScratch& scratch, Pieces& pieces);

/// The substrings of `length` bytes of one text. Threads: const members from many at once, each with its own scratch.
class WindowSet {
 public:
  /// Of memory for each byte of the text: its own, and what assign() and count_shared() with a text that is no longer
  /// take of the scratch.
  static constexpr uint64_t kBytesForEach = 48;
  /// What passages() takes on top.
  static constexpr uint64_t kPassageBytesForEach = 8;

  /// Replaces what was there. `text` must outlive it. Cost: about 7 ns a byte. Requires: text.size() < 2^31, length >
  /// 0.
  void assign(std::string_view text, size_t length, WindowScratch& scratch);

  /// How many different ones there are.
  [[nodiscard]] uint64_t num_distinct() const { return num_distinct_; }
  /// Returns how many of them `other` has, each counted once. `pieces`: of `other`. Cost: a few ns for each
  /// piece, some 100 for each shared passage, and little for its bytes.
  [[nodiscard]] uint64_t count_shared(std::string_view other, const Pieces& pieces, WindowScratch& scratch) const;
  /// Returns the passages of at least `length` bytes that `other` (b) has in common with the text (a), ascending by b,
  /// none overlapping in b. Of those that begin at one byte of b it is the longest of up to 64 places in a.
  [[nodiscard]] std::vector<Passage> passages(std::string_view other, WindowScratch& scratch) const;

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  [[nodiscard]] bool equal(uint32_t position, std::string_view other, size_t at) const;
  [[nodiscard]] uint32_t find(uint32_t hash, std::string_view other, size_t at) const;
  struct Shared {
    size_t at;          // in the other text; behind its last substring where there is none
    uint32_t position;  // of the same substring
  };
  void append_firsts(uint32_t position, uint32_t count, std::vector<Positions>& out) const;
  [[nodiscard]] Shared next_shared(std::string_view other, const Pieces& pieces, size_t from) const;
  [[nodiscard]] Passage longest_at(uint32_t first, std::string_view other, size_t at,
                                   const std::vector<uint32_t>& next) const;
  // Of 32-bit fractions, which products spread evenly.
  [[nodiscard]] size_t slot_of(uint32_t hash) const { return uint64_t{hash * 0x9e3779b1U} * slots_.size() >> 32; }
  struct Mark {
    size_t word;
    uint64_t bits;
  };
  [[nodiscard]] Mark mark_of(uint32_t hash) const {
    const uint32_t other = hash * 0x85ebca6bU;
    return {uint64_t{hash * 0x9e3779b1U} * marks_.size() >> 32,
            uint64_t{1} << (other >> 26) | uint64_t{1} << (other >> 20 & 63)};
  }
  [[nodiscard]] bool is_marked(uint32_t hash) const {
    const Mark mark = mark_of(hash);
    return (marks_[mark.word] & mark.bits) == mark.bits;
  }
  void mark(uint32_t hash) {
    const Mark mark = mark_of(hash);
    marks_[mark.word] |= mark.bits;
  }
  void insert(uint32_t position, uint32_t hash);
  void link_equal(WindowScratch& scratch) const;

  struct Slot {
    uint32_t position, hash;
  };
  std::string_view text_;
  size_t length_ = 0;
  uint64_t num_distinct_ = 0;
  std::vector<Slot> slots_;        // open addressing, at most half full
  std::vector<uint64_t> marks_;    // two bits in a word for each substring and each piece, by hash: which are there
  std::vector<uint32_t> first_;    // of each position the first one with the same substring
  std::vector<uint32_t> repeats_;  // how many positions up to each one are not the first
};

}  // namespace neardup::sif
