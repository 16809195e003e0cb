#include "neardup/engine/match/families.h"

#include <algorithm>
#include <cmath>

#include "neardup/cluster/band_stars.h"
#include "neardup/engine/match/signatures.h"
#include "neardup/join/band_buckets.h"
#include "neardup/join/bands.h"
#include "neardup/verify/content_rule.h"

namespace neardup::engine {
namespace {

// Two texts of the similarity asked for meet in one of them with a probability of .89, and a family has many pairs.
constexpr int kBands = 16, kRows = 4;

Result<cluster::BandStars> stars_of(const join::SignatureSource& source, const FamilyMeans& means,
                                    const Context& context) {
  const int num_bands = std::min(kBands, source.num_values / kRows);
  NEARDUP_ASSIGN(auto bands, join::make_bands(source.num_values, num_bands, kRows));
  const auto min_equal = static_cast<int>(std::ceil(kFamilySimilarity * source.num_values));
  const cluster::ClusterOptions options{.num_threads = means.num_threads, .context = context};
  const cluster::Verify all = [](uint32_t, uint32_t) -> Result<cluster::Likeness> {
    return cluster::Likeness{true, 1};
  };
  const auto bytes = [&](uint64_t ranks) {
    return cluster::band_stars_bytes(ranks, source.num_values, bands.size(), means.num_threads);
  };
  if (bytes(source.count) <= means.memory_bytes && join::buckets_have_numbers(source.count, bands.size())) {
    NEARDUP_ASSIGN(const std::vector<uint16_t> values, load_signatures(source));
    return cluster::band_stars(std::vector{cluster::BandedSignatures{values, source.num_values, bands, min_equal}}, all,
                               options);
  }
  const uint32_t at_once = cluster::band_stars_ranks(source.count, means.memory_bytes, bytes(cluster::kSampleRanks));
  return cluster::band_stars_in_parts(std::vector{cluster::BandedSource{source, bands, min_equal}}, at_once, all,
                                      options);
}

}  // namespace

bool tells_families(const recipe::Recipe& recipe) {
  const recipe::MinHashSpec& spec = recipe.minhash;
  return recipe.family == recipe::Family::kMinHash && spec.ngram == verify::kContentNgram && spec.long_ngram == 0 &&
         spec.blind_ngram == 0 && spec.num_values >= kRows;
}

Result<std::vector<uint32_t>> family_heads(const join::SignatureSource& source, const FamilyMeans& means,
                                           const Context& context) {
  std::vector<uint32_t> heads;
  if (source.count == 0) return heads;
  NEARDUP_ASSIGN(const cluster::BandStars stars, stars_of(source, means, context));
  for (uint32_t row = 0; row < source.count; ++row)
    if (stars.assignments[row].kept == row) heads.push_back(row);
  return heads;
}

}  // namespace neardup::engine
