// diff: where two texts differ, word by word, for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace neardup::diff {

enum class DiffKind {
  kEqual,  // the same words in both, perhaps with other white space between them, or folded to the same
  kOnlyA,
  kOnlyB,
};

/// A run of words. `a` is empty for kOnlyB, `b` for kOnlyA. Views point into the two texts.
struct DiffPiece {
  DiffKind kind = DiffKind::kEqual;
  std::string_view a, b;
};

/// Returns what a word is compared as.
using FoldWord = std::function<std::string(std::string_view word)>;

/// How much work diff_words may do before it settles for less than the smallest difference; about 0.2 s.
inline constexpr uint64_t kDefaultDiffSteps = 50'000'000;

/// Returns the pieces of `a` and `b` in order: the `a` views put together are `a`, the `b` views are `b`. No two
/// neighbours are of one kind; of a change the words of `a` come first. A word is a run of letters and digits with its
/// marks, apostrophes inside included; characters of scripts without spaces (Chinese, Japanese, Thai, ...), punctuation
/// and symbols count one each; white space belongs to the word before it and is not compared. Case is, unless
/// `fold_word` takes it away; it is called once for each different word.
/// The number of equal words is the largest possible, unless that takes more than `max_steps`: what is left is then
/// matched by the words that occur once in both. Any bytes will do.
/// Cost: O((words) * (differing words)) and at most `max_steps`, plus O(size * log(size)); memory about 3 times the
/// texts. Lifetime: views are valid as long as both texts are. See: Myers, "An O(ND) difference algorithm and its
/// variations" (1986), section 4b.
[[nodiscard]] std::vector<DiffPiece> diff_words(std::string_view a, std::string_view b,
                                                uint64_t max_steps = kDefaultDiffSteps, const FoldWord& fold_word = {});

/// Returns how many equal words are written differently: what only folding made equal.
[[nodiscard]] size_t count_folded(const std::vector<DiffPiece>& pieces);

/// Returns `pieces` easier to read: a match of very few characters between two longer changes (a comma, an "of")
/// becomes part of one change.
[[nodiscard]] std::vector<DiffPiece> merge_small_matches(const std::vector<DiffPiece>& pieces);

/// Changes with a little of the equal text around them.
struct DiffHunk {
  size_t skipped_characters = 0;  // of equal text left out before this hunk, white space not counted
  std::vector<DiffPiece> pieces;  // empty only in the last hunk, which then counts the equal text at the end
};

/// Returns `pieces` with the middle of each long equal stretch left out: about `context` characters stay beside each
/// change, cut between words, at white space where there is some. Equal stretches that would hardly get shorter stay
/// whole. No changes: one hunk with the beginning.
[[nodiscard]] std::vector<DiffHunk> fold_equal(const std::vector<DiffPiece>& pieces, size_t context);

}  // namespace neardup::diff
