// Counts of common n-grams from outside. The bytes are read twice: as they are, and with a checksum that fits put at
// the end, without which nearly every input would stop there.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/base/bytes.h"
#include "neardup/base/hash.h"
#include "neardup/verify/commonness.h"

inline void fuzz_commonness_bytes(std::string_view bytes) {
  using neardup::verify::Commonness;
  constexpr uint64_t kMemoryBytes = uint64_t{1} << 16;
  const auto table = Commonness::parse(bytes, "fuzz", kMemoryBytes);
  if (!table) {
    if (!table.error().message.starts_with("'fuzz'")) std::abort();
    if (table.error().code != neardup::Code::kCorruption && table.error().code != neardup::Code::kMemory) std::abort();
    return;
  }
  if ((*table)->size_bytes() > kMemoryBytes || 2 * (*table)->size_bytes() < Commonness::kLeastCounters) std::abort();
  if ((*table)->id().size() != 16) std::abort();
  for (uint64_t probe = 0; probe < 64; ++probe) {
    const uint32_t counted = (*table)->counted(static_cast<uint32_t>(neardup::mix64(probe)));
    if (counted > Commonness::kMost || (*table)->others(counted, 1) > counted) std::abort();
  }
  if ((*table)->counted(0xFFFFFFFF) > Commonness::kMost) std::abort();
}

inline int fuzz_commonness(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fuzz_commonness_bytes(bytes);
  constexpr size_t kChecksumBytes = 8;
  if (size < kChecksumBytes) return 0;
  std::string whole(bytes.substr(0, size - kChecksumBytes));
  neardup::append_little(whole, neardup::hash64(whole));
  fuzz_commonness_bytes(whole);
  return 0;
}
