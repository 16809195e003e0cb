// Parallel connected components against a plain breadth-first search.
#include "neardup/cluster/components.h"

#include <gtest/gtest.h>

#include "tests/unit/cluster/graphs.h"

namespace neardup::cluster::components_test {
namespace {

void expect_agreement(const Graph& graph, const Verify& verify, uint32_t num_references = 0) {
  const std::vector<Assignment> expected = plain_components(graph, verify, num_references);
  for (const int num_threads : {1, 2, 3, 8}) {
    CandidateSource source = source_of(graph);
    const auto found =
        component_clusters(graph.num_documents, [&] { return source(); }, verify,
                           {.num_threads = num_threads, .num_references = num_references, .rewind = [&]() -> Status {
                              source = source_of(graph);
                              return {};
                            }});
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(*found, expected) << num_threads << " threads, " << graph.num_documents << " documents";
  }
}

TEST(ComponentsAgree, RandomGraphs) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const uint32_t size = 1 + seed * seed;
    const Graph graph = random_graph(size, size * (1 + seed % 5), seed);
    for (const uint32_t percent : {0, 15, 40, 100})
      expect_agreement(graph, hashed_verify(percent, seed), seed % 4 == 0 ? size / 10 : 0);
  }
}

TEST(ComponentsAgree, ChainsOf100000) {
  expect_agreement(chain(100'000), hashed_verify(100));
  expect_agreement(chain(100'000), hashed_verify(90));
}

TEST(ComponentsAgree, CliquesOf1000) {
  expect_agreement(clique(1000), hashed_verify(100));
  expect_agreement(clique(1000), hashed_verify(1));
}

}  // namespace
}  // namespace neardup::cluster::components_test
