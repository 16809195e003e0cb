// The incremental figures against their definitions, over random small and larger cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "neardup/evaluate/rand_index.h"
#include "neardup/evaluate/spanning_forest.h"
#include "neardup/evaluate/truth.h"

namespace neardup::evaluate::clusters_test {
namespace {

using Labels = std::vector<uint32_t>;

// Whole numbers below a limit, the same in every run.
class Dice {
 public:
  explicit Dice(uint32_t seed) : engine_(seed) {}
  uint32_t operator()(uint32_t limit) { return static_cast<uint32_t>(engine_() % limit); }

 private:
  std::mt19937 engine_;
};

// By counting all pairs of documents; labels of single documents are made different first.
double rand_index_by_definition(Labels truth, const Labels& found) {
  uint32_t fresh = 1 << 20;
  for (uint32_t& label : truth)
    if (label == kNoLabel) label = fresh++;
  double both = 0, in_truth = 0, in_found = 0, all = 0;
  for (size_t i = 0; i < truth.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const bool t = truth[i] == truth[j], f = found[i] == found[j];
      both += t && f, in_truth += t, in_found += f, ++all;
    }
  }
  const double chance = in_truth * in_found / all, most = (in_truth + in_found) / 2;
  return most == chance ? 1 : (both - chance) / (most - chance);
}

// The clusters of all edges up to `level`, named by their lowest member, by relabelling until nothing changes.
Labels clusters_by_definition(uint32_t num_vertices, const std::vector<SpanningForest::Edge>& edges, uint32_t level) {
  Labels clusters(num_vertices);
  for (uint32_t i = 0; i < num_vertices; ++i) clusters[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& edge : edges) {
      if (edge.level > level || clusters[edge.a] == clusters[edge.b]) continue;
      clusters[edge.a] = clusters[edge.b] = std::min(clusters[edge.a], clusters[edge.b]);
      changed = true;
    }
  }
  return clusters;
}

TEST(Evaluate, ForestAndRandIndexFollowTheDefinitionsAtEveryLevel) {
  Dice random(5);
  constexpr uint32_t kLevels = 5;
  for (int round = 0; round < 60; ++round) {
    const uint32_t n = 2 + random(60), num_edges = random(4 * n), num_labels = 1 + random(n);
    Labels labels(n);
    for (uint32_t& label : labels) label = random(3) == 0 ? kNoLabel : random(num_labels);
    std::vector<SpanningForest::Edge> edges(num_edges);
    SpanningForest forest(n);
    for (auto& edge : edges) forest.add(edge = {random(n), random(n), random(kLevels)});
    const auto& kept = forest.edges();
    EXPECT_LT(kept.size(), n);
    RandIndex index(labels);
    size_t next = 0;
    for (uint32_t level = 0; level < kLevels; ++level) {
      for (; next < kept.size() && kept[next].level <= level; ++next) index.unite(kept[next].a, kept[next].b);
      const Labels clusters = clusters_by_definition(n, edges, level);
      ASSERT_EQ(clusters_by_definition(n, kept, level), clusters);
      ASSERT_NEAR(index.value(), rand_index_by_definition(labels, clusters), 1e-9) << round << " " << level;
    }
    EXPECT_EQ(next, kept.size());
  }
}

TEST(Evaluate, ForestStaysSmallUnderManyEdges) {
  constexpr uint32_t kVertices = 300;
  Dice random(6);
  std::vector<SpanningForest::Edge> edges;
  SpanningForest forest(kVertices);
  for (int i = 0; i < 40'000; ++i) {  // many times what it holds
    edges.push_back({random(kVertices), random(kVertices), random(17)});
    forest.add(edges.back());
  }
  const auto kept = forest.edges();
  EXPECT_LT(kept.size(), kVertices);
  for (const uint32_t level : {0U, 3U, 16U})
    EXPECT_EQ(clusters_by_definition(kVertices, kept, level), clusters_by_definition(kVertices, edges, level));
}

struct Groups {
  Labels group_of;
  uint32_t count = 0;
};

Groups random_groups(uint32_t n, Dice& random) {
  Groups groups{Labels(n), 1 + random(n)};
  for (uint32_t& group : groups.group_of) group = random(groups.count);
  return groups;
}

// Every pair of documents asked by itself.
template <class Say>
void expect_counts(const Truth& truth, const Groups& groups, Say&& say) {
  std::map<std::pair<uint32_t, uint32_t>, PairCount> counts;
  uint64_t same = 0;
  for (uint32_t i = 0; i < groups.group_of.size(); ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      const int said = say(i, j);
      PairCount& count = counts[std::minmax(groups.group_of[i], groups.group_of[j])];
      count.same += said > 0;
      count.different += said == 0;
      same += said > 0;
    }
  }
  EXPECT_EQ(truth.num_same(), same);
  for (uint32_t g = 0; g < groups.count; ++g)
    for (uint32_t h = g; h < groups.count; ++h) {
      EXPECT_EQ(truth.between(g, h), counts[std::pair(g, h)]) << g << " " << h;
      EXPECT_EQ(truth.between(h, g), counts[std::pair(g, h)]);
    }
}

TEST(Truth, OfClustersCountsEveryPair) {
  Dice random(7);
  for (int round = 0; round < 40; ++round) {
    const uint32_t n = 1 + random(40);
    const Groups groups = random_groups(n, random);
    Labels labels(n);
    for (uint32_t& label : labels) label = random(4) == 0 ? kNoLabel : random(6);
    const Truth truth = Truth::from_clusters(labels, groups.group_of, groups.count);
    expect_counts(truth, groups,
                  [&](uint32_t i, uint32_t j) { return int{labels[i] == labels[j] && labels[i] != kNoLabel}; });
  }
}

TEST(Truth, OfPairsCountsEveryPair) {
  Dice random(8);
  for (int round = 0; round < 40; ++round) {
    const uint32_t n = 2 + random(25);
    const bool judged = round % 2 == 1;
    const Groups groups = random_groups(n, random);
    std::map<std::pair<uint32_t, uint32_t>, bool> said;
    std::vector<LabelledPair> pairs;
    for (uint32_t i = random(60); i-- > 0;) {
      const uint32_t a = random(n), b = random(n);
      if (a == b) continue;
      const bool same = said.try_emplace(std::minmax(a, b), !judged || random(2) == 0).first->second;
      pairs.push_back({a, b, same, i});
    }
    const auto truth = Truth::from_pairs(pairs, judged, groups.group_of, groups.count);
    ASSERT_TRUE(truth);
    expect_counts(*truth, groups, [&](uint32_t i, uint32_t j) {
      const auto found = said.find(std::minmax(i, j));
      return found != said.end() ? int{found->second} : judged ? -1 : 0;
    });
  }
}

}  // namespace
}  // namespace neardup::evaluate::clusters_test
