// A file of phrases from outside. The bytes are read twice: as they are, and with a checksum that fits put at the end,
// without which nearly every input would stop there.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/feature/phrases.h"

inline void fuzz_phrases_bytes(std::string_view bytes) {
  using namespace neardup::feature;
  const auto phrases = Phrases::from_bytes(bytes);
  if (!phrases) {
    if (phrases.error().message.empty()) std::abort();
    return;
  }
  std::vector<uint64_t> tokens;
  for (uint64_t i = 0; i < 64; ++i) tokens.push_back(neardup::mix64(i * i % 7));
  const size_t before = tokens.size();
  (*phrases)->join(tokens);
  if (tokens.size() > before || tokens.size() < before / 2) std::abort();
  if ((*phrases)->id().size() != 16) std::abort();
}

inline int fuzz_phrases(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz_phrases_bytes(bytes);
  if (size < 16) return 0;
  std::string whole(bytes.substr(0, size - 16));
  const neardup::Hash128 checksum = neardup::hash128(whole);
  for (const uint64_t half : {checksum.high, checksum.low}) {
    for (int shift = 56; shift >= 0; shift -= 8) whole += static_cast<char>(half >> shift & 0xff);
  }
  fuzz_phrases_bytes(whole);
  return 0;
}
