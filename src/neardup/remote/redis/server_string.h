// How much room a server takes for a string.
#pragma once

#include <bit>
#include <cstddef>

namespace neardup::remote::redis {

/// Returns whether APPEND to a string of `before` bytes, which makes it `after` bytes long, takes room for twice as
/// much: then BITOP OR of the string with itself gives back what is too much. Of Redis 7 (sds.c): a string has what
/// jemalloc rounds its header, bytes and end up to, if it was made by BITOP; very short ones have nothing beyond their
/// bytes, as those that were just made.
[[nodiscard]] constexpr bool append_doubles(size_t before, size_t after) {
  constexpr size_t kShort = 32;
  if (before < kShort) return after >= kShort;
  const auto header_of = [](size_t bytes) { return bytes < 256 ? 3U : bytes < 65536 ? 5U : 9U; };
  const auto room_of = [&](size_t bytes) {
    const size_t size = header_of(bytes) + bytes + 1, step = size <= 128 ? 16 : std::bit_floor(size - 1) / 4;
    return (size + step - 1) / step * step;
  };
  return header_of(before) != header_of(after) || room_of(before) != room_of(after);
}

}  // namespace neardup::remote::redis
