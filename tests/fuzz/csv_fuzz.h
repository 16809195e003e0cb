// Bytes of CSV from outside: the fast splitter agrees with the plain reader.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/agree/corpus/csv_check.h"

inline int fuzz_csv(const uint8_t* data, size_t size) {
  if (size == 0 || size > 500) return 0;  // all ends of batches are tried
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!neardup::corpus::check_csv(bytes, data[0] % 2 == 0 ? ',' : '\t').empty()) std::abort();
  return 0;
}
