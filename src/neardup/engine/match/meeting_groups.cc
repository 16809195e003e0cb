#include "neardup/engine/match/meeting_groups.h"

#include <algorithm>
#include <iterator>

#include "neardup/join/meeting_rows.h"

namespace neardup::engine {
namespace {

Result<std::vector<uint32_t>> meeting_groups(const SignatureLayer& layer, const MatchSetting& setting) {
  const join::MeetingMeans means{setting.num_threads, setting.plan.bytes_of(MemoryUse::kStars)};
  NEARDUP_ASSIGN(const SourceColumns columns,
                 SourceColumns::of(layer.source, setting.folder.scratch(), "columns.bin", setting.context));
  NEARDUP_ASSIGN(std::vector<uint32_t> rows,
                 join::find_meeting_rows(columns.source(), layer.rule.bands(), means, setting.context));
  for (uint32_t& row : rows) row = layer.groups[row];
  return rows;
}

// The rows of a layer whose groups are among `active`, and these groups.
void choose_rows(const SignatureLayer& layer, const std::vector<uint32_t>& active, std::vector<uint32_t>& rows,
                 std::vector<uint32_t>& groups) {
  auto at = active.begin();
  for (uint32_t row = 0; row < layer.groups.size(); ++row) {
    at = std::lower_bound(at, active.end(), layer.groups[row]);
    if (at == active.end() || *at != layer.groups[row]) continue;
    rows.push_back(row);
    groups.push_back(layer.groups[row]);
  }
}

std::unique_ptr<CandidateLayer> narrowed(const SignatureLayer& layer, const std::vector<uint32_t>& rows,
                                         const std::vector<uint32_t>& groups) {
  SignatureLayer some = layer;
  some.source = join::some_rows(layer.source, rows);
  some.groups = groups;
  return banded_layer(std::move(some));
}

}  // namespace

Result<MeetingGroups> MeetingGroups::find(const MatchSetting& setting) {
  MeetingGroups meeting(setting);
  const SignatureLayer& main = *setting.layers.main->signatures();
  NEARDUP_ASSIGN(meeting.active_, meeting_groups(main, setting));
  if (setting.layers.short_texts != nullptr) {
    const SignatureLayer& of_short = *setting.layers.short_texts->signatures();
    NEARDUP_ASSIGN(const std::vector<uint32_t> groups, meeting_groups(of_short, setting));
    std::vector<uint32_t> both;
    std::ranges::set_union(meeting.active_, groups, std::back_inserter(both));
    meeting.active_ = std::move(both);
    choose_rows(of_short, meeting.active_, meeting.short_rows_, meeting.short_groups_);
    if (!meeting.short_groups_.empty())
      meeting.layers_.short_texts = narrowed(of_short, meeting.short_rows_, meeting.short_groups_);
  }
  std::vector<uint32_t> groups;
  choose_rows(main, meeting.active_, meeting.main_rows_, groups);
  meeting.layers_.main = narrowed(main, meeting.main_rows_, meeting.active_);
  return meeting;
}

Status MeetingGroups::write_columns() {
  const auto add_to = [this](std::unique_ptr<CandidateLayer>& layer, const std::string& name,
                             std::optional<SourceColumns>& kept) -> Status {
    SignatureLayer signatures = *layer->signatures();
    NEARDUP_ASSIGN(auto columns,
                   SourceColumns::of(signatures.source, setting_->folder.scratch(), name, setting_->context));
    kept.emplace(std::move(columns));
    signatures.source = kept->source();
    layer = banded_layer(std::move(signatures));
    return {};
  };
  if (layers_.short_texts != nullptr) NEARDUP_TRY(add_to(layers_.short_texts, "short_columns.bin", short_columns_));
  return add_to(layers_.main, "columns.bin", columns_);
}

MatchSetting MeetingGroups::setting() const {
  return {setting_->documents,   setting_->groups, setting_->options,     setting_->folder,
          setting_->pairs_path,  setting_->plan,   setting_->num_threads, active_,
          setting_->short_texts, layers_,          setting_->comparer,    setting_->context};
}

}  // namespace neardup::engine
