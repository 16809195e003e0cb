// The tables of the online index against the slowest obvious ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/engine/online/band_index.h"
#include "neardup/engine/online/band_map.h"
#include "neardup/engine/online/fingerprint_scan.h"
#include "neardup/engine/online/kept_texts.h"

namespace neardup::engine {
namespace {

std::vector<uint32_t> sorted(std::vector<uint32_t> numbers) {
  std::ranges::sort(numbers);
  return numbers;
}

TEST(BandMap, HoldsWhatAMultimapHolds) {
  for (const uint64_t distinct : {1, 2, 50, 100'000}) {
    std::mt19937_64 random(distinct);
    BandMap map;
    std::multimap<uint64_t, uint32_t> slow;
    for (uint32_t document = 0; document < 20'000; ++document) {
      const uint64_t hash = mix64(random() % distinct);
      map.add(hash, document);
      slow.emplace(hash >> 32, document);
    }
    for (uint64_t i = 0; i < std::min<uint64_t>(distinct + 5, 3000); ++i) {
      std::vector<uint32_t> found, expected;
      map.find(mix64(i), found);
      const auto [begin, end] = slow.equal_range(mix64(i) >> 32);
      for (auto at = begin; at != end; ++at) expected.push_back(at->second);
      EXPECT_EQ(sorted(found), sorted(expected)) << distinct << " " << i;
    }
  }
}

// Of a hash the first few, and what is taken back leaves what was there.
TEST(BandMap, TakesSoManyOfAHashAndNoMore) {
  for (const uint32_t most : {1, 2, 16}) {
    std::mt19937_64 random(most);
    BandMap map;
    std::map<uint64_t, std::vector<uint32_t>> slow;
    for (uint32_t document = 0; document < 5000; ++document) {
      const uint64_t hash = mix64(random() % 200);
      map.add(hash, document, most);
      std::vector<uint32_t>& list = slow[hash];
      const size_t before = list.size();
      if (before < most) list.push_back(document);
      if (random() % 4 != 0) continue;
      map.take_back(hash, document);
      list.resize(before);
    }
    for (const auto& [hash, list] : slow) {
      std::vector<uint32_t> found, fewer;
      map.find(hash, found);
      EXPECT_EQ(found, list) << most;
      map.find(hash, fewer, 1);
      EXPECT_EQ(fewer.size(), std::min<size_t>(1, list.size()));
    }
  }
}

// Hashes that fall side by side, or are all ones: probing goes round the end, and a full slot is no free one.
TEST(BandMap, TakesHashesOfAnyKind) {
  BandMap map;
  for (uint32_t i = 0; i < 1000; ++i) map.add(~uint64_t{0} - (uint64_t{i} << 32), i);
  for (uint32_t i = 0; i < 1000; ++i) {
    std::vector<uint32_t> found;
    map.find(~uint64_t{0} - (uint64_t{i} << 32), found);
    EXPECT_EQ(found, std::vector<uint32_t>{i});
  }
}

TEST(BandMap, ABandOfAllTakesFewBytes) {
  BandMap map;
  for (uint32_t i = 0; i < 100'000; ++i) map.add(12345, i);
  EXPECT_LT(map.size_bytes(), 100'000 * 2 * sizeof(uint32_t) + 1000);
}

TEST(BandIndex, FindsWhoeverHasABandInCommon) {
  std::mt19937_64 random(5);
  const auto bands = *join::make_bands(32, 24, 2);
  BandIndex index(PairRoute::kMinHash, bands);
  std::vector<std::vector<uint16_t>> stored;
  for (uint32_t document = 0; document < 400; ++document) {
    std::vector<uint16_t> signature(32);
    for (uint16_t& value : signature) value = static_cast<uint16_t>(random() % 12);
    std::set<uint32_t> expected;
    for (uint32_t other = 0; other < stored.size(); ++other)
      for (const join::Band& band : bands)
        if (std::ranges::all_of(band, [&](uint16_t i) { return stored[other][i] == signature[i]; }))
          expected.insert(other);
    std::vector<uint32_t> found;
    ASSERT_TRUE(index.find({.signature = signature}, found));
    const std::set<uint32_t> distinct(found.begin(), found.end());
    EXPECT_TRUE(std::ranges::includes(distinct, expected));
    EXPECT_LE(distinct.size(), expected.size() + 1) << "hashes of different values hardly ever meet";
    ASSERT_TRUE(index.add(document, {.signature = signature}));
    stored.push_back(signature);
  }
}

TEST(FingerprintScan, FindsAllWithinTheDistanceInAnyColumn) {
  std::mt19937_64 random(6);
  for (const int max_distance : {0, 3, 13}) {
    FingerprintScan index(2, max_distance);
    std::vector<std::vector<uint64_t>> stored;
    for (uint32_t document = 0; document < 300; ++document) {
      std::vector<uint64_t> fingerprints = {random(), random()};
      if (!stored.empty() && random() % 2 == 0) {
        fingerprints = stored[random() % stored.size()];
        for (uint64_t flips = random() % 16; flips > 0; --flips)
          fingerprints[flips % 2] ^= uint64_t{1} << random() % 64;
      }
      std::vector<uint32_t> found;
      std::set<uint32_t> expected;
      for (uint32_t other = 0; other < stored.size(); ++other)
        for (size_t i = 0; i < 2; ++i)
          if (std::popcount(stored[other][i] ^ fingerprints[i]) <= max_distance) expected.insert(other);
      ASSERT_TRUE(index.find({.fingerprints = fingerprints}, found));
      EXPECT_EQ(std::set<uint32_t>(found.begin(), found.end()), expected);
      ASSERT_TRUE(index.add(document, {.fingerprints = fingerprints}));
      stored.push_back(fingerprints);
    }
  }
}

TEST(KeptTexts, GivesBackWhatWasAdded) {
  std::mt19937_64 random(7);
  KeptTexts kept;
  struct Copy {
    std::vector<uint64_t> fingerprints;
    std::vector<uint16_t> signature, short_signature;
    std::vector<uint32_t> tokens, short_text;
  };
  std::vector<Copy> copies;
  for (size_t i = 0; i < 300; ++i) {
    Copy copy{std::vector<uint64_t>(random() % 3, random()), std::vector<uint16_t>(random() % 200, 7),
              std::vector<uint16_t>(random() % 130, 9),
              std::vector<uint32_t>(i % 50 == 7 ? 400'000 : random() % 3000, static_cast<uint32_t>(i)),
              std::vector<uint32_t>(random() % 40, 3)};
    EXPECT_EQ(kept.add({.checksum = {i, i + 1},
                        .fingerprints = copy.fingerprints,
                        .signature = copy.signature,
                        .tokens = copy.tokens,
                        .short_text = copy.short_text,
                        .short_signature = copy.short_signature}),
              i);
    copies.push_back(std::move(copy));
  }
  for (uint32_t i = 0; i < copies.size(); ++i) {
    const PairSide side = kept.side(i);
    EXPECT_TRUE(std::ranges::equal(side.fingerprints, copies[i].fingerprints));
    EXPECT_TRUE(std::ranges::equal(side.signature, copies[i].signature));
    EXPECT_TRUE(std::ranges::equal(side.short_signature, copies[i].short_signature));
    EXPECT_TRUE(std::ranges::equal(side.tokens, copies[i].tokens));
    EXPECT_TRUE(std::ranges::equal(side.short_text, copies[i].short_text));
    EXPECT_EQ(side.checksum, (Hash128{i, i + 1}));
  }
}

}  // namespace
}  // namespace neardup::engine
