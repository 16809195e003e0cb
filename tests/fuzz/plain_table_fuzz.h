// The sections of a table of whole keys, from outside.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "neardup/hamming/plain_table.h"
#include "tests/fuzz/table_sections.h"

inline int fuzz_plain_table(const uint8_t* data, size_t size) {
  static constexpr auto kNames = std::to_array<std::string_view>({"keys", "directory"});
  return table_sections::fuzz<neardup::hamming::PlainTable>(data, size, kNames, 0);
}
