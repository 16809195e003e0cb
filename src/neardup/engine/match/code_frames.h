// What the texts of a corpus of source code have in common, for the rule `code`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/engine/match/ranking.h"
#include "neardup/engine/read/documents.h"

namespace neardup::engine {

/// Returns the common n-grams (verify/common_code.h) of a sample of at most 512 of the groups `active`, evenly spaced;
/// none where there are fewer than 64. Texts of more than a million tokens are passed over. Memory: at most 50 MB.
/// Errors: those of reading.
[[nodiscard]] Result<std::vector<uint32_t>> common_code(const Documents& documents, const ExactGroups& groups,
                                                        std::span<const uint32_t> active);

}  // namespace neardup::engine
