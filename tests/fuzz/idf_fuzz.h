// An IDF dictionary from outside. The bytes are read twice: as they are, and with a checksum that fits put at the end,
// without which nearly every input would stop there.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/base/hash.h"
#include "neardup/feature/idf.h"

inline void fuzz_idf_bytes(std::string_view bytes) {
  using namespace neardup::feature;
  const auto idf = Idf::from_bytes(bytes);
  if (!idf) {
    if (idf.error().message.empty()) std::abort();
    return;
  }
  for (uint64_t probe = 0; probe < 64; ++probe) {
    const float weight = (*idf)->weight(neardup::mix64(probe));
    if (!std::isfinite(weight) || weight < 1) std::abort();
  }
  IdfBuilder builder;
  if (!builder.merge(**idf) || builder.num_documents() != (*idf)->num_documents()) std::abort();
  if (builder.num_tokens() > (*idf)->num_tokens()) std::abort();
}

inline int fuzz_idf(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz_idf_bytes(bytes);
  if (size < 16) return 0;
  std::string whole(bytes.substr(0, size - 16));
  const neardup::Hash128 checksum = neardup::hash128(whole);
  for (const uint64_t half : {checksum.high, checksum.low}) {
    for (int shift = 56; shift >= 0; shift -= 8) whole += static_cast<char>(half >> shift & 0xff);
  }
  fuzz_idf_bytes(whole);
  return 0;
}
