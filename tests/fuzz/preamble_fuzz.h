// Texts from outside: what is left of one without its preamble is no longer, and has no lines that it has not.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/text/front_matter.h"
#include "neardup/text/latex.h"
#include "neardup/text/licence_comments.h"
#include "neardup/text/preamble.h"

inline int fuzz_preamble(const uint8_t* data, size_t size) {
  using namespace neardup::text;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (bool (*leave_out)(std::string_view, std::string&) :
       {leave_out_front_matter, leave_out_latex_preamble, leave_out_licence}) {
    std::string out = "left over";
    if (!leave_out(text, out)) continue;
    if (out.size() > text.size()) std::abort();
    if (std::ranges::count(out, '\n') > std::ranges::count(text, '\n')) std::abort();
  }
  std::string out;
  const size_t left_out = leave_out_preamble(text, out);
  if (left_out > 0 && left_out + out.size() != text.size()) std::abort();
  return 0;
}
