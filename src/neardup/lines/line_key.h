// What a set of lines is asked about: the hash and the bytes of one line's key.
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup::lines {

/// So many parts lines are spread over by the upper bits of their hashes: sets that threads fill at the same time, and
/// files on disk.
inline constexpr int kPartBits = 6;
inline constexpr size_t kNumParts = size_t{1} << kPartBits;

[[nodiscard]] inline size_t part_of_hash(uint64_t hash) { return hash >> (64 - kPartBits); }

/// The key of line `index` of some lines; its bytes belong to another.
struct LineKey {
  static constexpr uint64_t kMostLines = uint64_t{1} << 24;  // of which one may be the index

  LineKey(uint64_t hash_of_key, std::string_view key, uint64_t line)
      : hash(hash_of_key),
        data(key.data()),
        size(key.size() & ((uint64_t{1} << 40) - 1)),
        index(line & (kMostLines - 1)) {}

  uint64_t hash;
  const char* data;
  uint64_t size : 40;
  uint64_t index : 24;

  [[nodiscard]] std::string_view bytes() const { return {data, size}; }
};
static_assert(sizeof(LineKey) == 24);

}  // namespace neardup::lines
