// Groups of records: what the records of kGroupSize documents with numbers that follow each other are as bytes: pieces,
// one for what a commit brought, perhaps compressed, and marks of what was erased. docs/formats/redis.md.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::remote::redis {

inline constexpr uint64_t kGroupSize = 128;
inline constexpr size_t kOwnRecordBytes = 512;  // what is longer has a key of its own

/// One record of a piece.
struct PieceRecord {
  uint8_t slot = 0;        // number % kGroupSize
  bool is_own = false;     // it stands under a key of its own, and nothing of it here
  bool is_cut = false;     // the bytes of its fingerprints were cut out, as the first tables tell them:
  size_t cut_at = 0;       // from here,
  std::string homes = {};  // and in these lists of those, as many bytes for each record of a store
  std::string bytes = {};  // what is left
};

/// Returns a piece as it is appended to its group where all of it happened. Requires: 1 to kGroupSize records.
[[nodiscard]] std::string piece_of(std::span<const PieceRecord> records);
/// Returns the body of a piece, which follows the head that the server makes: kind and number, and where not all of
/// them happened a bit for each.
[[nodiscard]] std::string piece_body_of(std::span<const PieceRecord> records);
/// Returns the mark that the record is no more.
[[nodiscard]] std::string erasure_of(uint8_t slot);

struct Group {
  std::array<PieceRecord, kGroupSize> records;
  std::array<bool, kGroupSize> is_there{};
  std::array<bool, kGroupSize> is_erased{};
  size_t num_pieces = 0;  // and marks
};
/// `homes_bytes`: of the homes of one record. Errors: kCorruption.
[[nodiscard]] Result<Group> parse_group(std::string_view bytes, size_t homes_bytes);

/// A record under a key of its own.
[[nodiscard]] std::string own_record_of(std::string_view record);
/// Errors: kCorruption.
[[nodiscard]] Result<std::string> parse_own_record(std::string_view bytes);

}  // namespace neardup::remote::redis
