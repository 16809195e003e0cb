// How much of a text does a longer one hold? The share of its tokens that lie in runs that both have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/feature/passages.h"
#include "neardup/verify/run_index.h"

namespace neardup::verify {

/// A token of a text is held by another text if it lies in a run of so many tokens that the other has, too, one after
/// the other.
inline constexpr size_t kHeldRun = feature::kPassageTokens;
/// Shorter texts are contained in none: they say too little to tell a quote from chance.
inline constexpr uint32_t kLeastContained = 24;
/// So many own tokens must be looked at.
inline constexpr uint32_t kLeastOwn = 24;

/// How much of a text another one holds. Its own tokens are those that say something of this text alone: they are not
/// common, and not only repeated, which those are that lie in runs only that stand further up in the text, too. So what
/// says the same thing a thousand times has said it once.
struct HeldTokens {
  uint64_t tokens = 0, held = 0;          // of all tokens, and those that are held
  uint64_t own_tokens = 0, own_held = 0;  // the same of its own
  bool operator==(const HeldTokens&) const = default;

  [[nodiscard]] float share() const { return share_of(held, tokens); }
  [[nodiscard]] float own_share() const { return share_of(own_held, own_tokens); }
  /// Whether the text is contained: `asked` of all its tokens are held, and of its own; of which there are kLeastOwn
  /// at least.
  [[nodiscard]] bool reaches(double asked) const {
    return tokens >= kLeastContained && own_tokens >= kLeastOwn && has_share(asked) &&
           is_enough(own_held, own_tokens, asked);
  }
  /// Whether `asked` of all its tokens are held.
  [[nodiscard]] bool has_share(double asked) const { return is_enough(held, tokens, asked); }

 private:
  static bool is_enough(uint64_t part, uint64_t whole, double asked) {
    return static_cast<double>(part) / static_cast<double>(whole) >= asked;  // 55 of 100 reach .55; .55 * 100 is more
  }
  static float share_of(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : static_cast<float>(static_cast<double>(part) / static_cast<double>(whole));
  }
};

/// Returns whether a text of `longer` tokens can contain one of `shorter`: it has at least `shorter` / `asked`. Texts
/// that differ less are near-duplicates or they are not, which is for the rule to say.
[[nodiscard]] inline bool is_longer(uint64_t longer, uint64_t shorter, double asked) {
  return longer > shorter && static_cast<double>(shorter) / static_cast<double>(longer) <= asked;
}

/// Returns the share that a text of `longer` tokens must hold of one of `shorter`, where `asked` is asked for: that, or
/// where it is not twice as long a quarter of the way from 1 to it (.95 for .8). Two texts of about one size that share
/// much are mostly two fillings of one form, and then what differs is what they say.
[[nodiscard]] inline double share_to_hold(uint64_t longer, uint64_t shorter, double asked) {
  return longer / 2 >= shorter ? asked : 1 - (1 - asked) / 4;
}

/// Returns whether of two texts the longer one holds the shorter one: it is so much longer (is_longer()) and has the
/// share_to_hold() of all tokens of the shorter one, common ones too. Who asks for contained texts takes no such pair
/// for near-duplicates, so that a long text is never removed for a short one that it quotes. Cost: where one is longer
/// enough, that of held_tokens().
[[nodiscard]] bool is_held_by_longer(std::span<const uint32_t> a, std::span<const uint32_t> b, double asked);

/// Marks the tokens of common passages in `is_common` (one byte a token, 1 where common): those of each selected
/// passage that is common, and those between two that follow one another. `common[i]`: passages[i] is.
void mark_common(std::span<const feature::Passage> passages, const std::vector<bool>& common, size_t num_tokens,
                 std::vector<uint8_t>& is_common);

/// Returns what `longer` holds of `shorter`. `is_common`: mark_common() of `shorter`; empty: no token is.
/// Runs are told by 64-bit hashes. Cost: sorting the runs of `shorter`, and about 3 ns for each token of `longer`.
/// Memory: kHeldBytesPerToken for each token of `shorter`. Requires: fewer than 2^32 tokens.
[[nodiscard]] HeldTokens held_tokens(std::span<const uint32_t> shorter, std::span<const uint32_t> longer,
                                     std::span<const uint8_t> is_common = {});
/// The same where the runs of the longer one are there: it is not read. Cost: that of `shorter` alone.
[[nodiscard]] HeldTokens held_tokens(std::span<const uint32_t> shorter, const RunIndex& longer,
                                     std::span<const uint8_t> is_common = {});
inline constexpr uint64_t kHeldBytesPerToken = 21;

}  // namespace neardup::verify
