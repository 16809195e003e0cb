// Texts from outside: what man shows of a manual page is no longer than its source, and has no lines that it has not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/text/roff.h"

inline int fuzz_roff(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string out = "left over";
  static_cast<void>(neardup::text::looks_like_roff(text));
  neardup::text::read_roff(text, out);
  if (out.size() > text.size()) std::abort();
  if (std::ranges::count(out, '\n') > std::ranges::count(text, '\n') + 1) std::abort();
  return 0;
}
