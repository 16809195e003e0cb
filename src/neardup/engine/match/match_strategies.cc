#include "neardup/engine/match/match_strategies.h"

#include <utility>

#include "neardup/engine/match/compared_pairs.h"
#include "neardup/engine/match/meeting_groups.h"

namespace neardup::engine {

namespace {

// Where not all signatures fit.
Result<Matches> find_stars_on_disk(const MatchSetting& setting) {
  ListMatching list(setting);
  NEARDUP_ASSIGN(const ComparedPairs compared, ComparedPairs::find(setting));
  PartStarMatching parts(setting, compared);
  if (!list.fits()) return parts.run();
  // The list has pairs with all that a crowded bucket begins with, stars those with the kept ones: one, where all are
  // alike.
  constexpr uint64_t kMostBesideCrowds = 8;  // pairs for each group
  const uint64_t most = compared.are_all() ? parts.most_listed() : kMostBesideCrowds * setting.active.size();
  NEARDUP_ASSIGN(std::optional<Matches> listed, list.run(most, &compared));
  if (listed) return *std::move(listed);
  return parts.run();
}

Result<Matches> find_stars(const MatchSetting& setting) {
  if (StarMatching stars(setting); stars.fits()) return stars.run();
  NEARDUP_ASSIGN(MeetingGroups meeting, MeetingGroups::find(setting));
  const MatchSetting narrowed = meeting.setting();
  StarMatching stars(narrowed);
  if (!stars.fits()) {
    NEARDUP_TRY(meeting.write_columns());
    return find_stars_on_disk(narrowed);
  }
  NEARDUP_ASSIGN(Matches matches, stars.run());
  matches.num_settled += meeting.num_left_out();
  return matches;
}

}  // namespace

Result<Matches> find_matches(const MatchSetting& setting) {
  const DedupOptions& options = setting.options;
  ListMatching list(setting);
  const auto list_all = [&]() -> Result<Matches> {
    NEARDUP_ASSIGN(std::optional<Matches> matches, list.run(ListMatching::kAnyNumber));
    return std::move(matches).value();
  };
  if (setting.layers.main->signatures() == nullptr || options.write_pairs) return list_all();
  if (options.cluster == ClusterKind::kComponents) return ComponentMatching(setting).run();
  return find_stars(setting);
}

JoinSettings join_settings_of(const MatchSetting& setting, DisjointSets* joined) {
  return {.num_threads = setting.num_threads,
          .memory_bytes = setting.plan.bytes_of(MemoryUse::kJoin),
          .joined = joined,
          .context = setting.context};
}

cluster::ClusterOptions component_options_of(const MatchSetting& setting) {
  cluster::ClusterOptions options{.num_threads = setting.num_threads,
                                  .num_references = setting.groups.num_reference_groups,
                                  .context = setting.context};
  options.similarity = [&setting](uint32_t better, uint32_t worse) {
    return setting.comparer.similarity(better, worse);
  };
  return options;
}

}  // namespace neardup::engine
