#include "neardup/engine/match/candidate_layer.h"

#include <utility>

namespace neardup::engine {
namespace {

class FingerprintLayer final : public CandidateLayer {
 public:
  FingerprintLayer(std::span<const uint32_t> active, size_t num_fingerprints, int max_distance)
      : active_(active), num_fingerprints_(num_fingerprints), max_distance_(max_distance) {}

  [[nodiscard]] Status join(CandidateJoins& joins) const override {
    for (size_t which = 0; which < num_fingerprints_; ++which)
      NEARDUP_TRY(joins.join_fingerprints(active_, which, max_distance_));
    return {};
  }

 private:
  const std::span<const uint32_t> active_;
  const size_t num_fingerprints_;
  const int max_distance_;
};

class BandedLayer final : public CandidateLayer {
 public:
  explicit BandedLayer(SignatureLayer signatures) : signatures_(std::move(signatures)) {}
  [[nodiscard]] Status join(CandidateJoins& joins) const override { return joins.join_signatures(signatures_); }
  [[nodiscard]] const SignatureLayer* signatures() const override { return &signatures_; }

 private:
  const SignatureLayer signatures_;
};

}  // namespace

std::unique_ptr<CandidateLayer> fingerprint_layer(std::span<const uint32_t> active, size_t num_fingerprints,
                                                  int max_distance) {
  return std::make_unique<FingerprintLayer>(active, num_fingerprints, max_distance);
}

std::unique_ptr<CandidateLayer> banded_layer(SignatureLayer signatures) {
  return std::make_unique<BandedLayer>(std::move(signatures));
}

Status CandidateLayers::join(CandidateJoins& joins) const {
  if (short_texts != nullptr) NEARDUP_TRY(short_texts->join(joins));
  return main->join(joins);
}

CandidateLayers make_layers(const Documents& documents, const ExactGroups& groups, std::span<const uint32_t> active,
                            const ShortTexts& short_texts, const recipe::Recipe& recipe, const Decision& decision,
                            bool all_pairs) {
  CandidateLayers layers;
  const auto bounded = [all_pairs](SignatureLayer layer) {
    if (!all_pairs) layer.most_members = layer.of_short_texts ? kMostShortMembers : kMostMembers;
    return banded_layer(std::move(layer));
  };
  if (!short_texts.groups().empty())
    layers.short_texts = bounded(short_text_layer(short_texts, decision.band_rule(PairRoute::kCharacters)));
  layers.main = recipe.family == recipe::Family::kSimHash
                    ? fingerprint_layer(active, recipe.fingerprints.size(), decision.bounds().max_distance)
                    : bounded({.source = signatures_of(documents, groups, active, recipe.minhash.num_values),
                               .groups = active,
                               .rule = decision.band_rule(PairRoute::kMinHash)});
  return layers;
}

}  // namespace neardup::engine
