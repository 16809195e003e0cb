#include "neardup/engine/match/families.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "neardup/cluster/band_stars.h"
#include "neardup/engine/match/given_commonness.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/engine/match/source_columns.h"
#include "neardup/join/band_buckets.h"
#include "neardup/join/meeting_rows.h"
#include "neardup/verify/content_rule.h"

namespace neardup::engine {
namespace {

// Two texts of the similarity asked for meet in one of them with a probability of .89, and a family has many pairs.
constexpr int kBands = 16, kRows = 4;

Result<std::vector<join::Band>> bands_of(int num_values) {
  return join::make_bands(num_values, std::min(kBands, num_values / kRows), kRows);
}

int least_equal_values(int num_values) { return static_cast<int>(std::ceil(kFamilySimilarity * num_values)); }

// Returns of each row the head of its family. `alone_left_out`: most rows meet another one.
Result<std::vector<uint32_t>> heads_of(const join::SignatureSource& source, const FamilyMeans& means,
                                       const Context& context, bool alone_left_out = false);

std::vector<uint32_t> heads_of_stars(const cluster::BandStars& stars) {
  std::vector<uint32_t> heads(stars.assignments.size());
  std::ranges::transform(stars.assignments, heads.begin(), &cluster::Assignment::kept);
  return heads;
}

// Those that meet no other one are heads of their own families.
Result<std::vector<uint32_t>> heads_of_meeting(const join::SignatureSource& source, const FamilyMeans& means,
                                               const Context& context) {
  NEARDUP_ASSIGN(const auto bands, bands_of(source.num_values));
  std::vector<uint32_t> rows;
  {
    NEARDUP_ASSIGN(const SourceColumns columns,
                   SourceColumns::of(source, means.scratch_folder, "families.bin", context));
    NEARDUP_ASSIGN(rows,
                   join::find_meeting_rows(columns.source(), bands, {means.num_threads, means.memory_bytes}, context));
  }
  NEARDUP_ASSIGN(const auto heads, heads_of(join::some_rows(source, rows), means, context, true));
  std::vector<uint32_t> all(source.count);
  std::iota(all.begin(), all.end(), 0U);
  for (size_t i = 0; i < rows.size(); ++i) all[rows[i]] = rows[heads[i]];
  return all;
}

Result<std::vector<uint32_t>> heads_of(const join::SignatureSource& source, const FamilyMeans& means,
                                       const Context& context, bool alone_left_out) {
  NEARDUP_ASSIGN(const auto bands, bands_of(source.num_values));
  const int min_equal = least_equal_values(source.num_values);
  const cluster::ClusterOptions options{.num_threads = means.num_threads, .context = context};
  const cluster::Verify all = [](uint32_t, uint32_t) -> Result<cluster::Likeness> {
    return cluster::Likeness{true, 1};
  };
  const auto bytes = [&](uint64_t ranks) {
    return cluster::band_stars_bytes(ranks, source.num_values, bands.size(), means.num_threads);
  };
  if (!alone_left_out && bytes(source.count) > means.memory_bytes) return heads_of_meeting(source, means, context);
  if (bytes(source.count) <= means.memory_bytes && join::buckets_have_numbers(source.count, bands.size())) {
    NEARDUP_ASSIGN(const LargeArray<uint16_t> values, load_signatures(source));
    NEARDUP_ASSIGN(const cluster::BandStars stars,
                   cluster::band_stars(std::vector{cluster::BandedSignatures{
                                           values, source.num_values, bands, min_equal, {}, kMostMembers}},
                                       all, options));
    return heads_of_stars(stars);
  }
  NEARDUP_ASSIGN(const SourceColumns columns, SourceColumns::of(source, means.scratch_folder, "families.bin", context));
  NEARDUP_ASSIGN(const join::LateRows late,
                 join::find_late_rows(columns.source(), bands, kMostMembers, means.memory_bytes, context));
  const uint64_t left = means.memory_bytes - std::min(means.memory_bytes, late.size_bytes());
  const uint32_t at_once = cluster::band_stars_ranks(source.count, left, bytes(cluster::kSampleRanks));
  NEARDUP_ASSIGN(const cluster::BandStars stars,
                 cluster::band_stars_in_parts(std::vector{cluster::BandedSource{source, bands, min_equal, {}, &late}},
                                              at_once, all, options));
  return heads_of_stars(stars);
}

}  // namespace

bool tells_families(const recipe::Recipe& recipe) {
  const recipe::MinHashSpec& spec = recipe.minhash;
  return recipe.family == recipe::Family::kMinHash && spec.ngram == verify::kContentNgram && spec.long_ngram == 0 &&
         spec.blind_ngram == 0 && spec.num_values >= kRows;
}

bool weighs_by_rarity(const DedupOptions& options) {
  return options.verify.kind == verify::Rule::Kind::kContent && options.commonness_file != kNoCommonness &&
         tells_families(options.recipe);
}

Result<std::vector<join::Band>> family_bands(const recipe::MinHashSpec& spec) { return bands_of(spec.num_values); }

bool are_of_one_family(std::span<const uint16_t> a, std::span<const uint16_t> b) {
  return agreement_of(a, b).num_equal >= static_cast<uint32_t>(least_equal_values(static_cast<int>(a.size())));
}

Result<std::vector<uint32_t>> counted_rows(const join::SignatureSource& source, const FamilyMeans& means,
                                           const Context& context) {
  std::vector<uint32_t> counted;
  if (source.count == 0) return counted;
  NEARDUP_ASSIGN(const std::vector<uint32_t> heads, heads_of(source, means, context));
  std::vector<uint8_t> members(source.count);  // of the family of each head, until they are kFamilyMembers
  for (uint32_t row = 0; row < source.count; ++row) {
    uint8_t& before = members[heads[row]];
    if (before == 0 || before == kFamilyMembers) counted.push_back(row);
    if (before < kFamilyMembers) ++before;
  }
  return counted;
}

}  // namespace neardup::engine
