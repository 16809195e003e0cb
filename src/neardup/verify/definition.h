// The rules by their definition: slow, and what all others are held against.
#pragma once

#include <cstdint>
#include <vector>

#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"

namespace neardup::verify {

/// Returns the verdict for two token sequences by the definition itself: sets of whole n-grams, no hashes, no bounds.
/// Slow (microseconds a token): for a single pair, and for tests to hold on to.
[[nodiscard]] Verdict compare_tokens(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

/// Returns what origin with templates looks at besides, by the definition itself. Slow likewise.
[[nodiscard]] NumberMatch compare_numbers(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

/// Returns the similarity from which on `rule` accepts two such texts. As slow.
[[nodiscard]] double asked_similarity(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

}  // namespace neardup::verify
