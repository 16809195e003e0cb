// Rows that share a band with another one: all others have no candidates, and need not be looked at again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/join/band_words.h"
#include "neardup/join/bands.h"

namespace neardup::join {

/// What finding them may take.
struct MeetingMeans {
  int num_threads = 0;        // 0 = all cores
  uint64_t memory_bytes = 0;  // beyond a bit for each row, and the result
};

/// Returns the rows that agree with another one in all values of a band, ascending; and a few more, whose bands share
/// half of a 64-bit hash by chance. Cost: a sort for each band, about 30 ns a row, and a pass over the signatures for
/// as many bands as fit, of 8 bytes a row each; where not even one fits, for a part of its rows. Errors: what the
/// source returns, kCancelled.
[[nodiscard]] Result<std::vector<uint32_t>> find_meeting_rows(const SignatureSource& signatures,
                                                              std::span<const Band> bands, const MeetingMeans& means,
                                                              const Context& context);

/// Returns the rows `rows` of `source` as rows 0, 1, ... Both must outlive it.
[[nodiscard]] SignatureSource some_rows(const SignatureSource& source, std::span<const uint32_t> rows);

}  // namespace neardup::join
