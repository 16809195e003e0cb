// Stars from bands work on positions among the active groups, in which every one has a signature.
#include <algorithm>
#include <utility>

#include "neardup/cluster/band_stars.h"
#include "neardup/engine/match/compared_pairs.h"
#include "neardup/engine/match/match_strategies.h"
#include "neardup/join/band_buckets.h"

namespace neardup::engine {
namespace {

const SignatureLayer& main_layer(const MatchSetting& setting) { return *setting.layers.main->signatures(); }

const SignatureLayer* short_layer(const MatchSetting& setting) {
  return setting.layers.short_texts == nullptr ? nullptr : setting.layers.short_texts->signatures();
}

// What band_stars() takes for so many active groups, of which some are short texts.
uint64_t stars_bytes(const MatchSetting& setting, uint64_t num_ranks, uint64_t num_short) {
  const auto bytes = [&](uint64_t ranks, const SignatureLayer& layer) {
    return cluster::band_stars_bytes(ranks, layer.source.num_values, layer.rule.bands().size(), setting.num_threads);
  };
  const SignatureLayer* of_short = short_layer(setting);
  return bytes(num_ranks, main_layer(setting)) + (of_short == nullptr ? 0 : bytes(num_short, *of_short));
}

// The positions among the active groups of the short texts.
std::vector<uint32_t> short_ranks(const MatchSetting& setting) {
  std::vector<uint32_t> ranks;
  for (uint32_t rank = 0; rank < setting.active.size(); ++rank)
    if (setting.short_texts.contains(setting.active[rank])) ranks.push_back(rank);
  return ranks;
}

cluster::ClusterOptions star_options(const MatchSetting& setting) {
  const auto first_input = std::ranges::lower_bound(setting.active, setting.groups.num_reference_groups);
  return {.num_threads = setting.num_threads,
          .num_references = static_cast<uint32_t>(first_input - setting.active.begin()),
          .context = setting.context};
}

cluster::Verify compare_ranks(const MatchSetting& setting) {
  return [&setting](uint32_t better, uint32_t worse) {
    return setting.comparer.compare(setting.active[better], setting.active[worse]);
  };
}

// Positions become groups, in the same array, from its end on; groups without a signature stay.
Matches matches_of(const MatchSetting& setting, cluster::BandStars stars) {
  Matches matches{.assignments = std::move(stars.assignments),
                  .num_candidates = stars.num_candidates,
                  .num_settled = stars.num_settled};
  matches.assignments.resize(setting.groups.size());
  size_t rank = setting.active.size();
  for (uint32_t group = setting.groups.size(); group-- > 0;) {
    cluster::Assignment& assignment = matches.assignments[group];
    if (rank > 0 && setting.active[rank - 1] == group) {
      assignment = matches.assignments[--rank];
      assignment.kept = setting.active[assignment.kept];
    } else {
      assignment = {.kept = group};
    }
  }
  return matches;
}

cluster::BandedSignatures signatures_of_layer(const SignatureLayer& layer, std::span<const uint16_t> values,
                                              std::span<const uint32_t> ranks) {
  return {values, layer.source.num_values, layer.rule.bands(), layer.rule.min_equal(), ranks, layer.most_members};
}

cluster::BandedSource source_of_layer(const SignatureLayer& layer, std::span<const uint32_t> ranks,
                                      const join::LateRows& late) {
  return {layer.source, layer.rule.bands(), layer.rule.min_equal(), ranks, &late};
}

}  // namespace

bool StarMatching::fits() const {
  if (!join::buckets_have_numbers(run_.active.size(), main_layer(run_).rule.bands().size())) return false;
  const SignatureLayer* of_short = short_layer(run_);
  return stars_bytes(run_, run_.active.size(), of_short == nullptr ? 0 : of_short->groups.size()) <=
         run_.plan.bytes_of(MemoryUse::kStars);
}

Result<Matches> StarMatching::run() {
  NEARDUP_ASSIGN(const LargeArray<uint16_t> values, load_signatures(main_layer(run_).source));
  std::vector<cluster::BandedSignatures> layers = {signatures_of_layer(main_layer(run_), values, {})};
  LargeArray<uint16_t> short_values;
  const std::vector<uint32_t> ranks = short_ranks(run_);
  if (const SignatureLayer* layer = short_layer(run_)) {
    NEARDUP_ASSIGN(short_values, load_signatures(layer->source));
    layers.push_back(signatures_of_layer(*layer, short_values, ranks));
  }
  NEARDUP_ASSIGN(cluster::BandStars stars, cluster::band_stars(layers, compare_ranks(run_), star_options(run_)));
  return matches_of(run_, std::move(stars));
}

uint32_t PartStarMatching::ranks_at_once() const {
  constexpr uint64_t kSample = cluster::kSampleRanks;
  return cluster::band_stars_ranks(run_.active.size(), run_.plan.bytes_of(MemoryUse::kStars),
                                   stars_bytes(run_, kSample, kSample));
}

// In parts each rank is looked at once for every half part before it: its bands take as long as about 16 pairs do,
// written, sorted and read.
uint64_t PartStarMatching::most_listed() const {
  constexpr uint64_t kPairsPerRank = 16;
  return kPairsPerRank * run_.active.size() * (2 * run_.active.size() / ranks_at_once() + 1);
}

Result<Matches> PartStarMatching::run() {
  const std::vector<uint32_t> ranks = short_ranks(run_);
  std::vector<cluster::BandedSource> layers = {source_of_layer(main_layer(run_), {}, compared_.main())};
  if (const SignatureLayer* layer = short_layer(run_))
    layers.push_back(source_of_layer(*layer, ranks, compared_.of_short_texts()));
  NEARDUP_ASSIGN(cluster::BandStars stars,
                 cluster::band_stars_in_parts(layers, ranks_at_once(), compare_ranks(run_), star_options(run_)));
  return matches_of(run_, std::move(stars));
}

}  // namespace neardup::engine
