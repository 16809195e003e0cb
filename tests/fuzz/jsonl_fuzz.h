// One JSON line from outside: the fast strict reader agrees with the plain one.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/agree/corpus/line_check.h"

inline int fuzz_jsonl(const uint8_t* data, size_t size) {
  if (size == 0 || size > 100000) return 0;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  // Lines come without their end and are not blank.
  if (line.find('\n') != std::string_view::npos || line.find_first_not_of(" \t\r") == std::string_view::npos) return 0;
  static neardup::corpus::LineCheck check({"text", "id", "meta.lang", "meta"});
  if (!check.run(line).empty()) std::abort();
  return 0;
}
