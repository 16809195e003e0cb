// The table of fuzz bodies, generated from tests/fuzz/*_fuzz.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

struct FuzzTarget {
  std::string_view name;
  int (*run)(const uint8_t* data, size_t size);
};
std::span<const FuzzTarget> fuzz_targets();
