#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"
#include "neardup/cluster/components.h"
#include "neardup/cluster/star.h"
#include "tests/unit/cluster/graphs.h"

namespace neardup::cluster {
namespace {

Result<Likeness> always_similar(uint32_t, uint32_t) { return Likeness{true, 0.5F}; }

TEST(Star, AChainIsCutIntoPairs) {
  const Graph graph = chain(5);
  const auto found = star_clusters(5, source_of(graph), always_similar, {});
  const std::vector<Assignment> expected = {{0, 1, 0}, {0, 0.5F, 1}, {2, 1, 0}, {2, 0.5F, 3}, {4, 1, 0}};
  EXPECT_EQ(found.value(), expected);
}

TEST(Components, AChainIsOne) {
  const Graph graph = chain(4);
  const auto found = component_clusters(4, source_of(graph), always_similar, {});
  const std::vector<Assignment> expected = {
      {0, 1, 0}, {0, 0.5F, kUnknownDistance}, {0, 0.5F, kUnknownDistance}, {0, 0.5F, kUnknownDistance}};
  EXPECT_EQ(found.value(), expected);  // distances are known only after a rewind
}

TEST(Components, AsksForTheExactSimilarity) {
  const Graph graph = chain(3);
  const auto found = component_clusters(3, source_of(graph), always_similar,
                                        {.similarity = [](uint32_t better, uint32_t worse) -> Result<float> {
                                          return better + worse == 2 ? 0.25F : 0.75F;
                                        }});
  EXPECT_EQ(found.value()[1].similarity, 0.75F);
  EXPECT_EQ(found.value()[2].similarity, 0.25F);
}

TEST(Clusters, NothingToDo) {
  const Graph none{0, {}};
  EXPECT_TRUE(star_clusters(0, source_of(none), always_similar, {}).value().empty());
  EXPECT_TRUE(component_clusters(0, source_of(none), always_similar, {}).value().empty());
  const Graph lonely{3, {}};
  for (const auto& found : {star_clusters(3, source_of(lonely), always_similar, {}),
                            component_clusters(3, source_of(lonely), always_similar, {})}) {
    for (uint32_t rank = 0; rank < 3; ++rank) EXPECT_EQ(found.value()[rank], (Assignment{rank, 1, 0}));
  }
}

TEST(Clusters, ReferencesAreKeptAndNeverCompared) {
  const Graph graph = clique(6);
  const Verify verify = [](uint32_t, uint32_t worse) -> Result<Likeness> {
    EXPECT_GE(worse, 4U);
    return Likeness{true, 0.5F};
  };
  for (const auto& found : {star_clusters(6, source_of(graph), verify, {.num_references = 4}),
                            component_clusters(6, source_of(graph), verify, {.num_references = 4})}) {
    for (uint32_t rank = 0; rank < 6; ++rank) EXPECT_EQ(found.value()[rank].kept, rank < 4 ? rank : 0);
  }
}

TEST(Star, VerifiesOnlyAgainstKeptOnesAndStopsAtTheFirst) {
  const Graph graph = clique(200);
  std::atomic<int> calls = 0;
  const Verify verify = [&](uint32_t better, uint32_t) -> Result<Likeness> {
    EXPECT_EQ(better, 0U);
    ++calls;
    return Likeness{true, 1};
  };
  EXPECT_TRUE(star_clusters(200, source_of(graph), verify, {.num_threads = 3}));
  EXPECT_EQ(calls, 199);
}

// A failing verify must wake all who wait for its document.
TEST(Clusters, AnErrorStopsAllThreads) {
  const Graph graph = clique(500);
  for (const uint32_t failing : {1U, 100U, 499U}) {
    const Verify verify = [=](uint32_t, uint32_t worse) -> Result<Likeness> {
      if (worse == failing) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
        return fail(Code::kIo, "cannot read the text");
      }
      return Likeness{};
    };
    for (const int num_threads : {1, 2, 8}) {
      for (const auto& found : {star_clusters(500, source_of(graph), verify, {.num_threads = num_threads}),
                                component_clusters(500, source_of(graph), verify, {.num_threads = num_threads})}) {
        ASSERT_FALSE(found);
        EXPECT_EQ(found.error().message, "cannot read the text");
      }
    }
  }
}

TEST(Clusters, TheSourcesErrorComesBack) {
  const CandidateSource source = []() -> Result<std::span<const Candidate>> { return fail(Code::kIo, "disk gone"); };
  EXPECT_EQ(star_clusters(5, source, always_similar, {}).error().message, "disk gone");
  EXPECT_EQ(component_clusters(5, source, always_similar, {}).error().message, "disk gone");
}

TEST(Clusters, CandidatesOutOfOrderAreRefused) {
  const std::vector<std::vector<Candidate>> broken = {
      {{1, 1, 0}}, {{2, 1, 0}}, {{0, 9, 0}}, {{0, 2, 0}, {0, 1, 0}}, {{1, 2, 0}, {0, 2, 0}}, {{0, 1, 0}, {0, 1, 0}}};
  for (const auto& candidates : broken) {
    const Graph graph{9, candidates};
    for (const size_t block : {1, 10}) {
      EXPECT_EQ(star_clusters(9, source_of(graph, block), always_similar, {}).error().code, Code::kCorruption);
      EXPECT_EQ(component_clusters(9, source_of(graph, block), always_similar, {}).error().code, Code::kCorruption);
    }
  }
}

TEST(Clusters, StopOnRequest) {
  const Graph graph = clique(1000);
  std::atomic<bool> cancel = false;
  const Verify verify = [&](uint32_t, uint32_t worse) -> Result<Likeness> {
    if (worse == 700) cancel = true;
    return Likeness{};
  };
  for (const int num_threads : {1, 3}) {
    ClusterOptions options{.num_threads = num_threads};
    options.context.cancel = &cancel;
    cancel = false;
    EXPECT_EQ(star_clusters(1000, source_of(graph), verify, options).error().code, Code::kCancelled);
    cancel = false;
    EXPECT_EQ(component_clusters(1000, source_of(graph), verify, options).error().code, Code::kCancelled);
  }
}

class Recorder : public Progress {
 public:
  void begin_stage(std::string_view stage, std::string_view, uint64_t, uint64_t total_items) override {
    stages.emplace_back(stage);
    total = total_items;
    done = 0;
  }
  void advance(uint64_t, uint64_t done_items) override {
    EXPECT_GE(done_items, done);
    done = done_items;
  }
  void end_stage() override { EXPECT_EQ(done, total); }
  void warn(std::string_view) override {}
  std::vector<std::string> stages;
  uint64_t total = 0, done = 0;
};

TEST(Clusters, TellTheProgress) {
  const Graph graph = clique(700);
  Recorder recorder;
  ClusterOptions options{.num_threads = 3, .total_candidates = graph.candidates.size()};
  options.context.progress = &recorder;
  EXPECT_TRUE(star_clusters(700, source_of(graph), hashed_verify(1), options));
  EXPECT_TRUE(component_clusters(700, source_of(graph), hashed_verify(1), options));
  EXPECT_EQ(recorder.stages, (std::vector<std::string>{"cluster", "cluster", "similarity"}));
}

}  // namespace
}  // namespace neardup::cluster
