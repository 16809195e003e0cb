// The bytes of keys, one behind the other, which never move.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "neardup/base/large_array.h"

namespace neardup::lines {

/// Pieces of bytes with the place for a number of T before each. Threads: one at a time.
class KeptBytes {
 public:
  /// `head_bytes` stand before each piece, for the caller. Requires: a multiple of 8.
  explicit KeptBytes(size_t head_bytes = 0) : head_bytes_(head_bytes) {}

  /// Keeps a copy of `bytes`, and returns where it is: what piece_at() takes.
  const char* add(std::string_view bytes) {
    const size_t size = size_of_piece(bytes.size());
    if (size > left_) add_block(size);
    char* const piece = next_ + head_bytes_;
    next_ += size;
    left_ -= size;
    blocks_.back().used += size;
    if (bytes.size() < kLongMark) {
      *piece = static_cast<char>(bytes.size());
      std::memcpy(piece + 1, bytes.data(), bytes.size());
    } else {
      *piece = static_cast<char>(kLongMark);
      const uint64_t length = bytes.size();
      std::memcpy(piece + 1, &length, sizeof length);
      std::memcpy(piece + 1 + sizeof length, bytes.data(), bytes.size());
    }
    return piece;
  }

  [[nodiscard]] static std::string_view piece_at(const char* piece) {
    const auto size = static_cast<uint8_t>(*piece);
    if (size < kLongMark) return {piece + 1, size};
    uint64_t length = 0;
    std::memcpy(&length, piece + 1, sizeof length);
    return {piece + 1 + sizeof length, length};
  }

  /// Calls `use(piece)` for each piece in the order in which they came.
  template <class Use>
  void each(const Use& use) const {
    for (const Block& block : blocks_) {
      const char* at = block.bytes.data();
      for (const char* const end = at + block.used; at != end;) {
        const char* const piece = at + head_bytes_;
        use(piece);
        at += size_of_piece(piece_at(piece).size());
      }
    }
  }

  /// What the pieces take of memory, and what `bytes` more of `count` pieces may add at most.
  [[nodiscard]] uint64_t memory_bytes() const { return memory_bytes_; }
  [[nodiscard]] uint64_t most_bytes(uint64_t count, uint64_t bytes) const {
    const uint64_t more = bytes + count * (head_bytes_ + 16) + (head_bytes_ != 0 ? 8 * count : 0);
    return more <= left_ ? memory_bytes_ : memory_bytes_ + std::max<uint64_t>(more, next_block_bytes());
  }

 private:
  static constexpr size_t kLongMark = 255;
  // Below what comes on huge pages: a virtual machine may pay twice as much for these when they are first touched, and
  // they save little where bytes are written one behind the other.
  static constexpr size_t kLeastBlock = size_t{1} << 12, kMostBlock = size_t{1} << 20;
  struct Block {
    LargeArray<char> bytes;
    size_t used = 0;
  };

  [[nodiscard]] size_t size_of_piece(uint64_t size) const {
    const size_t whole = head_bytes_ + 1 + (size < kLongMark ? 0 : 8) + size;
    return head_bytes_ == 0 ? whole : (whole + 7) / 8 * 8;
  }
  [[nodiscard]] size_t next_block_bytes() const {
    return std::clamp(std::bit_ceil(memory_bytes_ / 4), kLeastBlock, kMostBlock);
  }
  void add_block(size_t size) {
    const size_t block = std::max(size, next_block_bytes());
    blocks_.push_back({LargeArray<char>(block), 0});
    memory_bytes_ += block;
    next_ = blocks_.back().bytes.data();
    left_ = block;
  }

  size_t head_bytes_;
  std::vector<Block> blocks_;
  char* next_ = nullptr;
  size_t left_ = 0;
  uint64_t memory_bytes_ = 0;
};

}  // namespace neardup::lines
