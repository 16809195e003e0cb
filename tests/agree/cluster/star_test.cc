// Parallel stars against the definition, for every number of threads.
#include "neardup/cluster/star.h"

#include <gtest/gtest.h>

#include "tests/unit/cluster/graphs.h"

namespace neardup::cluster::star_test {
namespace {

void expect_agreement(const Graph& graph, const Verify& verify, uint32_t num_references = 0, size_t block = 1000) {
  const std::vector<Assignment> expected = plain_stars(graph, verify, num_references);
  for (const int num_threads : {1, 2, 3, 8}) {
    const auto found = star_clusters(graph.num_documents, source_of(graph, block), verify,
                                     {.num_threads = num_threads, .num_references = num_references});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(*found, expected) << num_threads << " threads, " << graph.num_documents << " documents";
  }
}

// All graphs of up to 4 documents, with all verdicts: an edge is absent, dissimilar or similar.
TEST(StarAgrees, AllSmallGraphs) {
  for (uint32_t size = 1; size <= 4; ++size) {
    const Graph full = clique(size);
    uint32_t combinations = 1;
    for (size_t i = 0; i < full.candidates.size(); ++i) combinations *= 3;
    for (uint32_t code = 0; code < combinations; ++code) {
      Graph graph{size, {}};
      std::vector<bool> similar(16, false);
      uint32_t rest = code;
      for (const Candidate& candidate : full.candidates) {
        if (rest % 3 != 0) graph.candidates.push_back(candidate);
        similar[candidate.better * 4 + candidate.worse] = rest % 3 == 2;
        rest /= 3;
      }
      const Verify verify = [&](uint32_t better, uint32_t worse) -> Result<Likeness> {
        return Likeness{similar[better * 4 + worse], 0.5F};
      };
      const auto found = star_clusters(size, source_of(graph), verify, {.num_threads = 1 + static_cast<int>(code % 3)});
      ASSERT_EQ(found.value(), plain_stars(graph, verify)) << size << " " << code;
    }
  }
}

TEST(StarAgrees, RandomGraphs) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const uint32_t size = 1 + seed * seed;
    const Graph graph = random_graph(size, size * (1 + seed % 7), seed);
    for (const uint32_t percent : {0, 10, 50, 100})
      expect_agreement(graph, hashed_verify(percent, seed), seed % 4 == 0 ? size / 3 : 0, 1 + seed * 7);
  }
}

TEST(StarAgrees, ChainsOf100000) {
  const Graph graph = chain(100'000);
  expect_agreement(graph, hashed_verify(100), 0, 1 << 20);  // every second one is kept
  expect_agreement(graph, hashed_verify(70), 0, 333);
}

TEST(StarAgrees, CliquesOf3000) {
  const Graph graph = clique(3000);  // 4.5 million candidates: ranks are cut by the ends of chunks
  expect_agreement(graph, hashed_verify(100), 0, 77'777);
  expect_agreement(graph, hashed_verify(1), 100, 1 << 16);
}

// One rank with more candidates than several chunks hold, similar to the last of them only.
TEST(StarAgrees, OneRankWithAMillionCandidates) {
  constexpr uint32_t kSize = 1'000'000;
  Graph graph{kSize + 10, {}};
  for (uint32_t a = 0; a < kSize; ++a) graph.candidates.push_back({a, kSize, 3});
  for (uint32_t b = kSize + 1; b < kSize + 10; ++b) graph.candidates.push_back({kSize, b, 1});
  for (const uint32_t partner : {0U, 500'000U, kSize - 1, kSize + 5}) {
    expect_agreement(graph, [=](uint32_t better, uint32_t worse) -> Result<Likeness> {
      return Likeness{better == partner || worse == kSize + 7, 0.75F};
    });
  }
}

}  // namespace
}  // namespace neardup::cluster::star_test
