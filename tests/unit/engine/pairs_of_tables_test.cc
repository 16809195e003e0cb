#include "neardup/engine/fingerprints/pairs_of_tables.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace neardup::engine {
namespace {

using fingerprint::Fingerprint;

FingerprintTable table_of(const std::vector<std::vector<Fingerprint>>& rows, const std::string& recipe_id = "") {
  FingerprintTable table(recipe_id);
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string id = std::to_string(i);
    EXPECT_TRUE(table.add({.id = id, .fingerprints = rows[i], .checksum = {}}));
  }
  return table;
}

FingerprintTable signatures(size_t count) {
  FingerprintTable table;
  const std::vector<fingerprint::SignatureValue> values(128, 7);
  for (size_t i = 0; i < count; ++i) {
    const std::string id = std::to_string(i);
    EXPECT_TRUE(table.add({.id = id, .fingerprints = {}, .checksum = {}, .num_tokens = 100, .signature = values}));
  }
  return table;
}

class Collected : public PairReceiver {
 public:
  Status add(std::string_view a, std::string_view b, int distance) override {
    pairs.emplace_back(a, b, distance);
    return {};
  }
  Status add(std::string_view a, std::string_view b, float similarity, float) override {
    pairs.emplace_back(a, b, static_cast<int>(similarity * 100));
    return {};
  }
  Status finish() override {
    is_finished = true;
    return {};
  }

  std::vector<std::tuple<std::string, std::string, int>> pairs;
  bool is_finished = false;
};

using Pairs = std::vector<std::tuple<std::string, std::string, int>>;

Code code_of(const TablePairs& job) {
  Collected found;
  const Status status = find_table_pairs(job, found);
  return status ? Code::kCancelled : status.error().code;
}

TEST(PairsOfTables, FingerprintsWithinTheUsualDistance) {
  const FingerprintTable table = table_of({{0}, {0b111}, {}, {0b11111}});
  Collected found;
  ASSERT_TRUE(find_table_pairs({.names = {"a", ""}, .left = table}, found));
  EXPECT_EQ(found.pairs, (Pairs{{"0", "1", 3}, {"1", "3", 2}}));
  EXPECT_TRUE(found.is_finished);
}

TEST(PairsOfTables, BetweenTwoAndClusters) {
  const FingerprintTable left = table_of({{0}, {1}}), right = table_of({{3}});
  Collected found, clusters;
  ASSERT_TRUE(find_table_pairs({.names = {"a", "b"}, .left = left, .right = &right, .max_distance = 1}, found));
  EXPECT_EQ(found.pairs, (Pairs{{"1", "0", 1}}));
  TablePairs job{.names = {"a", ""}, .left = left};
  job.clusters = cluster::ClusterKind::kStar;
  ASSERT_TRUE(find_table_pairs(job, clusters));
  EXPECT_EQ(clusters.pairs, (Pairs{{"1", "0", 1}}));
}

TEST(PairsOfTables, SignaturesByTheRule) {
  const FingerprintTable table = signatures(2);
  Collected found;
  ASSERT_TRUE(find_table_pairs({.names = {"a", ""}, .left = table}, found));
  EXPECT_EQ(found.pairs, (Pairs{{"0", "1", 100}}));
}

TEST(PairsOfTables, EachFamilyHasItsOwnMeasure) {
  const FingerprintTable bits = table_of({{1}, {2}}), values = signatures(2);
  TablePairs with_distance{.names = {"a", ""}, .left = values}, with_rule{.names = {"a", ""}, .left = bits};
  with_distance.max_distance = 3;
  with_rule.rule = verify::Rule{.kind = verify::Rule::Kind::kOrigin};
  EXPECT_EQ(code_of(with_distance), Code::kInvalidArgument);
  EXPECT_EQ(code_of(with_rule), Code::kInvalidArgument);
}

TEST(PairsOfTables, WhatCannotBe) {
  const FingerprintTable one = table_of({{1}}, "aaaaaaaaaaaa"), other = table_of({{1}}, "bbbbbbbbbbbb");
  EXPECT_EQ(code_of({.names = {"a", "b"}, .left = one, .right = &other}), Code::kMismatch);
  TablePairs small{.names = {"a", ""}, .left = one};
  small.memory_bytes = 1;
  EXPECT_EQ(code_of(small), Code::kMemory);
  TablePairs between{.names = {"a", "b"}, .left = one, .right = &one};
  between.clusters = cluster::ClusterKind::kStar;
  EXPECT_EQ(code_of(between), Code::kInvalidArgument);
  FingerprintTable mixed = table_of({{1}});
  EXPECT_FALSE(mixed.add({.id = "x", .fingerprints = std::vector<Fingerprint>{1, 2}, .checksum = {}}));
}

}  // namespace
}  // namespace neardup::engine
