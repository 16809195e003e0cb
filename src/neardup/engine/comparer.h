// Compares pairs of texts under every rule at once: the similarities from which all verdicts follow.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "neardup/cluster/cluster.h"
#include "neardup/engine/band_levels.h"
#include "neardup/engine/documents.h"
#include "neardup/engine/long_pairs.h"
#include "neardup/engine/ranking.h"
#include "neardup/verify/verify.h"

namespace neardup::engine {

struct Compared {
  float jaccard3 = 0;
  float jaccard5 = 0;
  bool is_code = false;        // the verdict of the rule code, of source code
  bool is_origin = false;      // the verdict of the rule origin
  bool other_numbers = false;  // origin with templates refuses it, although is_origin
  bool are_short = false;      // two short texts: the rules origin look at their characters instead
  uint32_t level = 0;          // the first one at which the pair is a candidate
  uint32_t num_equal = 0;      // signature values, of MinHash
};

/// Holds the n-gram sets of recently used groups. Threads: all members from many at once.
class Comparer {
 public:
  /// `levels` of MinHash, or null: then a candidate's distance is its level. `templates`: also compare numbers.
  /// `is_code`: also compare by the rule code, which the tokens must be marked for.
  Comparer(const Documents& documents, const ExactGroups& groups, const BandLevels* levels, bool templates,
           bool is_code, uint64_t memory_bytes, int num_threads);

  /// What the rule code leaves out: Verifier::leave_out().
  void leave_out(std::vector<uint32_t> common_code) {
    if (code_) code_->leave_out(std::move(common_code));
  }

  [[nodiscard]] Result<Compared> compare(const cluster::Candidate& pair);
  /// Fills out[i] for pairs[i], on all threads.
  [[nodiscard]] Status compare_all(std::span<const cluster::Candidate> pairs, std::vector<Compared>& out,
                                   const Context& context);

 private:
  const BandLevels* levels_;
  int num_threads_;
  verify::Verifier origin_;
  verify::Verifier jaccard_;
  std::optional<verify::Verifier> code_;
  LongPairs long_pairs_;
};

}  // namespace neardup::engine
