// Texts from outside: what is masked lies in order within the text, and the rest is copied.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/text/mask.h"

inline int fuzz_mask(const uint8_t* data, size_t size) {
  using namespace neardup::text;
  if (size == 0) return 0;
  const uint32_t kinds = data[0] % 64;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string out;
  std::vector<MaskedPart> parts;
  mask(text, kinds, out, &parts);
  size_t end = 0;
  size_t at = 0;
  for (const MaskedPart& part : parts) {
    if (part.size == 0 || part.begin < end || part.begin + part.size > text.size()) std::abort();
    if ((part.kind & kinds) == 0) std::abort();
    const std::string_view between = text.substr(end, part.begin - end);
    if (part.kind != kMaskTracking && (kinds & kMaskTracking) == 0) {
      if (out.compare(at, between.size(), between) != 0) std::abort();
      at = out.find("⟩", at + between.size()) + std::string_view("⟩").size();
    }
    end = part.begin + part.size;
  }
  if ((kinds & kMaskTracking) == 0 && out.substr(at) != text.substr(end)) std::abort();
  return 0;
}
