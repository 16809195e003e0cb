// The groups that meet another one in a band: where not all signatures fit in memory, the others are left out first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "neardup/engine/match/match_strategies.h"
#include "neardup/engine/match/source_columns.h"

namespace neardup::engine {

/// A setting with the groups that meet another one, and few others, in which stars are the same for these; the groups
/// that are left out are alone in all bands: kept. What it is made of must outlive it.
class MeetingGroups {
 public:
  /// Requires: all layers have signatures. Cost, errors: join::find_meeting_rows(), in the share of the stars.
  [[nodiscard]] static Result<MeetingGroups> find(const MatchSetting& setting);

  [[nodiscard]] MatchSetting setting() const;
  /// Copies the signatures into columns, for those who make many passes over them: setting() has them from then on, and
  /// this object must not be moved. Errors: those of join::ValueColumns::write().
  [[nodiscard]] Status write_columns();
  [[nodiscard]] size_t num_left_out() const { return setting_->active.size() - active_.size(); }

 private:
  explicit MeetingGroups(const MatchSetting& setting) : setting_(&setting) {}

  const MatchSetting* setting_;
  std::vector<uint32_t> active_;                  // groups
  std::vector<uint32_t> short_groups_;            // of them those that are short texts
  std::vector<uint32_t> main_rows_, short_rows_;  // in the layers of all groups
  std::optional<SourceColumns> columns_, short_columns_;
  CandidateLayers layers_;
};

}  // namespace neardup::engine
