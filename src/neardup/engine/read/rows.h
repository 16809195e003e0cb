// What the read stage keeps of each document and each batch: fixed-size rows, as they stand on disk.
#pragma once

#include <cstdint>
#include <type_traits>

#include "neardup/base/hash.h"

namespace neardup::engine {

inline constexpr uint32_t kHasFeatures = 1;  // recipe::TextFingerprint::has_features
inline constexpr uint32_t kHasId = 2;        // its own id; else "name:line" stands in
inline constexpr uint32_t kIsReference = 4;  // of --reference: read only
inline constexpr uint32_t kNotUtf8 = 8;      // corpus::Document::not_utf8
inline constexpr uint32_t kNotWhole = 16;    // not recipe::TextFingerprint::whole
inline constexpr uint32_t kCut = 32;         // recipe::TextFingerprint::cut
inline constexpr uint32_t kHasUnread = 64;   // of a rejection: corpus::Rejection::unread is set
inline constexpr uint32_t kIsNote = 128;     // no rejected record: corpus::Batch::notes
inline constexpr uint32_t kIsStored = 256;   // kIsReference, and of a store
inline constexpr uint32_t kNoGroup = 0xFFFFFFFF;

/// One document. Offsets count from the start of its part's ids.bin and tokens.bin.
struct Row {
  Hash128 checksum;
  uint64_t size_bytes = 0;  // of the normalised text
  uint64_t id_offset = 0;
  uint64_t tokens_offset = 0;  // in tokens, not bytes
  double keep_key = 0;         // the keep rule's key, lower is better
  uint32_t id_size = 0;
  uint32_t num_tokens = 0;
  uint32_t batch = 0;         // in its part
  uint32_t line = 0;          // in its batch
  uint32_t input = 0;         // references first, then inputs
  uint32_t group = kNoGroup;  // in its part's table of group values
  uint32_t flags = 0;
  uint32_t text_bytes = 0;  // of the text as it came, capped at 2^32 - 1; for the figures of the report
  uint64_t within = 0;      // hash of the --within field; part of the checksum, too
  uint32_t short_size =
      0;  // numbers of recipe::short_text_features() behind the tokens; 0 for texts that are not short
  uint32_t reserved = 0;
};
static_assert(sizeof(Row) == 96 && std::is_trivially_copyable_v<Row>);

/// Returns `checksum` with the hash of the --within field made a part of it; once more, and it is as it was.
[[nodiscard]] constexpr Hash128 fold_within(const Hash128& checksum, uint64_t within) {
  return {.high = checksum.high ^ mix64(within + 1), .low = checksum.low ^ mix64(within)};
}

/// One batch of one input (of text files: of several).
struct BatchRow {
  uint64_t first_document = 0;  // in its part
  uint64_t num_lines = 0;
  uint32_t num_documents = 0;
  uint32_t num_rejected = 0;
  uint32_t input = 0;
  uint32_t flags = 0;     // kIsReference
  uint64_t checksum = 0;  // corpus::Batch::checksum
};
static_assert(sizeof(BatchRow) == 40 && std::is_trivially_copyable_v<BatchRow>);

/// A rejected record, or a note (kIsNote); `size_bytes` bytes of a JSON fragment follow
/// ("reason":...,"message":...,"excerpt":...), which begins with the reason's `reason_bytes` bytes in plain.
struct RejectedRow {
  uint32_t batch = 0;
  uint32_t line = 0;
  uint32_t input = 0;
  uint32_t reason_bytes = 0;
  uint32_t size_bytes = 0;
  uint32_t flags = 0;
};
static_assert(sizeof(RejectedRow) == 24 && std::is_trivially_copyable_v<RejectedRow>);

}  // namespace neardup::engine
