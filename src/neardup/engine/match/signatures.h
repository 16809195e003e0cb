// Signatures of the documents that are matched, and which of their pairs are worth verifying.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "neardup/base/large_array.h"
#include "neardup/engine/match/band_rule.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/read/documents.h"
#include "neardup/join/band_words.h"
#include "neardup/join/late_rows.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/rule.h"

namespace neardup::engine {

/// Returns the signatures of the preferred documents of `groups[active[0]]`, `groups[active[1]]`, ... as rows that are
/// read from the work folder. All three must outlive it.
[[nodiscard]] join::SignatureSource signatures_of(const Documents& documents, const ExactGroups& groups,
                                                  std::span<const uint32_t> active, int num_values);

/// Reads all rows of a source. Errors: what it returns.
[[nodiscard]] Result<LargeArray<uint16_t>> load_signatures(const join::SignatureSource& source);

/// Returns whether signatures are of the n-grams that `rule` compares, so that they estimate its similarity.
[[nodiscard]] bool signs_what_is_compared(const verify::Rule& rule, const recipe::MinHashSpec& spec);

/// Returns how many values of two signatures must be equal for their pair to be verified (the sketch bound). Where the
/// sets that were signed have the lowest similarity that `rule` can accept, fewer are equal in one of 100,000 pairs,
/// and the more similar a pair, the rarer. 0 where the signature's n-grams are longer than those of the rule, or count
/// phrases as one token: then the rule says nothing about them.
/// Of source code all n-grams are signed, and the rule leaves out common ones (verify/common_code.h). That makes two
/// texts that both have them less similar to the rule, never more, so the bound holds. Where one of two has them, and
/// about three times as many as others, the rule may accept a pair that the bound dismisses (the bands miss most of
/// these, too).
[[nodiscard]] int sketch_bound(const verify::Rule& rule, const recipe::Recipe& recipe);

/// So many texts of a bucket are compared with all behind them under the rule content; and so many short texts, which
/// have less to be told apart by: docs/design/frames.md.
inline constexpr uint32_t kMostMembers = 16, kMostShortMembers = 32;

/// Signatures, and what makes two of them a candidate pair.
struct SignatureLayer {
  join::SignatureSource source;      // row i: of groups[i]
  std::span<const uint32_t> groups;  // ascending
  BandRule rule;
  bool of_short_texts = false;  // two short texts are compared by these alone
  /// Of the texts of a bucket the first so many are compared with all behind them, and no others there; 0: all with
  /// all.
  uint32_t most_members = 0;
};

/// Returns whether the candidate pair of the groups g < h meets in a band where the row of g is not late: then stars
/// compare it. Errors: those of reading.
[[nodiscard]] Result<bool> is_compared(const SignatureLayer& layer, const join::LateRows& late, uint32_t g, uint32_t h);

/// Reads two rows and returns in how many values they differ; nothing where they are no candidate pair.
[[nodiscard]] Result<std::optional<uint32_t>> candidate_distance(const SignatureLayer& layer, uint32_t g, uint32_t h);

}  // namespace neardup::engine
