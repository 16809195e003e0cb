// Bytes of CSV from outside: the fast splitter agrees with the plain reader, in each dialect.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>

#include "tests/agree/corpus/csv_check.h"

inline int fuzz_csv(const uint8_t* data, size_t size) {
  if (size == 0 || size > 500) return 0;  // all ends of batches are tried
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static constexpr const char* kOthers[] = {"quotes=none",
                                            "escape=backslash",
                                            "escape=quote",
                                            "spaces=skip",
                                            "escape=backslash,spaces=skip",
                                            "quotes=none,escape=backslash"};
  for (const char* words : {"quotes=csv", "quotes=tsv", kOthers[data[0] / 3 % std::size(kOthers)]}) {
    const auto dialect = neardup::corpus::dialect_of(",\t;"[data[0] % 3], *neardup::corpus::parse_dialect(words));
    if (!neardup::corpus::check_csv(bytes, {dialect, 1 + data[0] % 4U}).empty()) std::abort();
  }
  return 0;
}
