// Where two texts say the same words, does one say the opposite, or another quantity?
//
// The bulletins of two sessions ("the second", "the fourth"), an insured bond and a municipal one, prices that are
// raised and that are lowered: one word for another, at the same place, is all. In revisions of a law, where paragraphs
// are renumbered, all numbers move, each to another one, and the words around them are many. docs/design/content.md has
// the trials.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/verify/verdict.h"

namespace neardup::verify {

/// Two texts are turned if two turning words (turning_words.h) at least are opposed (a word has two places; one that is
/// changed may be a correction), and of all at places that both have this part,
inline constexpr uint64_t kLeastOpposed = 4, kTurnedPart = 16;  // one of so many
/// at least half of these by the same two words, at as many places at least as the shorter one has hundreds of tokens.
inline constexpr uint64_t kTurnedTokens = 100;
/// What is left of their similarity.
inline constexpr double kTurnedLeft = 0.4;

/// Turning words at places that both texts have; each word has two places.
struct TurnedMatch {
  uint64_t placed = 0;   // at places that both have
  uint64_t opposed = 0;  // of them
  uint64_t most = 0;     // of these, by the two words that are opposed most often
  bool operator==(const TurnedMatch&) const = default;
};

/// Replaces `placed` by two numbers for each turning word among `tokens`, as place_numbers() does; numbers count as
/// such words where they stand beside one. Cost: about 1 ns a token. Memory: 16 bytes a turning word.
void place_turning(std::span<const uint32_t> tokens, std::vector<uint64_t>& placed);

/// Compares what place_turning() has made of two texts. The same for (b, a). Cost: one merge.
[[nodiscard]] TurnedMatch match_turning(std::span<const uint64_t> a, std::span<const uint64_t> b);

/// Returns whether that turns a text of `num_tokens`, those of the shorter one.
[[nodiscard]] bool is_turned(const TurnedMatch& match, uint64_t num_tokens);

/// Returns is_turned() of two texts, of which nothing is known yet.
[[nodiscard]] bool are_turned(std::span<const uint32_t> a, std::span<const uint32_t> b);

/// Returns what becomes of the verdict on two texts of which one is_turned().
[[nodiscard]] Verdict of_turned(const Verdict& verdict);

}  // namespace neardup::verify
