// The decision about two documents: are they a candidate pair, and are they similar? One for all who ask: dedup,
// explain, evaluate, and who has its documents in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/engine/match/band_rule.h"
#include "neardup/fingerprint/value.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"
#include "neardup/verify/verifier.h"

namespace neardup::engine {

/// By what two texts are compared.
enum class PairRoute {
  kExact,       // equal checksums: nothing more is looked at
  kTooShort,    // one of them has no features (too few tokens, or not read to its end): only an equal text could be a
                // duplicate
  kCharacters,  // both are short texts: signatures of their characters, and the similarity of these
  kMinHash,     // signatures, and the rule
  kSimHash,     // fingerprints, and the rule
};
/// Returns "exact", "too_short", "characters", "minhash" or "simhash".
[[nodiscard]] std::string_view name_of(PairRoute route);

/// What is looked at of a document: views of what was made under the recipe of the decision.
struct PairSide {
  Hash128 checksum = {};
  bool has_features = true;
  std::span<const fingerprint::Fingerprint> fingerprints = {};
  std::span<const uint16_t> signature = {};
  std::span<const uint32_t> tokens = {};      // TextFingerprint::tokens
  std::span<const uint32_t> short_text = {};  // TextFingerprint::short_text; empty: it is none
  std::span<const uint16_t> short_signature =
      {};  // of short_text; where it is empty it is made, in about a microsecond
};
/// Returns views of `text_fingerprint`, which must outlive them.
[[nodiscard]] PairSide side_of(const recipe::TextFingerprint& text_fingerprint);

/// What a decision is made by besides recipe and rule.
struct PairBounds {
  int max_distance = 0;                    // bits, of SimHash
  std::optional<double> size_within = {};  // pairs whose sizes differ by more than this share of the larger are none
  std::optional<double> contained = {};    // DedupOptions::contained: who is contained is no near-duplicate
};

/// Whether two documents meet, and how.
struct Meeting {
  bool are_candidates = false;
  uint32_t distance = 0;  // of signatures in values; of fingerprints in bits, the least of several
};

/// Decides about pairs under one recipe, whose family is settled (settle_family()), and one rule.
/// It depends on the two documents alone, but for rule.common and the common code.
/// Threads: const members from many at once.
class Decision {
 public:
  /// What rule.common points to must outlive it. Errors: those of join::make_bands().
  [[nodiscard]] static Result<Decision> create(const recipe::Recipe& recipe, const verify::Rule& rule,
                                               const PairBounds& bounds);

  /// From now on these n-grams count in no text: verify::Verifier::leave_out().
  void leave_out(std::vector<uint32_t> common_code) { common_code_ = std::move(common_code); }

  [[nodiscard]] const verify::Rule& rule() const { return rule_; }
  [[nodiscard]] const PairBounds& bounds() const { return bounds_; }
  /// Which signatures are candidates, of kCharacters or kMinHash; without bands where the recipe has no signatures.
  [[nodiscard]] const BandRule& band_rule(PairRoute route) const {
    return route == PairRoute::kCharacters ? short_texts_ : signatures_;
  }

  [[nodiscard]] PairRoute route(const PairSide& a, const PairSide& b) const;
  /// The same of two different texts with features, which are both short ones or not.
  [[nodiscard]] PairRoute route(bool are_short) const;
  /// Whether pairs of documents with normalised texts of such sizes are looked at at all.
  [[nodiscard]] bool sizes_fit(uint64_t a, uint64_t b) const;
  /// Requires: `route` is kCharacters, kMinHash or kSimHash, here and below.
  [[nodiscard]] Meeting meet(PairRoute route, const PairSide& a, const PairSide& b) const;
  /// The exact verdict on two texts, candidates or not: whether `b` goes for `a` (verify::Verifier::compare()). Who
  /// compares many takes verifier(). Cost: microseconds for texts of 1,000 tokens.
  [[nodiscard]] verify::Verdict compare(PairRoute route, const PairSide& a, const PairSide& b) const;
  /// Returns whether `b` is removed for `a`. Sizes are not looked at.
  [[nodiscard]] bool are_duplicates(const PairSide& a, const PairSide& b) const;

  /// Gives the verdicts of kMinHash and kSimHash on documents by their numbers, with a cache of `cache_bytes`.
  [[nodiscard]] std::unique_ptr<verify::Verifier> verifier(verify::TokenSource tokens, uint64_t cache_bytes) const;
  /// The same by other counts than those of rule(), which must outlive it.
  [[nodiscard]] std::unique_ptr<verify::Verifier> verifier(verify::TokenSource tokens, uint64_t cache_bytes,
                                                           const verify::Commonness* common) const;

 private:
  Decision() = default;

  recipe::Family family_ = recipe::Family::kMinHash;
  verify::Rule rule_;
  PairBounds bounds_;
  BandRule signatures_;
  BandRule short_texts_;
  std::vector<uint32_t> common_code_;
};

}  // namespace neardup::engine
