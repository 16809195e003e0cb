// Which features make each bit of a fingerprint, and which of them make two fingerprints differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "neardup/recipe/explain.h"

namespace neardup::explain {

/// One feature in both texts; weight and count 0 = not there. Of a single text the second ones are 0.
struct FeatureRow {
  uint64_t hash = 0;
  std::string text;
  double weights[2] = {0, 0};
  uint32_t counts[2] = {0, 0};
  uint64_t begin = 0;  // where it stands first
};

/// Returns the features of one or two fingerprints, heaviest first, then in order of the text.
[[nodiscard]] std::vector<FeatureRow> merge_features(
    const std::vector<const recipe::ExplainedFingerprint*>& fingerprints);

/// Returns +1 where the feature votes for the bit being 1, else -1.
[[nodiscard]] inline int vote_of(uint64_t hash, int bit) { return (hash >> bit & 1) != 0 ? 1 : -1; }

/// A feature's part in a bit.
struct BitShare {
  const recipe::ExplainedFeature* feature = nullptr;  // lives in the fingerprint that was asked about
  double share = 0;                                   // of all weights, 0..1
};

/// How a bit came about. The heaviest features on each side, at most as many as asked for.
struct BitVotes {
  double pro = 0;     // weights that vote for 1
  double contra = 0;  // weights that vote for 0; the bit is 1 where pro > contra
  std::vector<BitShare> top_pro, top_contra;
};
[[nodiscard]] BitVotes explain_bit(const recipe::ExplainedFingerprint& explained_fingerprint, int bit, size_t top);

/// A feature that pushes differing bits apart. In each bit in which two fingerprints differ, features that only one
/// text has, or weighs more, push the counter from A's side to B's; a feature's part in the bit is its share of that
/// push.
struct Mover {
  FeatureRow feature;
  double bits = 0;  // its parts added up; those of all movers add up to the distance
};
/// Returns the movers, strongest first.
[[nodiscard]] std::vector<Mover> find_movers(const recipe::ExplainedFingerprint& a,
                                             const recipe::ExplainedFingerprint& b);

/// Returns the movers of a single bit in which `a` and `b` differ; their parts add up to 1.
[[nodiscard]] std::vector<Mover> find_movers_of_bit(const recipe::ExplainedFingerprint& a,
                                                    const recipe::ExplainedFingerprint& b, int bit);

}  // namespace neardup::explain
