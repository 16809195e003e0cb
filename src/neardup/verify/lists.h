// The question of the rule content about lists: does the one that goes name anything that the one that stays does not?
//
// Archives, tags, results of a search and lists of press releases share half of their items and differ in the others.
// What such a list says alone stands on other pages of its site, too, so it weighs little, and yet it is lost with the
// list. An article that was cut or revised is another matter: token::kListHeadingEnd tells the one from the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "neardup/verify/verdict.h"

namespace neardup::verify {

/// An item is missing where so many tokens in a row are: counts and dates that changed, and borders of items that stand
/// in another order, are fewer.
inline constexpr size_t kLeastMissing = 4;
/// A list goes if one of so many of its tokens at most is missing,
inline constexpr uint64_t kMostMissingPart = 50;
/// and what is left of the similarity where more are.
inline constexpr double kMissingItemsLeft = 0.4;
/// So many first tokens are looked at for the end of a page's title.
inline constexpr size_t kMostListTitle = 256;

/// Returns whether a text (token::marked_hash() of each token) is a page that lists others.
[[nodiscard]] bool is_list(std::span<const uint32_t> tokens);

/// Returns how many tokens of a list stand in items that are missing in another text: in runs of kLeastMissing at least
/// that lie in no 3-gram of the other one, nor of the list's own title; the title does not count. `kept`: the
/// ShingleSet::hashes of the other one, of 3-grams. Cost: a search in `kept` for each token.
[[nodiscard]] uint64_t count_missing(std::span<const uint32_t> list, std::span<const uint32_t> kept);

/// Returns whether that is too much for a list of `num_tokens` to go.
[[nodiscard]] inline bool is_much_missing(uint64_t missing, uint64_t num_tokens) {
  return kMostMissingPart * missing > num_tokens;
}

/// Returns whether `gone` is a list of which too much is missing in `kept`. Not the same for (gone, kept).
[[nodiscard]] bool lists_more(std::span<const uint32_t> kept, std::span<const uint32_t> gone);

/// Returns what becomes of the verdict on two texts of which lists_more() says so.
[[nodiscard]] Verdict of_missing_items(const Verdict& verdict);

}  // namespace neardup::verify
