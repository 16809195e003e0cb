// Signatures as their contract states them.
#include "neardup/minhash/signer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "neardup/base/hash.h"

namespace neardup::minhash {
namespace {

using Signature = std::vector<fingerprint::SignatureValue>;

Signature sign(std::span<const uint64_t> hashes, SignatureOptions options = {}) {
  Signature signature(static_cast<size_t>(options.num_values), 7);
  Signer(options).sign(hashes, signature);
  return signature;
}

std::vector<uint64_t> hashes_from(uint64_t first, size_t count) {
  std::vector<uint64_t> hashes(count);
  for (size_t i = 0; i < count; ++i) hashes[i] = mix64(first + i);
  return hashes;
}

TEST(Signer, NeitherOrderNorRepetitionsMatter) {
  std::mt19937_64 random(1);
  for (const size_t count : {1, 2, 3, 10, 100, 1000, 5000}) {
    std::vector<uint64_t> hashes = hashes_from(count, count);
    const Signature expected = sign(hashes);
    for (size_t i = 0; i < count; ++i) hashes.push_back(hashes[random() % count]);
    std::shuffle(hashes.begin(), hashes.end(), random);
    EXPECT_EQ(sign(hashes), expected) << count;
  }
}

TEST(Signer, NoElementsGiveZeros) { EXPECT_EQ(sign({}), Signature(128, 0)); }

// What is stored must mean the same tomorrow.
TEST(Signer, ValuesArePinned) {
  const Signature few = sign(hashes_from(1, 3), {.num_values = 16});
  const Signature many = sign(hashes_from(1, 1000), {.num_values = 16, .seed = 7});
  EXPECT_EQ(few, (Signature{0x37d9, 0xc90f, 0x43b0, 0x76c1, 0x4c90, 0xf534, 0x8734, 0x6ddf, 0x77a4, 0x9ab3, 0xdfe4,
                            0x44a5, 0xd57c, 0x764c, 0xb64b, 0x9d0f}));
  EXPECT_EQ(many, (Signature{0xefdd, 0x999c, 0xdac8, 0x7339, 0xc5a7, 0xef53, 0x2541, 0x983b, 0x8f59, 0xc0c7, 0x8b33,
                             0xac35, 0x6523, 0x6262, 0xf17d, 0x33ad}));
}

TEST(Signer, OneObjectKeepsNothingFromTextToText) {
  Signer signer({});
  Signature first(128), again(128), other(128);
  signer.sign(hashes_from(1, 30), first);
  signer.sign(hashes_from(2000, 3000), other);
  signer.sign(hashes_from(1, 30), again);
  EXPECT_EQ(first, again);
}

TEST(Signer, SeedsGiveUnrelatedSignatures) {
  const std::vector<uint64_t> hashes = hashes_from(1, 300);
  const Signature a = sign(hashes, {.num_values = 1024, .seed = 1});
  const Signature b = sign(hashes, {.num_values = 1024, .seed = 2});
  EXPECT_LE(fingerprint::count_equal(a, b), 3U);  // expected 1/64
}

TEST(Signer, ValuesAreSpread) {
  Signature all;
  for (uint64_t text = 0; text < 500; ++text) {
    const Signature one = sign(hashes_from(text << 20, 1 + text));
    all.insert(all.end(), one.begin(), one.end());
  }
  std::vector<size_t> bits(16);
  for (const auto value : all) {
    for (size_t i = 0; i < 16; ++i) bits[i] += value >> i & 1;
  }
  const double half = static_cast<double>(all.size()) / 2;
  for (const size_t count : bits) EXPECT_NEAR(static_cast<double>(count), half, 5 * std::sqrt(half / 2));
}

TEST(SignerDeath, RefusesSizesThatAreNone) {
  EXPECT_DEATH(Signer({.num_values = 100}), "");
  EXPECT_DEATH(Signer({.num_values = 2048}), "");
}

/// Two sets of which `common` elements are shared and `only` others belong to each.
struct Overlap {
  size_t common, only;
  [[nodiscard]] double jaccard() const { return static_cast<double>(common) / static_cast<double>(common + 2 * only); }
};

// The mean of `kTrials` estimates of `num_values` values each lies within 5 standard errors of the truth, and their
// variance not above that of independent values by more than 5 of its own standard errors.
TEST(Signer, EstimatesAreUnbiasedAndNotWiderThanIndependentOnes) {
  constexpr size_t kTrials = 1500;
  for (const int num_values : {64, 128, 400}) {
    for (const Overlap sets : {Overlap{1, 1},
                               {1, 0},
                               {0, 1},
                               {2, 1},
                               {5, 10},
                               {10, 2},
                               {40, 20},
                               {100, 30},
                               {300, 60},
                               {50, 500},
                               {1500, 200}}) {
      double sum = 0, squares = 0;
      for (size_t trial = 0; trial < kTrials; ++trial) {
        const std::vector<uint64_t> all = hashes_from(trial << 32, sets.common + 2 * sets.only);
        const std::span<const uint64_t> a(all.data(), sets.common + sets.only);
        const std::span<const uint64_t> b(all.data() + sets.only, sets.common + sets.only);
        const double estimate =
            static_cast<double>(fingerprint::count_equal(sign(a, {num_values, 3}), sign(b, {num_values, 3})));
        sum += estimate;
        squares += estimate * estimate;
      }
      const double values = num_values, mean = sum / kTrials, jaccard = sets.jaccard();
      const double chance = jaccard + (1 - jaccard) / 65536;
      const double variance = chance * (1 - chance) * values;
      SCOPED_TRACE(testing::Message() << num_values << " values, " << sets.common << " common, " << sets.only);
      EXPECT_NEAR(mean, chance * values, 5 * std::sqrt(variance / kTrials) + 1e-9);
      EXPECT_LE(squares / kTrials - mean * mean, variance * (1 + 5 * std::sqrt(2.0 / kTrials)) + 1e-2);
    }
  }
}

}  // namespace
}  // namespace neardup::minhash
