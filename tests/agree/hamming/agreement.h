// An index held against the two naive searches, query by query, one at a time and in batches.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "neardup/hamming/oracle.h"
#include "neardup/hamming/plan.h"
#include "neardup/hamming/static_index.h"
#include "tests/agree/hamming/sets.h"

namespace neardup::hamming::agreement {

inline constexpr Codec kCodecs[] = {Codec::kPacked, Codec::kPlain, Codec::kDelta};

inline std::string name_of(Codec codec) {
  return codec == Codec::kPacked ? "packed" : codec == Codec::kPlain ? "plain" : "delta";
}

template <class F>
struct Documents {
  std::vector<F> fingerprints;
  std::vector<uint64_t> numbers;

  void add(F fingerprint, uint64_t number) {
    fingerprints.push_back(fingerprint);
    numbers.push_back(number);
  }
};

/// Values under numbers that are no positions: in no order, some of them huge, each fingerprint under one to five.
template <class F>
Documents<F> documents_of(const std::vector<F>& values, std::mt19937_64& random) {
  Documents<F> documents;
  for (const F value : values) {
    for (uint64_t copies = random() % 8 == 0 ? 1 + random() % 5 : 1; copies > 0; --copies) {
      documents.add(value, random() % 16 == 0 ? UINT64_MAX - random() % 1000 : random() % 100'000);
    }
  }
  if (!values.empty()) documents.add(values[values.size() / 2], UINT64_MAX);
  return documents;
}

template <class F>
using Matches = std::vector<Match<F>>;

/// Sorted; what was put in twice is one entry.
template <class F>
Matches<F> normal(Matches<F> matches) {
  std::sort(matches.begin(), matches.end());
  matches.erase(std::unique(matches.begin(), matches.end()), matches.end());
  return matches;
}

template <class F>
Matches<F> within(const Matches<F>& matches, int max_distance) {
  Matches<F> near;
  std::copy_if(matches.begin(), matches.end(), std::back_inserter(near),
               [&](const Match<F>& match) { return match.distance <= max_distance; });
  return near;
}

/// The answers to some queries at the greatest distance, by linear scan.
template <class F>
struct Expected {
  std::vector<F> queries;
  std::vector<Matches<F>> matches;
};

template <class F>
Expected<F> scan_all(const Documents<F>& documents, const std::vector<F>& queries, int max_distance) {
  Expected<F> expected{queries, std::vector<Matches<F>>(queries.size())};
  for (size_t i = 0; i < queries.size(); ++i) {
    linear_scan<F>(documents.fingerprints, documents.numbers, queries[i], max_distance, expected.matches[i]);
    expected.matches[i] = normal(std::move(expected.matches[i]));
  }
  return expected;
}

/// `index` has query() and query_batch(): a StaticIndex or a view of one that changes. Each match must come once.
template <class F, class Index>
void expect_agreement(const Index& index, const Expected<F>& expected, int max_distance) {
  std::vector<Matches<F>> batches(expected.queries.size());
  size_t next = 0;
  index.query_batch(expected.queries, max_distance, [&](size_t i, std::span<const Match<F>> matches) {
    EXPECT_GE(i, next) << "out of order, or given twice";
    next = i + 1;
    batches[i].assign(matches.begin(), matches.end());
  });
  for (size_t i = 0; i < expected.queries.size(); ++i) {
    const Matches<F> wanted = within(expected.matches[i], max_distance);
    Matches<F> found;
    index.query(expected.queries[i], max_distance, found);
    std::sort(found.begin(), found.end());
    std::sort(batches[i].begin(), batches[i].end());
    ASSERT_EQ(found.size(), wanted.size()) << "query " << i << " within " << max_distance;
    ASSERT_TRUE(found == wanted) << "query " << i << " within " << max_distance;
    ASSERT_TRUE(batches[i] == wanted) << "batch, query " << i << " within " << max_distance;
  }
}

template <class F>
StaticIndex<F> build(const Documents<F>& documents, const Plan& plan, const BuildOptions& options) {
  auto index = StaticIndex<F>::build(documents.fingerprints, documents.numbers, plan, options);
  if (!index) ADD_FAILURE() << plan.name << ": " << index.error().message;
  return std::move(index).value();
}

/// Plans of each kind that miss nothing within max_distance, for any distance that is offered.
inline std::vector<Plan> plans_for(int num_bits, int max_distance) {
  const int k = max_distance;
  std::vector<Plan> plans{permuted_plan(num_bits, k + 1, 1), scan_plan(num_bits, k)};
  if (k <= 9) plans.push_back(permuted_plan(num_bits, k + 2, 2));
  if (k <= 3) plans.push_back(permuted_plan(num_bits, k + 3, 3));
  if (k >= 1 && k <= 7) plans.push_back(two_level_plan(num_bits, k + 1, k + 1));
  const int two = (k + 1) / 2;  // flips + 1 of two blocks, the first one rounded up
  const std::vector<Block> short_blocks{{12, std::min(k - two, 2)}, {11, std::min(two, 2)}};
  std::vector<Block> blocks;  // of 13 bits and fewer, with one flip each, that meet the distance
  for (int met = 0; met <= k; met += 2) blocks.push_back({std::min(13, num_bits / (k / 2 + 1)), met < k ? 1 : 0});
  plans.push_back(flip_plan(num_bits, k, blocks));
  if (k <= 5) plans.push_back(flip_plan(num_bits, k, short_blocks));
  if (k == 3) plans.push_back(flip_plan(num_bits, k, std::vector<Block>{{26, 1}, {26, 1}}));
  if (k == 6) plans.push_back(flip_plan(num_bits, k, std::vector<Block>{{21, 2}, {21, 1}, {22, 1}}));
  std::vector<Plan> complete;
  for (Plan& plan : plans) {
    if (check_plan(plan)) complete.push_back(std::move(plan));
  }
  return complete;
}

}  // namespace neardup::hamming::agreement
