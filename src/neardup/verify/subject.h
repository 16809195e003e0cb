// The last question of the rule content: are two texts alike, but about two things?
//
// The manual pages of two commands, the facts about two medicines, the figures of two counties may have all but the
// name in common. The name stands at the beginning, and again and again; at the same places the other text has another
// one. A correction changes a word in a few places, and who puts a synonym for a word does not begin with it.
// docs/design/content.md has the trials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/verify/verdict.h"

namespace neardup::verify {

/// A name is a token, no number, that its text has so often at least,
inline constexpr uint64_t kLeastNamed = 4;
/// among its first tokens, this many (further on there are synonyms, and subjects that are renamed),
inline constexpr size_t kTitleTokens = 2;
/// and that the other one has no more than a quarter as often, and not at its own beginning.
inline constexpr uint64_t kNamedMore = 4;
/// Two names stand for each other where, counted over the token before or over the one behind, they have as many
/// neighbours in common; and one of them makes a third of what its text says more than once and the other one never:
/// where much else is said in other words, as in two scripts of one language, no name is the difference.
inline constexpr uint64_t kMostToldParts = 3;

/// Two short texts may differ in nothing else. Then it is enough that a name stands twice, and as often as the shorter
/// one has hundreds of tokens,
inline constexpr uint64_t kLeastNamedAlone = 2, kNamedAloneTokens = 100;
/// among so many first tokens, if the other one has it never, and three quarters of what either of the two says more
/// often than the other is such words that it has twice or more and the other one never.
inline constexpr size_t kBeginningTokens = 10;
inline constexpr uint64_t kAlonePart = 3, kAloneParts = 4;
/// Less is enough for two texts that begin with a title or heading (token::ends_heading()): each of these, which has a
/// word of the other one, has a word beside that its text says again, and so many times as often as the other text at
/// least. Of a heading no more than its first tokens are looked at, this many:
inline constexpr uint64_t kHeadingNamedMore = 2;
inline constexpr size_t kMostHeadingTokens = 64;
/// What is left of a similarity then; nearly equal texts lose less, from this similarity on.
inline constexpr double kOtherSubjectLeft = 0.4, kAlikeWhatever = 0.9;

/// Fills `names` with the tokens by which a text may be named: those of its beginning that it has kLeastNamedAlone
/// times (token::marked_hash() of each), ascending, each once. Cost: about 1 ns a token.
void find_names(std::span<const uint32_t> tokens, std::vector<uint32_t>& names);

/// Returns whether a pair needs no more than their find_names(): one of them has no name that the other one lacks.
[[nodiscard]] bool may_be_other_subjects(std::span<const uint32_t> names_a, std::span<const uint32_t> names_b);

/// Returns whether two texts are about two things by their names: each has one of its own, and these stand for each
/// other, in the one way or the other. The same for (b, a). Cost: sorts both. Memory: kSubjectBytesPerToken.
[[nodiscard]] bool are_other_subjects(std::span<const uint32_t> a, std::span<const uint32_t> b);

/// Returns what becomes of the verdict on two texts of which are_other_subjects() says so.
[[nodiscard]] Verdict of_other_subjects(const Verdict& verdict);

/// Returns what is left of the similarity of two such texts, 0..1.
[[nodiscard]] double left_by_subjects(double similarity);

inline constexpr uint64_t kSubjectBytesPerToken = 24;

}  // namespace neardup::verify
