// Stars from buckets against stars from the list of all pairs.
#include "neardup/cluster/band_stars.h"

#include <gtest/gtest.h>

#include <atomic>

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"
#include "neardup/cluster/star.h"
#include "tests/agree/join/signatures.h"

namespace neardup::cluster {
namespace {

using join::MadeSignatures;

// Some pairs that meet are not similar, whatever their distance.
Likeness made_verdict(uint32_t better, uint32_t worse) {
  const uint32_t dice = (better * 2654435761U ^ worse * 40503U) >> 7;
  return {dice % 4 != 0, 0.5F + static_cast<float>(dice % 100) / 200};
}

std::vector<Assignment> stars_of_candidates(std::vector<Candidate> list, uint32_t size, const ClusterOptions& options) {
  std::erase_if(list, [&](const Candidate& c) { return c.worse < options.num_references; });
  std::ranges::sort(list, {}, [](const Candidate& c) { return std::pair(c.worse, c.better); });
  bool given = false;
  const CandidateSource source = [&]() -> Result<std::span<const Candidate>> {
    const bool first = !std::exchange(given, true);
    return first ? std::span<const Candidate>(list) : std::span<const Candidate>();
  };
  const Verify verify = [](uint32_t a, uint32_t b) -> Result<Likeness> { return made_verdict(a, b); };
  return star_clusters(size, source, verify, options).value();
}

std::vector<Assignment> stars_of_list(const MadeSignatures& made, const std::vector<join::Band>& bands, int min_equal,
                                      const ClusterOptions& options) {
  std::vector<Candidate> list;
  for (const join::Pair& pair : all_banded_pairs(made, bands, min_equal))
    list.push_back({static_cast<uint32_t>(pair.a), static_cast<uint32_t>(pair.b), pair.distance});
  return stars_of_candidates(std::move(list), made.size(), options);
}

std::vector<BandedSignatures> one_layer(BandedSignatures signatures) { return {std::move(signatures)}; }

void expect_same_stars(const MadeSignatures& made, int num_bands, int rows, int min_equal, uint32_t num_references) {
  const std::vector<join::Band> bands = join::make_bands(made.num_values, num_bands, rows).value();
  ClusterOptions options{.num_threads = 1, .num_references = num_references};
  const auto expected = stars_of_list(made, bands, min_equal, options);
  uint64_t candidates = 0;
  for (const int threads : {1, 3}) {
    options.num_threads = threads;
    std::atomic<uint64_t> verified = 0;
    const Verify verify = [&](uint32_t a, uint32_t b) -> Result<Likeness> {
      EXPECT_LT(a, b);
      ++verified;
      return made_verdict(a, b);
    };
    const auto stars = band_stars(one_layer({made.values, made.num_values, bands, min_equal}), verify, options);
    ASSERT_TRUE(stars);
    EXPECT_TRUE(stars->assignments == expected) << threads << " threads";
    EXPECT_EQ(stars->num_candidates, verified);
    if (threads > 1) {
      EXPECT_EQ(stars->num_candidates, candidates);
    }
    candidates = stars->num_candidates;
  }
}

TEST(BandStars, AgreeWithTheListOfPairs) {
  for (const double fresh : {0.9, 0.4, 0.02})
    for (const uint32_t num_references : {0U, 700U})
      for (const int min_equal : {0, 9}) {
        expect_same_stars(join::make_signatures(2500, 16, fresh, 60000, 4), 4, 4, min_equal, num_references);
        expect_same_stars(join::make_signatures(1500, 16, fresh, 5, 4), 6, 3, min_equal, num_references);
      }
  for (const size_t count : {0, 1, 2, 30}) expect_same_stars(join::make_signatures(count, 8, 0.5, 3, 1), 4, 2, 0, 0);
}

// The same layers, read where they are needed.
struct Sources {
  explicit Sources(std::span<const BandedSignatures> layers) {
    for (const BandedSignatures& layer : layers) {
      const auto source = join::signatures_in_memory(layer.values, layer.num_values);
      late.push_back(*join::find_late_rows(source, layer.bands, layer.most_members, uint64_t{1} << 20, {}));
      all.push_back({source, layer.bands, layer.min_equal, layer.ranks});
    }
    for (size_t i = 0; i < all.size(); ++i) all[i].late = &late[i];
  }
  std::vector<join::LateRows> late;
  std::vector<BandedSource> all;
};

void expect_the_same_in_parts(std::span<const BandedSignatures> layers, const ClusterOptions& options,
                              const std::vector<Assignment>& expected, std::initializer_list<uint32_t> sizes) {
  const Verify verify = [](uint32_t a, uint32_t b) -> Result<Likeness> { return made_verdict(a, b); };
  const Sources sources(layers);
  for (const uint32_t ranks_at_once : sizes) {
    const auto parts = band_stars_in_parts(sources.all, ranks_at_once, verify, options);
    ASSERT_TRUE(parts);
    EXPECT_TRUE(parts->assignments == expected) << ranks_at_once << " at once";
  }
}

TEST(BandStars, InPartsAreTheSame) {
  const auto small_bands = join::make_bands(8, 4, 2).value(), bands = join::make_bands(16, 4, 4).value();
  for (const size_t count : {0, 1, 2, 3, 30, 61})
    for (const uint32_t num_references : {0U, 2U}) {
      if (num_references > count) continue;
      const MadeSignatures made = join::make_signatures(count, 8, 0.5, 3, count);
      const ClusterOptions options{.num_threads = 1, .num_references = num_references};
      expect_the_same_in_parts(one_layer({made.values, 8, small_bands, 0}), options,
                               stars_of_list(made, small_bands, 0, options), {2, 3, 7, 16, 1000});
    }
  for (const double fresh : {0.9, 0.02})
    for (const uint32_t num_references : {0U, 700U}) {
      const MadeSignatures made = join::make_signatures(2500, 16, fresh, 60000, 4);
      const ClusterOptions options{.num_threads = 3, .num_references = num_references};
      expect_the_same_in_parts(one_layer({made.values, 16, bands, 9}), options, stars_of_list(made, bands, 9, options),
                               {400, 1500, 2048, 5000});
    }
}

// Some ranks have signatures of another kind, which alone decide between them.
TEST(BandStars, TwoLayersAgreeWithTheListOfPairs) {
  const MadeSignatures made = join::make_signatures(1200, 16, 0.3, 7, 4),
                       other = join::make_signatures(400, 8, 0.3, 6, 9);
  const auto bands = join::make_bands(16, 4, 4).value(), other_bands = join::make_bands(8, 4, 2).value();
  std::vector<uint32_t> ranks;
  for (uint32_t row = 0; row < other.size(); ++row) ranks.push_back(3 * row + row % 2);
  std::vector<Candidate> list;
  for (const join::Pair& pair : all_banded_pairs(made, bands, 5)) {
    const auto a = static_cast<uint32_t>(pair.a), b = static_cast<uint32_t>(pair.b);
    if (!std::ranges::binary_search(ranks, a) || !std::ranges::binary_search(ranks, b))
      list.push_back({a, b, pair.distance});
  }
  for (const join::Pair& pair : all_banded_pairs(other, other_bands, 3))
    list.push_back({ranks[pair.a], ranks[pair.b], pair.distance});
  ClusterOptions options{.num_threads = 1, .num_references = 40};
  const auto expected = stars_of_candidates(std::move(list), made.size(), options);
  const Verify verify = [](uint32_t a, uint32_t b) -> Result<Likeness> { return made_verdict(a, b); };
  const std::vector<BandedSignatures> layers = {{made.values, 16, bands, 5}, {other.values, 8, other_bands, 3, ranks}};
  for (const int threads : {1, 3}) {
    options.num_threads = threads;
    const auto stars = band_stars(layers, verify, options);
    ASSERT_TRUE(stars);
    EXPECT_TRUE(stars->assignments == expected) << threads << " threads";
  }
  expect_the_same_in_parts(layers, options, expected, {90, 400, 1000});
}

// Of those pairs the ones that meet in a band where few rows before the first of the two are equal to it.
std::vector<Candidate> pairs_with_early_rows(const MadeSignatures& made, const std::vector<join::Band>& bands,
                                             uint32_t most_members) {
  const auto equal_in = [&](uint64_t a, uint64_t b, const join::Band& band) {
    return std::ranges::all_of(band, [&](uint16_t v) { return made.row(a)[v] == made.row(b)[v]; });
  };
  std::vector<std::vector<bool>> is_early;  // of each row in each band
  for (uint64_t row = 0; row < made.size(); ++row)
    for (auto& early = is_early.emplace_back(); const join::Band& band : bands) {
      uint32_t before = 0;
      for (uint64_t other = 0; other < row; ++other) before += equal_in(other, row, band);
      early.push_back(before < most_members);
    }
  std::vector<Candidate> list;
  for (const join::Pair& pair : all_banded_pairs(made, bands, 0)) {
    bool meet_early = false;
    for (size_t i = 0; i < bands.size(); ++i) meet_early |= is_early[pair.a][i] && equal_in(pair.a, pair.b, bands[i]);
    if (meet_early) list.push_back({static_cast<uint32_t>(pair.a), static_cast<uint32_t>(pair.b), pair.distance});
  }
  return list;
}

TEST(BandStars, LateMembersAreComparedWithEarlyOnes) {
  const auto bands = join::make_bands(16, 4, 4).value();
  for (const uint32_t most_members : {1U, 4U})
    for (const uint32_t num_references : {0U, 60U}) {
      const MadeSignatures made = join::make_signatures(300, 16, 0.2, 3, 5);
      ClusterOptions options{.num_threads = 1, .num_references = num_references};
      const auto list = pairs_with_early_rows(made, bands, most_members);
      ASSERT_LT(list.size(), all_banded_pairs(made, bands, 0).size()) << "some buckets are crowded";
      const auto expected = stars_of_candidates(list, made.size(), options);
      const Verify verify = [](uint32_t a, uint32_t b) -> Result<Likeness> { return made_verdict(a, b); };
      const BandedSignatures layer{made.values, 16, bands, 0, {}, most_members};
      for (const int threads : {1, 3}) {
        options.num_threads = threads;
        const auto stars = band_stars(one_layer(layer), verify, options);
        ASSERT_TRUE(stars);
        EXPECT_TRUE(stars->assignments == expected) << threads << " threads";
      }
      expect_the_same_in_parts(one_layer(layer), options, expected, {9, 90, 400});
    }
}

TEST(BandStars, LooksAtFewPairsWhereAllAreDifferent) {
  MadeSignatures made = join::make_signatures(20000, 16, 1, 60000, 2);
  for (uint32_t i = 0; i < made.size(); ++i) std::copy_n(made.row(0), 12, made.values.data() + size_t{i} * 16);
  const Verify verify = [](uint32_t, uint32_t) -> Result<Likeness> { return Likeness{false, 0}; };
  const BandedSignatures layer{made.values, 16, join::make_bands(16, 4, 4).value(), 0, {}, 8};
  const auto stars = band_stars(one_layer(layer), verify, {.num_threads = 2});
  ASSERT_TRUE(stars);
  EXPECT_LE(stars->num_candidates, made.size() * 8);
}

TEST(BandStars, LooksAtFewPairsWhereAllAreAlike) {
  MadeSignatures made = join::make_signatures(20000, 16, 1, 60000, 2);
  for (uint32_t i = 0; i < made.size(); ++i) std::copy_n(made.row(0), 12, made.values.data() + size_t{i} * 16);
  const Verify verify = [](uint32_t, uint32_t) -> Result<Likeness> { return Likeness{true, 1}; };
  const auto stars =
      band_stars(one_layer({made.values, 16, join::make_bands(16, 4, 4).value(), 0}), verify, {.num_threads = 2});
  ASSERT_TRUE(stars);
  EXPECT_EQ(stars->num_candidates, made.size() - 1);
  EXPECT_EQ(stars->num_settled, 0U);
  const std::vector<BandedSource> source = {
      {join::signatures_in_memory(made.values, 16), join::make_bands(16, 4, 4).value(), 0}};
  const auto parts = band_stars_in_parts(source, 3000, verify, {.num_threads = 2});
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->num_candidates, made.size() - 1);
}

TEST(BandStars, CountsThoseWithoutAnyCandidate) {
  const MadeSignatures made = join::make_signatures(500, 32, 1, 60000, 8);
  const Verify verify = [](uint32_t, uint32_t) -> Result<Likeness> { return Likeness{true, 1}; };
  const auto stars =
      band_stars(one_layer({made.values, 32, join::make_bands(32, 8, 4).value(), 0}), verify, {.num_threads = 2});
  ASSERT_TRUE(stars);
  EXPECT_EQ(stars->num_settled, 500U);
  EXPECT_EQ(stars->num_candidates, 0U);
}

TEST(BandStars, HandsOnAFailure) {
  const MadeSignatures made = join::make_signatures(3000, 16, 0.01, 60000, 2);
  const Verify verify = [](uint32_t, uint32_t worse) -> Result<Likeness> {
    if (worse > 1500) return fail(Code::kIo, "cannot read");
    return Likeness{false, 0};
  };
  const auto stars =
      band_stars(one_layer({made.values, 16, join::make_bands(16, 4, 4).value(), 0}), verify, {.num_threads = 3});
  ASSERT_FALSE(stars);
  EXPECT_EQ(stars.error().code, Code::kIo);
}

}  // namespace
}  // namespace neardup::cluster
