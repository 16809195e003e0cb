#include "neardup/engine/match/decision.h"

#include <algorithm>
#include <bit>

#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/verify/short_texts.h"

namespace neardup::engine {
namespace {

Result<BandRule> band_rule_of(const recipe::MinHashSpec& spec, int min_equal) {
  return BandRule::create(spec.num_values, spec.bands, spec.rows, min_equal);
}

uint32_t least_distance(std::span<const fingerprint::Fingerprint> a, std::span<const fingerprint::Fingerprint> b) {
  int least = fingerprint::kNumBits;
  for (size_t i = 0; i < a.size(); ++i) least = std::min(least, std::popcount(a[i] ^ b[i]));
  return static_cast<uint32_t>(least);
}

Agreement agree_by_characters(const PairSide& a, const PairSide& b) {
  std::vector<uint16_t> made_a, made_b;
  const auto signature = [](const PairSide& side, std::vector<uint16_t>& made) -> std::span<const uint16_t> {
    if (!side.short_signature.empty()) return side.short_signature;
    return made = short_text_signature(side.short_text);
  };
  return agreement_of(signature(a, made_a), signature(b, made_b));
}

}  // namespace

std::string_view name_of(PairRoute route) {
  switch (route) {
    case PairRoute::kExact:
      return "exact";
    case PairRoute::kTooShort:
      return "too_short";
    case PairRoute::kCharacters:
      return "characters";
    case PairRoute::kMinHash:
      return "minhash";
    case PairRoute::kSimHash:
      return "simhash";
  }
  return {};
}

PairSide side_of(const recipe::TextFingerprint& text_fingerprint) {
  return {.checksum = text_fingerprint.checksum,
          .has_features = text_fingerprint.has_features,
          .fingerprints = text_fingerprint.fingerprints,
          .signature = text_fingerprint.signature,
          .tokens = text_fingerprint.tokens,
          .short_text = text_fingerprint.short_text};
}

Result<Decision> Decision::create(const recipe::Recipe& recipe, const verify::Rule& rule, const PairBounds& bounds) {
  Decision decision;
  decision.family_ = recipe.family;
  decision.rule_ = rule;
  decision.bounds_ = bounds;
  NEARDUP_ASSIGN(decision.short_texts_, band_rule_of(short_text_spec(), short_text_bound()));
  if (recipe.family == recipe::Family::kMinHash) {
    NEARDUP_ASSIGN(decision.signatures_, band_rule_of(recipe.minhash, sketch_bound(rule, recipe)));
  }
  return decision;
}

PairRoute Decision::route(bool are_short) const {
  if (are_short && verify::looks_at_characters(rule_)) return PairRoute::kCharacters;
  return family_ == recipe::Family::kMinHash ? PairRoute::kMinHash : PairRoute::kSimHash;
}

PairRoute Decision::route(const PairSide& a, const PairSide& b) const {
  if (a.checksum == b.checksum) return PairRoute::kExact;
  if (!a.has_features || !b.has_features) return PairRoute::kTooShort;
  return route(!a.short_text.empty() && !b.short_text.empty());
}

bool Decision::sizes_fit(uint64_t a, uint64_t b) const {
  if (!bounds_.size_within) return true;
  const auto [smaller, larger] = std::minmax(a, b);
  return static_cast<double>(larger - smaller) <= *bounds_.size_within * static_cast<double>(larger);
}

Meeting Decision::meet(PairRoute route, const PairSide& a, const PairSide& b) const {
  if (route == PairRoute::kSimHash) {
    const uint32_t distance = least_distance(a.fingerprints, b.fingerprints);
    return {distance <= static_cast<uint32_t>(bounds_.max_distance), distance};
  }
  const Agreement agreement =
      route == PairRoute::kCharacters ? agree_by_characters(a, b) : agreement_of(a.signature, b.signature);
  return {band_rule(route).are_candidates(agreement), agreement.distance()};
}

verify::Verdict Decision::compare(PairRoute route, const PairSide& a, const PairSide& b) const {
  if (route == PairRoute::kCharacters) return verify::compare_short_texts(rule_, a.short_text, b.short_text);
  const auto tokens = [&a, &b](uint32_t which, std::vector<uint32_t>& out) -> Status {
    const std::span<const uint32_t> of_side = which == 0 ? a.tokens : b.tokens;
    out.assign(of_side.begin(), of_side.end());
    return {};
  };
  return *verifier(tokens, 0)->compare_exactly(0, 1);  // the source has no errors
}

bool Decision::are_duplicates(const PairSide& a, const PairSide& b) const {
  const PairRoute by = route(a, b);
  if (by == PairRoute::kExact || by == PairRoute::kTooShort) return by == PairRoute::kExact;
  return meet(by, a, b).are_candidates && compare(by, a, b).similar;
}

std::unique_ptr<verify::Verifier> Decision::verifier(verify::TokenSource tokens, uint64_t cache_bytes) const {
  return verifier(std::move(tokens), cache_bytes, rule_.common);
}

std::unique_ptr<verify::Verifier> Decision::verifier(verify::TokenSource tokens, uint64_t cache_bytes,
                                                     const verify::Commonness* common) const {
  verify::Rule rule = rule_;
  rule.common = common;
  auto verifier = std::make_unique<verify::Verifier>(rule, std::move(tokens), cache_bytes);
  verifier->leave_out(common_code_);
  if (bounds_.contained) verifier->leave_contained(*bounds_.contained);
  return verifier;
}

}  // namespace neardup::engine
