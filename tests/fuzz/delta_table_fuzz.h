// The sections of a table of blocks of differences, from outside.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "neardup/hamming/delta_table.h"
#include "tests/fuzz/table_sections.h"

inline int fuzz_delta_table(const uint8_t* data, size_t size) {
  static constexpr auto kNames = std::to_array<std::string_view>({"keys", "directory", "offsets", "differences"});
  return table_sections::fuzz<neardup::hamming::DeltaTable>(data, size, kNames, 0);
}
