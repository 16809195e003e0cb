// Clusters straight from fingerprints are those that this room makes of the list of all pairs.
#include "neardup/cluster/cluster_join.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"
#include "neardup/cluster/components.h"
#include "neardup/cluster/star.h"
#include "neardup/fingerprint/made_up.h"
#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"

namespace neardup::cluster {
namespace {

Result<Likeness> similar(uint32_t, uint32_t) { return Likeness{true, 1.0F}; }

TEST(ClusterJoin, GivesTheSameStarsAndComponentsAsTheListOfPairs) {
  const auto set = fingerprint::make_fingerprints(40'000, fingerprint::Spread::kClustered, 9);
  const auto size = static_cast<uint32_t>(set.size());
  for (const int k : {1, 3, 6}) {
    const join::JoinOptions options{k, 2, 0, {}};
    std::vector<Candidate> list;
    std::mutex mutex;
    ASSERT_TRUE(join::self_join(set, options, [&](std::span<const join::Pair> pairs, int) -> Status {
      const std::lock_guard lock(mutex);
      for (const join::Pair& pair : pairs)
        list.push_back({static_cast<uint32_t>(pair.a), static_cast<uint32_t>(pair.b), pair.distance});
      return {};
    }));
    std::ranges::sort(list, {}, [](const Candidate& c) { return std::pair(c.worse, c.better); });
    for (const bool stars : {true, false}) {
      bool given = false;
      const CandidateSource source = [&]() -> Result<std::span<const Candidate>> {
        if (given) return std::span<const Candidate>();
        given = true;
        return std::span<const Candidate>(list);
      };
      const auto expected =
          stars ? star_clusters(size, source, similar, {}) : component_clusters(size, source, similar, {});
      const auto found = cluster_join(set, stars ? ClusterKind::kStar : ClusterKind::kComponents, options);
      ASSERT_TRUE(expected && found);
      for (uint32_t i = 0; i < size; ++i) ASSERT_EQ((*expected)[i].kept, (*found)[i]) << "k " << k << " at " << i;
    }
  }
}

}  // namespace
}  // namespace neardup::cluster
