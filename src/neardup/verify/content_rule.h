// The rule content: what readers call the same. Common runs of words say little, and other numbers make another text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/verify/commonness.h"
#include "neardup/verify/shingles.h"
#include "neardup/verify/verdict.h"

namespace neardup::verify {

/// The n of the n-grams that the rule weighs.
inline constexpr int kContentNgram = 3;
/// Of two texts that share this part of their 3-grams at least,
inline constexpr double kContentJaccard = 0.40;
/// those are accepted whose content_similarity() is at least this.
inline constexpr double kContentThreshold = 0.45;
/// Nearly whole copies are the same however many others have what they share (whole_similarity()), as long as neither
/// says so much that few others do, in 3-grams weighed by rarity.
inline constexpr double kMostOwn = 48;
/// Others whose J3 and content_similarity() are both at least this,
inline constexpr double kAlmostSimilar = 0.25;
/// and each of which has this part of its weight in common, are looked at once more,
inline constexpr double kAlmostCommon = 0.4;
/// and accepted if their bridged_share() (bridges.h), less likewise, is at least this.
inline constexpr double kBridgedThreshold = 0.75;
inline constexpr double kBridgesTake = 0.1;
/// What is lost where no number is in both texts; docs/design/content.md has the alternatives.
inline constexpr double kNumbersWeight = 0.4;

/// What an n-gram counts that `others` other texts have as well: 1 / (1 + (others / 2)^1.5), in units of 2^-16: half
/// with two of them, a fifth with five, little from ten on. The last stands for all that are counted to the end, of
/// which many have more, and is about that of twenty. Integers, so that sums are the same in any order.
inline constexpr uint32_t kCommonWeights[Commonness::kMost + 1] = {
    65536, 48418, 32768, 23100, 17118, 13232, 10577, 8683, 7282, 6214, 5380, 4715, 4175, 3730, 3357, 1966};

/// Sums of kCommonWeights over the 3-grams that both texts have, and over those that one of them has.
struct CommonSums {
  uint64_t both = 0, only_a = 0, only_b = 0;
  [[nodiscard]] uint64_t all() const { return both + only_a + only_b; }
};

/// The number tokens (token::is_marked_number) of both texts, each as often as it occurs.
struct NumberCounts {
  uint64_t fewer = 0;   // of the text that has fewer
  uint64_t common = 0;  // that both have
  bool operator==(const NumberCounts&) const = default;
};

/// Returns the similarity that the rule looks at, 0..1: the share of the weight that is common, less up to
/// kNumbersWeight of it by the share of numbers that are not. No numbers in one of them: nothing is lost.
/// Or what whole_similarity() says, less likewise, where that is more.
[[nodiscard]] double content_similarity(const CommonSums& sums, const NumberCounts& numbers, double jaccard);

/// Returns how far two texts are copies of the whole, 0..1, whoever else has what they share, as texts have that are
/// carried everywhere. `jaccard`: their J3. From 0 where half of the 3-grams are in both to 1 where all are, less in
/// proportion to what the one says that has more of its own, by rarity: nothing is left where that is kMostOwn.
[[nodiscard]] double whole_similarity(const CommonSums& sums, double jaccard);

/// Returns what is left of a similarity for the numbers, 1 - kNumbersWeight to 1.
[[nodiscard]] double left_by_numbers(const NumberCounts& numbers);

/// Returns what an n-gram weighs that `own` of the two texts have. `common`: of the corpus, or null: then all weigh the
/// same.
[[nodiscard]] uint32_t weight_of(uint32_t hash, uint32_t own, const Commonness* common);

/// Returns what the 3-grams of a set weigh. `common`: of the corpus, always the same for one set, or null: then all
/// weigh the same. Requires: set.weights is not null. Cost: about 5 ns each, the first time.
[[nodiscard]] const NgramWeights& weights_of(const ShingleSet& set, const Commonness* common);

/// Returns the sums of two sets by their weights_of(). `both`: the places in `a` of what both have (find_common()).
/// Cost: linear in `both`.
[[nodiscard]] CommonSums sum_weights(const ShingleSet& a, const ShingleSet& b, std::span<const uint32_t> both,
                                     const Commonness* common);

/// Fills `numbers` with the number tokens of `tokens`, ascending, each as often as it occurs.
void collect_numbers(std::span<const uint32_t> tokens, std::vector<uint64_t>& numbers);
/// Counts them in two such lists.
[[nodiscard]] NumberCounts count_numbers(std::span<const uint64_t> a, std::span<const uint64_t> b);

/// What was found by the sets of two texts alone.
struct ContentVerdict {
  Verdict verdict;         // exact, but for the second look
  bool is_almost = false;  // not similar, but near enough to be looked at again
};
[[nodiscard]] ContentVerdict verdict_of(const CommonSums& sums, const NumberCounts& numbers, double jaccard);
/// `both`: as of sum_weights().
[[nodiscard]] ContentVerdict compare_content(const ShingleSet& a, const ShingleSet& b, std::span<const uint32_t> both,
                                             const Commonness* common);

/// The second look: returns the verdict about a pair that is almost similar, by its bridged_share(). Where they are
/// similar now, `similarity` is less by kBridgesTake of what the first look found apart: 1 is said of equal content
/// alone.
[[nodiscard]] Verdict look_again(const Verdict& almost, double bridged_share, const NumberCounts& numbers);

/// The definition: by sets of whole n-grams. `a` stays, and `b` goes if they are similar; the same for (b, a) where
/// neither is_list() (lists.h). Slow (microseconds a token).
[[nodiscard]] Verdict compare_content_tokens(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b,
                                             const Commonness* common);

}  // namespace neardup::verify
