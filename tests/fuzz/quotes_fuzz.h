// Texts from outside: what is left of an answer is some of its lines, in their order, and as many are missing as said.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/text/quotes.h"

inline std::string_view take_fuzzed_line(std::string_view& text) {
  const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
  text.remove_prefix(line.size());
  return line;
}

inline int fuzz_quotes(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string out;
  const size_t num_left_out = neardup::text::leave_out_quotes(text, out);
  if (num_left_out == 0) {
    if (!out.empty()) std::abort();
    return 0;
  }
  size_t num_missing = 0;
  std::string_view own = out;
  while (!text.empty()) {
    const std::string_view line = take_fuzzed_line(text);
    if (own.starts_with(line)) {
      own.remove_prefix(line.size());
    } else {
      ++num_missing;
    }
  }
  if (!own.empty() || num_missing != num_left_out) std::abort();
  return 0;
}
