#include "neardup/engine/match/families.h"

#include <algorithm>
#include <cmath>

#include "neardup/cluster/band_stars.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/join/band_buckets.h"
#include "neardup/verify/content_rule.h"

namespace neardup::engine {
namespace {

// Two texts of the similarity asked for meet in one of them with a probability of .89, and a family has many pairs.
constexpr int kBands = 16, kRows = 4;

Result<std::vector<join::Band>> bands_of(int num_values) {
  return join::make_bands(num_values, std::min(kBands, num_values / kRows), kRows);
}

int least_equal_values(int num_values) { return static_cast<int>(std::ceil(kFamilySimilarity * num_values)); }

Result<cluster::BandStars> stars_of(const join::SignatureSource& source, const FamilyMeans& means,
                                    const Context& context) {
  NEARDUP_ASSIGN(const auto bands, bands_of(source.num_values));
  const int min_equal = least_equal_values(source.num_values);
  const cluster::ClusterOptions options{.num_threads = means.num_threads, .context = context};
  const cluster::Verify all = [](uint32_t, uint32_t) -> Result<cluster::Likeness> {
    return cluster::Likeness{true, 1};
  };
  const auto bytes = [&](uint64_t ranks) {
    return cluster::band_stars_bytes(ranks, source.num_values, bands.size(), means.num_threads);
  };
  if (bytes(source.count) <= means.memory_bytes && join::buckets_have_numbers(source.count, bands.size())) {
    NEARDUP_ASSIGN(const std::vector<uint16_t> values, load_signatures(source));
    return cluster::band_stars(
        std::vector{cluster::BandedSignatures{values, source.num_values, bands, min_equal, {}, kMostMembers}}, all,
        options);
  }
  const uint32_t at_once = cluster::band_stars_ranks(source.count, means.memory_bytes, bytes(cluster::kSampleRanks));
  return cluster::band_stars_in_parts(std::vector{cluster::BandedSource{source, bands, min_equal, {}, kMostMembers}},
                                      at_once, all, options);
}

}  // namespace

bool tells_families(const recipe::Recipe& recipe) {
  const recipe::MinHashSpec& spec = recipe.minhash;
  return recipe.family == recipe::Family::kMinHash && spec.ngram == verify::kContentNgram && spec.long_ngram == 0 &&
         spec.blind_ngram == 0 && spec.num_values >= kRows;
}

Result<std::vector<join::Band>> family_bands(const recipe::MinHashSpec& spec) { return bands_of(spec.num_values); }

bool are_of_one_family(std::span<const uint16_t> a, std::span<const uint16_t> b) {
  return agreement_of(a, b).num_equal >= static_cast<uint32_t>(least_equal_values(static_cast<int>(a.size())));
}

Result<std::vector<uint32_t>> counted_rows(const join::SignatureSource& source, const FamilyMeans& means,
                                           const Context& context) {
  std::vector<uint32_t> counted;
  if (source.count == 0) return counted;
  NEARDUP_ASSIGN(const cluster::BandStars stars, stars_of(source, means, context));
  std::vector<uint8_t> members(source.count);  // of the family of each head, until they are kFamilyMembers
  for (uint32_t row = 0; row < source.count; ++row) {
    uint8_t& before = members[stars.assignments[row].kept];
    if (before == 0 || before == kFamilyMembers) counted.push_back(row);
    if (before < kFamilyMembers) ++before;
  }
  return counted;
}

}  // namespace neardup::engine
