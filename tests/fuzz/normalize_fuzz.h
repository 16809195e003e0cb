// Normalising any bytes under each setting: valid UTF-8 comes out, without loose white space, and nothing is left to
// do.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include "neardup/text/normalizer.h"
#include "neardup/text/utf8.h"

inline void check_normalized(const std::string& text, bool collapsed) {
  const char* end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    const neardup::text::Decoded c = neardup::text::decode(at, end);
    if (!c.valid) std::abort();
    at += c.size_bytes;
  }
  if (!collapsed) return;
  if (text.find("  ") != std::string::npos || text.find_first_of("\t\n\r") != std::string::npos) std::abort();
  if (text.starts_with(' ') || text.ends_with(' ')) std::abort();
}

inline int fuzz_normalize(const uint8_t* data, size_t size) {
  using namespace neardup::text;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string once;
  std::string twice;
  for (const Normalization normalization :
       {Normalization::kNfkcCasefold, Normalization::kFolded, Normalization::kNone}) {
    for (int flags = 0; flags < 4; ++flags) {
      const NormalizeOptions options{normalization, (flags & 1) != 0, (flags & 2) != 0};
      Normalizer normalizer(options);
      normalizer.normalize(bytes, once);
      check_normalized(once, options.collapse_space);
      normalizer.normalize(once, twice);
      // What is folded may be a reference, or look misread, again.
      const bool stays = normalization != Normalization::kFolded;
      if (stays && size < Normalizer::kMaxSegment && once != twice) std::abort();
    }
  }
  return 0;
}
