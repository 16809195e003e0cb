// Bytes of CSV from outside: the fast splitter agrees with the plain reader.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/agree/corpus/csv_check.h"

inline int fuzz_csv(const uint8_t* data, size_t size) {
  if (size == 0 || size > 500) return 0;  // all ends of batches are tried
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const char separator = data[0] % 2 == 0 ? ',' : '\t';
  for (const auto quotes : {neardup::corpus::CsvQuotes::kDouble, neardup::corpus::CsvQuotes::kWhole})
    if (!neardup::corpus::check_csv(bytes, {{separator, quotes}, 1 + data[0] % 4U}).empty()) std::abort();
  return 0;
}
