// Stars from sorted streams of buckets, in rounds, against the definition over all pairs of the buckets.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "neardup/cluster/bucket_pairs.h"
#include "neardup/cluster/star_stream.h"
#include "tests/unit/cluster/graphs.h"

namespace neardup::cluster {
namespace {

using Members = std::vector<BucketMember>;

// Each rank is in some of the buckets; ranks below num_references are kept for good.
Members random_members(uint32_t num_ranks, uint32_t num_buckets, uint32_t num_references, uint32_t seed) {
  std::mt19937_64 random(seed);
  Members members;
  for (uint32_t rank = 0; rank < num_ranks; ++rank) {
    std::set<int64_t> buckets;
    while (random() % 3 != 0) buckets.insert(static_cast<int64_t>(random() % num_buckets));
    for (const int64_t bucket : buckets)
      members.push_back({bucket, rank, rank < num_references ? MemberState::kKept : MemberState::kUndecided});
  }
  return members;
}

Graph graph_of(const Members& members, uint32_t num_ranks) {
  Graph graph{num_ranks, {}};
  for (const BucketMember& a : members)
    for (const BucketMember& b : members)
      if (a.bucket == b.bucket && a.rank < b.rank && b.state != MemberState::kKept)
        graph.candidates.push_back({static_cast<uint32_t>(a.rank), static_cast<uint32_t>(b.rank), 1});
  sort_candidates(graph.candidates);
  return graph;
}

// What the driver of the rounds does, with everything in memory.
class Rounds {
 public:
  Rounds(Members members, const Verify& verify) : members_(std::move(members)), verify_(verify) {}

  std::map<int64_t, StarFate> run(uint32_t limit, uint32_t more) {
    while (true) {
      ++num_rounds_;
      const BucketFindings findings = find(limit);
      compare(findings.pairs);
      const std::map<int64_t, StarFate> fates = decide(findings.unseen);
      const auto is_removed = [](const auto& fate) { return fate.second.kind == StarFate::Kind::kRemoved; };
      if (std::ranges::all_of(fates, is_removed)) return fates;
      members_ = left(findings.left, fates);
      limit *= more;
    }
  }
  [[nodiscard]] int num_rounds() const { return num_rounds_; }

 private:
  BucketFindings find(uint32_t limit) {
    std::ranges::sort(members_, {}, [](const BucketMember& member) { return std::pair(member.bucket, member.rank); });
    BucketPairs pairs(limit);
    BucketFindings findings;
    for (const BucketMember& member : members_) {
      pairs.add(member);
      list(pairs, findings);
    }
    return findings;
  }
  // In batches of three rows.
  static void list(BucketPairs& pairs, BucketFindings& findings) {
    bool has_more = true;
    while (has_more) {
      BucketFindings batch;
      has_more = pairs.list(3, batch);
      EXPECT_LE(batch.pairs.size() + batch.unseen.size() + batch.left.size(), 5U);
      append(batch.pairs, findings.pairs);
      append(batch.unseen, findings.unseen);
      append(batch.left, findings.left);
    }
  }
  template <class Row>
  static void append(const std::vector<Row>& batch, std::vector<Row>& all) {
    all.insert(all.end(), batch.begin(), batch.end());
  }
  void compare(const std::vector<BucketFindings::Pair>& pairs) {
    for (const auto& [better, worse] : pairs) {
      const Likeness likeness = verify_(static_cast<uint32_t>(better), static_cast<uint32_t>(worse)).value();
      if (likeness.similar) similar_.push_back({better, worse, false, likeness.similarity, 1});
    }
  }
  std::map<int64_t, StarFate> decide(const std::vector<BucketFindings::Pair>& unseen) const {
    std::vector<StarRow> rows = similar_;
    for (const auto& [better, worse] : unseen) rows.push_back({better, worse, true, 0, 0});
    std::ranges::sort(rows, {}, [](const StarRow& row) { return std::tuple(row.worse, row.better, row.is_unseen); });
    StarStream stream;
    std::vector<StarFate> fates;
    for (const StarRow& row : rows) stream.add(row, fates);
    stream.finish(fates);
    std::map<int64_t, StarFate> by_rank;
    for (const StarFate& fate : fates) by_rank[fate.rank] = fate;
    return by_rank;
  }
  static Members left(const Members& members, const std::map<int64_t, StarFate>& fates) {
    Members left;
    for (BucketMember member : members) {
      const auto found = fates.find(member.rank);
      member.state = MemberState::kKept;
      if (found != fates.end() && found->second.kind == StarFate::Kind::kRemoved) continue;
      if (found != fates.end())
        member.state =
            found->second.kind == StarFate::Kind::kFollower ? MemberState::kFollower : MemberState::kUndecided;
      left.push_back(member);
    }
    return left;
  }

  Members members_;
  const Verify& verify_;
  std::vector<StarRow> similar_;
  int num_rounds_ = 0;
};

void expect_stars(const std::map<int64_t, StarFate>& fates, const std::vector<Assignment>& expected) {
  for (uint32_t rank = 0; rank < expected.size(); ++rank) {
    const auto found = fates.find(rank);
    ASSERT_EQ(found == fates.end() ? rank : found->second.kept, expected[rank].kept) << rank;
    if (found == fates.end()) continue;
    ASSERT_EQ(static_cast<float>(found->second.similarity), expected[rank].similarity);
  }
}

TEST(BucketStarsAgree, RandomBuckets) {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    const uint32_t num_ranks = 2 + seed, num_references = seed % 4 == 0 ? num_ranks / 3 : 0;
    const Members members = random_members(num_ranks, 1 + seed % 9, num_references, seed);
    const Graph graph = graph_of(members, num_ranks);
    for (const uint32_t percent : {0, 5, 30, 100}) {
      const Verify verify = hashed_verify(percent, seed);
      const std::vector<Assignment> expected = plain_stars(graph, verify, num_references);
      for (const uint32_t limit : {1U, 2U, 8U, 1000U}) {
        Rounds rounds(members, verify);
        expect_stars(rounds.run(limit, 2), expected);
        EXPECT_LE(rounds.num_rounds(), 10) << "the bound: 1 + log2(ranks / limit), rounded up";
      }
    }
  }
}

// All alike: the first one takes all, and one partner each tells that.
TEST(BucketStarsAgree, AHotBucketIsDecidedAtOnce) {
  Members members;
  for (int64_t rank = 0; rank < 10'000; ++rank) members.push_back({7, rank, MemberState::kUndecided});
  const Verify verify = hashed_verify(100, 1);
  Rounds rounds(members, verify);
  const auto fates = rounds.run(1, 32);
  EXPECT_EQ(rounds.num_rounds(), 1);
  EXPECT_EQ(fates.size(), 9'999U);
  EXPECT_EQ(fates.at(9'999).kept, 0);
}

// Each in a bucket with the next one: one pass, however long.
TEST(BucketStarsAgree, AChainIsDecidedAtOnce) {
  Members members;
  for (int64_t rank = 0; rank < 10'000; ++rank) {
    members.push_back({rank, rank, MemberState::kUndecided});
    members.push_back({rank, rank + 1, MemberState::kUndecided});
  }
  const Verify verify = hashed_verify(100, 1);
  Rounds rounds(members, verify);
  const auto fates = rounds.run(1, 32);
  EXPECT_EQ(rounds.num_rounds(), 1);
  EXPECT_EQ(fates.size(), 5'000U);
  EXPECT_EQ(fates.at(9'999).kept, 9'998);
}

}  // namespace
}  // namespace neardup::cluster
