// Two texts from outside, cut at the first zero byte: their difference keeps every byte and loses no change.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/diff/reflow.h"
#include "tests/unit/diff/diff_check.h"

inline int fuzz_word_diff(const uint8_t* data, size_t size) {
  using namespace neardup::diff;
  if (size > 4096) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view a = bytes.substr(0, bytes.find('\0'));
  const std::string_view b = a.size() < size ? bytes.substr(a.size() + 1) : std::string_view{};
  if (!check_diff(a, b).empty()) std::abort();
  if (without_space(reflow(a)) != without_space(a)) std::abort();
  return 0;
}
