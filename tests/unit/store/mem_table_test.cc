// The table of the newest entries: everything within reach, nothing erased, nothing younger than the version.
#include "neardup/store/mem_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

namespace neardup::store {
namespace {

using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

template <class F>
F random_fingerprint(std::mt19937_64& random) {
  F value = random();
  if constexpr (sizeof(F) > 8) value = value << 64 | random();
  return value;
}

// Near an earlier one half the time, so that every distance occurs.
template <class F>
F next_fingerprint(std::mt19937_64& random, const std::vector<F>& before, int max_flips) {
  if (before.empty() || random() % 2 == 0) return random_fingerprint<F>(random);
  F value = before[random() % before.size()];
  for (auto flips = random() % (max_flips + 1); flips > 0; --flips) value ^= F{1} << random() % (8 * sizeof(F));
  return value;
}

template <class F>
struct Step {
  bool is_erase;
  F fingerprint;
  uint64_t document;
};

// What the first steps leave, found by looking at each.
template <class F>
std::vector<hamming::Match<F>> expected(const std::vector<Step<F>>& steps, size_t end, F query, int max_distance) {
  std::vector<hamming::Match<F>> matches;
  for (size_t i = 0; i < end; ++i) {
    if (steps[i].is_erase) {
      std::erase_if(matches, [&](const hamming::Match<F>& match) { return match.document == steps[i].document; });
    } else if (const int d = fingerprint::distance_of<F>(steps[i].fingerprint, query); d <= max_distance) {
      matches.push_back({steps[i].document, steps[i].fingerprint, d});
    }
  }
  std::sort(matches.begin(), matches.end());
  return matches;
}

template <class F>
void expect_agreement(const hamming::Plan& plan, uint32_t capacity, uint64_t seed) {
  std::mt19937_64 random(seed);
  MemTable<F> table(plan, capacity);
  std::vector<Step<F>> steps;
  std::vector<F> fingerprints;
  std::vector<std::pair<size_t, MemVersion>> versions;
  while (!table.full()) {
    if (random() % 5 == 0) {
      steps.push_back({true, 0, random() % 40});
      table.erase(steps.back().document);
    } else {
      fingerprints.push_back(next_fingerprint(random, fingerprints, plan.max_distance + 2));
      steps.push_back({false, fingerprints.back(), random() % 40});
      table.prefetch(fingerprints.back());
      table.insert(fingerprints.back(), steps.back().document);
    }
    if (random() % 8 == 0) versions.emplace_back(steps.size(), table.version());
  }
  versions.emplace_back(steps.size(), table.version());
  for (const auto& [end, version] : versions) {
    for (int i = 0; i < 4; ++i) {
      const F query = next_fingerprint(random, fingerprints, plan.max_distance + 1);
      const int distance = static_cast<int>(random() % (plan.max_distance + 1));
      std::vector<hamming::Match<F>> matches;
      table.query(query, distance, version, matches);
      std::sort(matches.begin(), matches.end());
      ASSERT_EQ(matches, expected(steps, end, query, distance)) << plan.name << " at step " << end;
    }
  }
}

TEST(MemTable, AgreesWithAScanForEveryKindOfPlanAndEveryVersion) {
  const hamming::Block narrow[] = {{6, 1}, {6, 1}};
  const hamming::Block wide[] = {{12, 2}, {14, 1}, {12, 1}};
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    expect_agreement<Fingerprint>(hamming::permuted_plan(64, 4, 1), 300, seed);
    expect_agreement<Fingerprint>(hamming::permuted_plan(64, 5, 2), 300, seed);
    expect_agreement<Fingerprint>(hamming::two_level_plan(64, 4, 4), 300, seed);
    expect_agreement<Fingerprint>(hamming::flip_plan(64, 3, narrow), 300, seed);
    expect_agreement<Fingerprint>(hamming::flip_plan(64, 6, wide), 2000, seed);
    expect_agreement<Fingerprint>(hamming::scan_plan(64, 16), 200, seed);
    expect_agreement<Fingerprint128>(hamming::flip_plan(128, 3, narrow), 300, seed);
    expect_agreement<Fingerprint128>(hamming::scan_plan(128, 32), 200, seed);
  }
}

TEST(MemTable, ManyEqualFingerprintsAreAllFound) {
  const hamming::Block blocks[] = {{16, 1}, {16, 1}};
  MemTable<Fingerprint> table(hamming::flip_plan(64, 3, blocks), 1000);
  for (uint64_t i = 0; i < 1000; ++i) table.insert(42, i);
  EXPECT_TRUE(table.full());
  std::vector<hamming::Match<Fingerprint>> matches;
  table.query(42 ^ 7, 3, table.version(), matches);
  EXPECT_EQ(matches.size(), 1000u);
}

TEST(MemTable, ErasesWhatIsOlderOnly) {
  MemTable<Fingerprint> table(hamming::permuted_plan(64, 4, 1), 10);
  const auto found = [&](MemVersion version) {
    std::vector<hamming::Match<Fingerprint>> matches;
    table.query(5, 3, version, matches);
    return matches.size();
  };
  table.insert(5, 1);
  const MemVersion before = table.version();
  table.erase(1);
  const MemVersion between = table.version();
  table.insert(5, 1);
  EXPECT_EQ(found(before), 1u);
  EXPECT_EQ(found(between), 0u);
  EXPECT_EQ(found(table.version()), 1u);
  EXPECT_FALSE(table.erases(1, before));
  EXPECT_TRUE(table.erases(1, between));
  EXPECT_FALSE(table.erases(2, between));
  EXPECT_EQ(table.erased_documents(table.version()), std::vector<uint64_t>{1});
  uint64_t seen = 0;
  table.for_each(table.version(), [&](Fingerprint value, uint64_t document) { seen += value * 10 + document; });
  EXPECT_EQ(seen, 51u);
}

TEST(MemTable, ReadersSeeEveryEntryOfTheVersionTheyTook) {
  constexpr uint32_t kCount = 20000;
  const hamming::Block blocks[] = {{8, 1}, {8, 1}};
  MemTable<Fingerprint> table(hamming::flip_plan(64, 3, blocks), kCount);
  std::thread reader([&] {
    for (MemVersion version; version.inserted < kCount;) {
      version = table.version();
      std::vector<hamming::Match<Fingerprint>> matches;
      table.query(0, 3, version, matches);
      // Entry i has the fingerprint (i % 64) << 40: of six bits, 42 of 64 values have at most three.
      uint64_t expected_count = 0;
      for (uint32_t i = 0; i < version.inserted; ++i) expected_count += std::popcount(i % 64) <= 3 ? 1 : 0;
      ASSERT_EQ(matches.size(), expected_count);
    }
  });
  for (uint64_t i = 0; i < kCount; ++i) table.insert((i % 64) << 40, i);
  reader.join();
}

}  // namespace
}  // namespace neardup::store
