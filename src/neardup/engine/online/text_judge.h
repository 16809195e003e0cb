// TextJudge: compares what a store keeps of two texts, as dedup compares the texts.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/online/container_judge.h"
#include "neardup/engine/online/text_record.h"
#include "neardup/store/document_store.h"

namespace neardup::engine {

/// How many candidates were compared, and what that said.
struct Comparisons {
  uint64_t unlike = 0;   // share a band, but their signatures are too far apart for the rule to be asked
  uint64_t refused = 0;  // the rule says that they are no duplicates
  uint64_t similar = 0;
};

/// Where all is there that comparing takes, the verdict is Decision's. Where something is missing of one of the two,
/// candidates are similar whose similarity is estimated to be what the rule asks for at least (verify::
/// lowest_threshold()): of signatures the share of equal values, of fingerprints that of equal bits, which is always
/// enough; where there is nothing at all, sharing a band is enough, and the similarity is 1.
class TextJudge : public store::Judge {
 public:
  /// `decision` must outlive it. `contained`: the share by which it tells who contains whom; empty: nobody does.
  /// `learns`: how common n-grams are, from what is stored (NearbyCounts).
  explicit TextJudge(const Decision& decision, std::optional<double> contained = {}, bool learns = false)
      : decision_(decision), learns_(learns) {
    if (contained) containers_.emplace(*contained);
  }
  [[nodiscard]] Result<std::optional<store::Likeness>> compare(const store::Record& arriving,
                                                               const store::Record& stored) const override;
  [[nodiscard]] Comparison comparison_of(const store::Record& arriving) const override;
  [[nodiscard]] std::unique_ptr<store::Lesson> lesson_of(const store::Record& arriving) const override;
  [[nodiscard]] Result<std::vector<store::Container>> containers_of(
      const store::Record& arriving, std::span<const store::Holding> holdings, store::Containing which,
      const store::Judge::ReadStored& read) const override;
  /// Returns those since it was made.
  [[nodiscard]] Comparisons comparisons() const { return {unlike_, refused_, similar_}; }

 private:
  [[nodiscard]] std::optional<store::Likeness> compare(const TextRecord& arriving, const TextRecord& stored) const;
  [[nodiscard]] std::optional<store::Likeness> judge(PairRoute route, const PairSide& arriving,
                                                     const PairSide& stored) const;
  [[nodiscard]] std::optional<store::Likeness> estimate(const PairSide& arriving, const PairSide& stored) const;

  const Decision& decision_;
  const bool learns_;
  std::optional<ContainerJudge> containers_;
  mutable std::atomic<uint64_t> unlike_ = 0, refused_ = 0, similar_ = 0;
};

}  // namespace neardup::engine
