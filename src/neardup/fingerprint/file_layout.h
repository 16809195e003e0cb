// The numbers of the fingerprint file, shared by its writer and its reader. See docs/formats/fingerprints.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/hash.h"

namespace neardup::fingerprint {

inline constexpr std::string_view kMagic = "NDUPFPRT";
inline constexpr uint32_t kVersion = 2;
inline constexpr size_t kHeaderFixedBytes = 28;  // magic, version, columns, lengths of id and JSON, values
inline constexpr size_t kBlockHeaderBytes = 24;  // records, zero, payload bytes, checksum
inline constexpr size_t kRecordFixedBytes = 41;  // id length, "has fingerprints", checksum, size, tokens
inline constexpr size_t kFooterBytes = 32;       // magic, records, chain, checksum
inline constexpr std::string_view kFooterMagic = "NDUPFEND";

template <class T>
void append_number(std::string& out, T value) {
  for (size_t i = 0; i < sizeof(T); ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

/// Takes a little-endian number off the front. Requires: the bytes are there.
template <class T>
T take_number(std::string_view& bytes) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(T{static_cast<uint8_t>(bytes[i])} << (8 * i));
  bytes.remove_prefix(sizeof(T));
  return value;
}

/// Ties each block to all before it, so that blocks cannot be lost, repeated or exchanged.
[[nodiscard]] inline uint64_t next_chain(uint64_t chain, uint64_t checksum) {
  return mix64(chain + 0x9e3779b97f4a7c15) ^ checksum;
}

}  // namespace neardup::fingerprint
