// The numbers of the fingerprint file, shared by its writer and its reader. See docs/formats/fingerprints.md.
#pragma once

#include <cstdint>
#include <string_view>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/base/hash.h"

namespace neardup::fingerprint {

inline constexpr FileKind kFileKind{"NDUPFPRT", 2, "fingerprint file", "make it again"};
inline constexpr size_t kHeaderFixedBytes = 28;  // magic, version, columns, lengths of id and JSON, values
inline constexpr size_t kBlockHeaderBytes = 24;  // records, zero, payload bytes, checksum
inline constexpr size_t kRecordFixedBytes = 41;  // id length, "has fingerprints", checksum, size, tokens
inline constexpr size_t kFooterBytes = 32;       // magic, records, chain, checksum
inline constexpr std::string_view kFooterMagic = "NDUPFEND";

/// Ties each block to all before it, so that blocks cannot be lost, repeated or exchanged.
[[nodiscard]] inline uint64_t next_chain(uint64_t chain, uint64_t checksum) {
  return mix64(chain + 0x9e3779b97f4a7c15) ^ checksum;
}

}  // namespace neardup::fingerprint
