// The sections of a packed table, from outside. As in an index file, 64 bytes behind each can be read.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "neardup/hamming/packed_table.h"
#include "tests/fuzz/table_sections.h"

inline int fuzz_packed_table(const uint8_t* data, size_t size) {
  static constexpr auto kNames = std::to_array<std::string_view>({"shape", "blocks", "uneven", "spread", "words"});
  return table_sections::fuzz<neardup::hamming::PackedTable>(data, size, kNames, 64);
}
