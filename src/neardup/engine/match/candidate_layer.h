// What stands for the documents that are matched, and how their candidate pairs are found: all that differs between
// families. A further family is one more kind of layer here, and one more route in decision.h.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "neardup/engine/match/candidate_joins.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/match/ranking.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/engine/read/documents.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

/// Threads: const members from many at once, join() but from one at a time.
class CandidateLayer {
 public:
  virtual ~CandidateLayer() = default;
  /// Hands all candidate pairs of the layer to the sink of `joins`. Errors: those of reading and joining.
  [[nodiscard]] virtual Status join(CandidateJoins& joins) const = 0;
  /// The signatures whose bands make the candidates: stars and components are then found without a list of pairs.
  /// Null where there are none.
  [[nodiscard]] virtual const SignatureLayer* signatures() const { return nullptr; }
};

/// The layers of a run: the family's own, which holds all `active` groups, and that of short texts where there are any.
struct CandidateLayers {
  std::unique_ptr<CandidateLayer> main;
  std::unique_ptr<CandidateLayer> short_texts;  // may be null; it always has signatures

  /// All there are, short texts first.
  [[nodiscard]] Status join(CandidateJoins& joins) const;
};

/// Makes the layers of a recipe whose family is settled. `all_pairs`: no pair of a crowded bucket is left out. All
/// references must outlive them.
[[nodiscard]] CandidateLayers make_layers(const Documents& documents, const ExactGroups& groups,
                                          std::span<const uint32_t> active, const ShortTexts& short_texts,
                                          const recipe::Recipe& recipe, const Decision& decision, bool all_pairs);

/// Fingerprints: pairs within max_distance bits in one of several.
[[nodiscard]] std::unique_ptr<CandidateLayer> fingerprint_layer(std::span<const uint32_t> active,
                                                                size_t num_fingerprints, int max_distance);
/// Signatures: pairs that meet in a band, and are equal in enough values.
[[nodiscard]] std::unique_ptr<CandidateLayer> banded_layer(SignatureLayer signatures);

}  // namespace neardup::engine
