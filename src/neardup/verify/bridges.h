// The second look of the rule content: texts that differ in single words all over.
//
// A misread letter, another word for the same, a word left out: each breaks up to three 3-grams. Where every fifth word
// is another one, a third of the 3-grams is left, as in two texts that have a third of their paragraphs in common. What
// tells the two apart is where the differences are: here each is small, and lies between two runs that both texts have
// one behind the other, and few other texts have. That is a bridge. Where a form is filled in there are such places,
// too, but the form is common to many; and where a name stands for another one, it does so again and again.
// docs/design/content.md has the trials.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/verify/commonness.h"

namespace neardup::verify {

/// A bridge has at most this many tokens on each side,
inline constexpr uint32_t kBridgeTokens = 8;
/// one side at most this many more than the other, and no number. The 3-grams at its two ends occur once in each text,
/// and weigh at least a quarter of one that no other text has.
inline constexpr uint32_t kBridgeSkew = 2;
/// Bridges count unless the tokens they replace (those of one side that the other lacks) are more than this part of the
/// tokens of either text,
inline constexpr double kMostReplaced = 0.3;
/// or more than this part of them are names for others: tokens that a text has twice or more and the other one never.
inline constexpr double kMostRenamed = 0.25;

/// One text of a pair that is looked at again. Memory: kBridgeBytesPerToken.
class BridgedText {
 public:
  /// `tokens`: as the rule takes them. `both`: hashes of the 3-grams that both texts have, ascending, each once.
  BridgedText(std::vector<uint32_t> tokens, std::span<const uint32_t> both);

  /// Returns a bound from above of what bridged_share() makes of this text and any other. Cost: linear.
  [[nodiscard]] double most_bridged(const Commonness* common) const;

 private:
  friend class Bridges;
  friend double bridged_share(BridgedText& a, BridgedText& b, size_t num_both, const Commonness* common);
  static constexpr uint32_t kNotBoth = UINT32_MAX;

  [[nodiscard]] uint64_t weight_at(size_t place, const Commonness* common) const;
  [[nodiscard]] double bridged(const Commonness* common) const;
  [[nodiscard]] std::vector<uint32_t> places_of_single(size_t num_both) const;

  std::vector<uint32_t> tokens_;
  std::vector<uint32_t> hashes_;    // of the 3-grams, in order of the text
  std::vector<uint32_t> both_;      // of each: its index in `both`, or kNotBoth
  std::vector<char> is_bridged_;    // of each
  std::vector<uint32_t> replaced_;  // tokens
};

/// Returns which part of the weight of a text's 3-grams (content_rule.h), as they occur, the other text has as well, or
/// has a bridge over: of the text where that is less. 0 where bridges do not count, and for texts of fewer than 3
/// tokens. The same for (b, a). Each pair of texts once. `num_both`: the size of `both`, the same for both texts.
/// Cost: linear, and sorting what is replaced.
[[nodiscard]] double bridged_share(BridgedText& a, BridgedText& b, size_t num_both, const Commonness* common);

/// The same for two token sequences.
[[nodiscard]] double bridged_share(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b,
                                   std::span<const uint32_t> both, const Commonness* common);

inline constexpr uint64_t kBridgeBytesPerToken = 32;

}  // namespace neardup::verify
