// What one call changed is one record of the log: pieces, each behind its length, as a record is behind its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/bytes.h"
#include "neardup/base/result.h"

namespace neardup::store {

inline constexpr size_t kPieceLengthBytes = sizeof(uint32_t);

inline void append_piece(std::string& record, std::string_view piece) {
  append_little(record, static_cast<uint32_t>(piece.size()));
  record += piece;
}

/// Calls visit(piece) with each, in order. Errors: kCorruption, without the name of the file; those of `visit`.
template <class Visit>
[[nodiscard]] Status for_each_piece(std::string_view record, const Visit& visit) {
  ByteReader reader(record);
  while (!reader.rest().empty()) {
    const std::string_view piece = reader.piece(reader.number<uint32_t>());
    if (!reader.ok()) return fail(Code::kCorruption, "a record of a log does not end where it should");
    NEARDUP_TRY(visit(piece));
  }
  return {};
}

}  // namespace neardup::store
