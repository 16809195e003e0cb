// Matcher: what texts that come one after the other are fingerprinted and decided by, before any has come.
#pragma once

#include <memory>

#include "neardup/base/result.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/options.h"
#include "neardup/feature/idf.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/commonness.h"

namespace neardup::engine {

/// Threads: any number read it.
struct Matcher {
  recipe::Recipe recipe;  // its family is settled
  std::shared_ptr<const feature::Idf> idf;
  std::shared_ptr<const verify::Commonness> common;  // what the decision's rule points to
  Decision decision;
  bool learns = false;          // how common n-grams are, from what has come: NearbyCounts
  bool bounds_buckets = false;  // weighs_by_rarity()
  /// Returns how many texts that share a band stand for it where a text comes: docs/design/frames.md. 0: all.
  [[nodiscard]] uint32_t most_sharing(const PairSide& side) const;
};

/// Of `options` recipe, family, idf_file, checksum, distance, verify, contained, commonness_file and memory_bytes are
/// looked at. Where no distance is given, it is that of a million documents. Errors: kInvalidArgument where the recipe
/// learns from its input, which is not there yet, and those of check_rule(); kUnsupported for the rule code, which
/// learns what a corpus has in common; those of loading.
[[nodiscard]] Result<Matcher> make_matcher(DedupOptions options);

}  // namespace neardup::engine
