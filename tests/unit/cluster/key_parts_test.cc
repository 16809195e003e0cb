// Keys cut into parts by many, in any order, and sorted: the buckets are those of all members together.
#include "neardup/cluster/key_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace neardup::cluster {
namespace {

using Row = std::tuple<int64_t, int64_t>;  // bucket, rank
using Pieces = std::vector<KeyParts::Piece>;

void append(Pieces& to, Pieces pieces) {
  for (auto& piece : pieces) to.push_back(std::move(piece));
}

// What KeyPart gives of each part; parts may come in any order, so rows are sorted.
std::vector<Row> rows_of(const Pieces& pieces) {
  std::map<uint32_t, KeyPart> parts;
  for (const auto& piece : pieces) EXPECT_TRUE(parts[piece.part].add(piece.bytes));
  std::vector<Row> rows;
  for (auto& [number, part] : parts) {
    part.sort();
    std::vector<Row> of_part;
    for (BucketMember member; part.next(member);) {
      EXPECT_EQ(member.state, MemberState::kUndecided);
      of_part.emplace_back(member.bucket, member.rank);
    }
    const auto in_order = [](const Row& a, const Row& b) {
      return std::tuple(static_cast<uint64_t>(std::get<0>(a)), std::get<1>(a)) <
             std::tuple(static_cast<uint64_t>(std::get<0>(b)), std::get<1>(b));
    };
    EXPECT_TRUE(std::ranges::is_sorted(of_part, in_order));
    BucketMember none;
    part.sort();
    EXPECT_FALSE(part.next(none)) << "a part that was read is empty";
    rows.insert(rows.end(), of_part.begin(), of_part.end());
  }
  std::ranges::sort(rows);
  return rows;
}

TEST(KeyParts, BucketsOfTwoAndMoreAreThereWhole) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const int part_bits = 1 + static_cast<int>(seed % 5), num_tasks = 1 + static_cast<int>(seed % 4);
    std::vector<KeyParts> tasks(static_cast<size_t>(num_tasks), KeyParts(part_bits));
    Pieces pieces;
    std::map<int64_t, std::set<int64_t>> buckets;
    for (uint32_t i = 0; i < random() % 200; ++i) {
      // References are below 0; keys fill their 64 bits.
      const int64_t rank = static_cast<int64_t>(random() % 1000) - 500 + (random() % 9 == 0 ? INT64_MIN + 500 : 0);
      std::set<uint64_t> keys;
      while (random() % 4 != 0)
        keys.insert((random() % 40) * 0x9e3779b97f4a7c15 | (random() % 7 == 0 ? ~0ULL << 63 : 0));
      std::erase_if(keys, [&](uint64_t key) { return !buckets[static_cast<int64_t>(key)].insert(rank).second; });
      KeyParts& task = tasks[random() % tasks.size()];
      const std::vector<uint64_t> list(keys.begin(), keys.end());
      const size_t before = task.num_waiting();
      task.add(rank, list);
      EXPECT_EQ(task.num_waiting(), before + list.size());
      if (random() % 10 == 0) append(pieces, task.take());
    }
    for (KeyParts& task : tasks) append(pieces, task.take());
    for (KeyParts& task : tasks) EXPECT_TRUE(task.take().empty());
    std::ranges::shuffle(pieces, random);
    std::vector<Row> expected;
    for (const auto& [bucket, ranks] : buckets)
      if (ranks.size() > 1)
        for (const int64_t rank : ranks) expected.emplace_back(bucket, rank);
    EXPECT_EQ(rows_of(pieces), expected) << seed;
  }
}

TEST(KeyParts, OneKeyIsInOnePart) {
  KeyParts one(4), other(4);
  const std::array<uint64_t, 3> keys{0, 1ULL << 60, ~0ULL};
  one.add(1, keys);
  other.add(2, keys);
  Pieces pieces = one.take();
  ASSERT_EQ(pieces.size(), 3U);
  EXPECT_EQ(pieces[0].part, 0U);
  EXPECT_EQ(pieces[1].part, 1U);
  EXPECT_EQ(pieces[2].part, 15U);
  append(pieces, other.take());
  EXPECT_EQ(rows_of(pieces).size(), 6U);
}

TEST(KeyParts, DamagedPiecesAreTold) {
  KeyPart part;
  const Status added = part.add("seventeen bytes..");
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, Code::kCorruption);
  EXPECT_TRUE(part.add(""));
}

}  // namespace
}  // namespace neardup::cluster
