// Texts from outside: what is left of an answer is a part of it, in its order, but for the word at the end that stands
// for what a short one quotes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/text/quotes.h"

inline int fuzz_quotes(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string out;
  const size_t num_left_out = neardup::text::leave_out_quotes(text, out);
  if ((num_left_out == 0 && !out.empty()) || out.size() > text.size()) std::abort();
  if (num_left_out > static_cast<size_t>(std::ranges::count(text, '\n')) + 1) std::abort();
  std::string_view own = out;
  constexpr size_t kWordBytes = sizeof("⟨abcdefghijkl⟩\n") - 1;
  if (own.ends_with("⟩\n") && own.size() >= kWordBytes) own.remove_suffix(kWordBytes);
  while (own.ends_with('\n')) own.remove_suffix(1);
  size_t at = 0;
  for (const char c : text)
    if (at < own.size() && own[at] == c) ++at;
  if (at != own.size()) std::abort();
  return 0;
}
