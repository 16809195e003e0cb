// Which candidate pairs stars compare where some buckets are crowded, for those who have a list of all of them.
#pragma once

#include <cstdint>

#include "neardup/base/result.h"
#include "neardup/engine/match/candidate_layer.h"
#include "neardup/engine/match/match_strategies.h"
#include "neardup/join/late_rows.h"

namespace neardup::engine {

/// Threads: const members from many at once.
class ComparedPairs {
 public:
  /// Requires: all layers have signatures. The setting must outlive it. Cost, memory, errors: join::find_late_rows(),
  /// in the share of the stars.
  [[nodiscard]] static Result<ComparedPairs> find(const MatchSetting& setting);

  /// Whether all are compared: no bucket is crowded.
  [[nodiscard]] bool are_all() const { return main_.none() && short_.none(); }
  /// Whether the candidate pair of the groups better < worse is compared. Errors: those of reading.
  [[nodiscard]] Result<bool> have(uint32_t better, uint32_t worse) const;
  /// The late rows of both layers.
  [[nodiscard]] const join::LateRows& main() const { return main_; }
  [[nodiscard]] const join::LateRows& of_short_texts() const { return short_; }

 private:
  explicit ComparedPairs(const MatchSetting& setting) : setting_(&setting) {}

  const MatchSetting* setting_;
  join::LateRows main_, short_;
};

}  // namespace neardup::engine
