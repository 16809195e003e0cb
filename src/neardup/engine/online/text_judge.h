// TextJudge: compares what a store keeps of two texts, as dedup compares the texts.
#pragma once

#include <optional>

#include "neardup/base/result.h"
#include "neardup/engine/match/decision.h"
#include "neardup/store/document_store.h"

namespace neardup::engine {

/// Where all is there that comparing takes, the verdict is Decision's. Where something is missing of one of the two,
/// candidates are similar whose similarity is estimated to be what the rule asks for at least (verify::
/// lowest_threshold()): of signatures the share of equal values, of fingerprints that of equal bits, which is always
/// enough; where there is nothing at all, sharing a band is enough, and the similarity is 1.
class TextJudge : public store::Judge {
 public:
  /// `decision` must outlive it.
  explicit TextJudge(const Decision& decision) : decision_(decision) {}
  [[nodiscard]] Result<std::optional<store::Likeness>> compare(const store::Record& arriving,
                                                               const store::Record& stored) const override;

 private:
  [[nodiscard]] std::optional<store::Likeness> judge(PairRoute route, const PairSide& arriving,
                                                     const PairSide& stored) const;
  [[nodiscard]] std::optional<store::Likeness> estimate(const PairSide& arriving, const PairSide& stored) const;

  const Decision& decision_;
};

}  // namespace neardup::engine
