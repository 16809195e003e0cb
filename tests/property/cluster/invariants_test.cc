// What must hold for every graph, whatever the verdicts.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"
#include "neardup/cluster/components.h"
#include "neardup/cluster/keep_rule.h"
#include "neardup/cluster/star.h"
#include "tests/unit/cluster/graphs.h"

namespace neardup::cluster {
namespace {

struct Case {
  Graph graph;
  uint32_t percent = 0, seed = 0, num_references = 0;
  int num_threads = 1;
};

Case any_case() {
  Case any;
  any.seed = *rc::gen::arbitrary<uint32_t>();
  any.percent = *rc::gen::inRange(0U, 101U);
  const uint32_t size = *rc::gen::inRange(1U, 120U);
  any.graph = random_graph(size, *rc::gen::inRange(0U, 600U), any.seed);
  any.num_references = *rc::gen::inRange(0U, size + 1);
  any.num_threads = *rc::gen::inRange(1, 5);
  return any;
}

bool is_candidate(const Graph& graph, uint32_t better, uint32_t worse) {
  return std::ranges::any_of(graph.candidates,
                             [&](const Candidate& c) { return c.better == better && c.worse == worse; });
}

TEST(StarProperty, RemovedDocumentsAreVerifiedAgainstKeptOnes) {
  EXPECT_TRUE(rc::check([] {
    const Case any = any_case();
    const Verify verify = hashed_verify(any.percent, any.seed);
    const auto found = star_clusters(any.graph.num_documents, source_of(any.graph), verify,
                                     {.num_threads = any.num_threads, .num_references = any.num_references});
    RC_ASSERT(found.has_value());
    for (uint32_t rank = 0; rank < any.graph.num_documents; ++rank) {
      const Assignment& assignment = (*found)[rank];
      RC_ASSERT((*found)[assignment.kept].kept == assignment.kept);
      if (assignment.kept == rank) continue;
      RC_ASSERT(rank >= any.num_references);
      RC_ASSERT(assignment.kept < rank);
      RC_ASSERT(is_candidate(any.graph, assignment.kept, rank));
      RC_ASSERT(verify(assignment.kept, rank)->similar);
    }
    // No two kept documents are similar, but references.
    for (const Candidate& candidate : any.graph.candidates) {
      const bool both_kept =
          (*found)[candidate.better].kept == candidate.better && (*found)[candidate.worse].kept == candidate.worse;
      if (both_kept && candidate.worse >= any.num_references)
        RC_ASSERT(!verify(candidate.better, candidate.worse)->similar);
    }
  }));
}

TEST(ComponentProperty, SimilarCandidatesShareTheBestOfTheirComponent) {
  EXPECT_TRUE(rc::check([] {
    const Case any = any_case();
    const Verify verify = hashed_verify(any.percent, any.seed);
    const auto found =
        component_clusters(any.graph.num_documents, source_of(any.graph), verify, {.num_threads = any.num_threads});
    RC_ASSERT(found.has_value());
    for (const Candidate& candidate : any.graph.candidates) {
      if (verify(candidate.better, candidate.worse)->similar)
        RC_ASSERT((*found)[candidate.better].kept == (*found)[candidate.worse].kept);
    }
    for (uint32_t rank = 0; rank < any.graph.num_documents; ++rank) RC_ASSERT((*found)[rank].kept <= rank);
  }));
}

TEST(KeepRuleProperty, FormsReadBackAsTheSameRule) {
  EXPECT_TRUE(rc::check([] {
    const auto text = *rc::gen::element<std::string>("max:", "priority:a=", "priority:", "longest", "first") +
                      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab,=:")));
    const auto rule = keep_rule_from_string(text);
    if (rule) RC_ASSERT(keep_rule_from_string(to_string(*rule)).value() == *rule);
  }));
}

}  // namespace
}  // namespace neardup::cluster
