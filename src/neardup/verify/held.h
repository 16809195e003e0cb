// How much of a text does a longer one hold? The share of its tokens that lie in runs that both have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/feature/passages.h"

namespace neardup::verify {

/// A token of a text is held by another text if it lies in a run of so many tokens that the other has, too, one after
/// the other.
inline constexpr size_t kHeldRun = feature::kPassageTokens;
/// Shorter texts are contained in none: they say too little to tell a quote from chance.
inline constexpr uint32_t kLeastContained = 24;
/// So many tokens that are not common must be looked at.
inline constexpr uint32_t kLeastOwn = 24;

/// How much of a text another one holds.
struct HeldTokens {
  uint64_t tokens = 0, held = 0;          // of all tokens, and those that are held
  uint64_t own_tokens = 0, own_held = 0;  // the same of those that are not common
  bool operator==(const HeldTokens&) const = default;

  [[nodiscard]] float share() const {
    return tokens == 0 ? 0 : static_cast<float>(static_cast<double>(held) / static_cast<double>(tokens));
  }
  /// Whether the text is contained: `asked` of all its tokens are held, and of those that are not common; of which
  /// there are kLeastOwn at least.
  [[nodiscard]] bool reaches(double asked) const {
    const auto enough = [asked](uint64_t part, uint64_t whole) {
      return static_cast<double>(part) / static_cast<double>(whole) >= asked;  // 55 of 100 reach .55; .55 * 100 is more
    };
    return tokens >= kLeastContained && own_tokens >= kLeastOwn && enough(held, tokens) && enough(own_held, own_tokens);
  }
};

/// Returns whether a text of `longer` tokens can contain one of `shorter`: it has at least `shorter` / `asked`. Texts
/// that differ less are near-duplicates or they are not, which is for the rule to say.
[[nodiscard]] inline bool is_longer(uint64_t longer, uint64_t shorter, double asked) {
  return longer > shorter && static_cast<double>(shorter) / static_cast<double>(longer) <= asked;
}

/// Marks the tokens of common passages in `is_common` (one byte a token, 1 where common): those of each selected
/// passage that is common, and those between two that follow one another. `common[i]`: passages[i] is.
void mark_common(std::span<const feature::Passage> passages, const std::vector<bool>& common, size_t num_tokens,
                 std::vector<uint8_t>& is_common);

/// Returns what `longer` holds of `shorter`. `is_common`: mark_common() of `shorter`; empty: no token is.
/// Runs are told by 64-bit hashes. Cost: sorting the runs of `shorter`, and about 3 ns for each token of `longer`.
/// Memory: 21 bytes for each token of `shorter`.
[[nodiscard]] HeldTokens held_tokens(std::span<const uint32_t> shorter, std::span<const uint32_t> longer,
                                     std::span<const uint8_t> is_common = {});

}  // namespace neardup::verify
