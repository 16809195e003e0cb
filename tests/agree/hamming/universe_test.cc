// Small universes, whole: every value of a few bits is stored or not, every value is asked for, within every distance.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "tests/agree/hamming/agreement.h"

namespace neardup::hamming {
namespace {

using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

// The values of a few bits, laid out on chosen bits of the fingerprint. The other bits are those of `background`.
template <class F>
class Universe {
 public:
  Universe(std::vector<int> bits, F background) : bits_(std::move(bits)) {
    for (const int bit : bits_) background &= ~(F{1} << bit);
    for (uint32_t number = 0; number < uint32_t{1} << bits_.size(); ++number) {
      F value = background;
      for (size_t i = 0; i < bits_.size(); ++i) value |= F{number >> i & 1} << bits_[i];
      values_.push_back(value);
    }
  }
  [[nodiscard]] const std::vector<F>& values() const { return values_; }
  [[nodiscard]] std::vector<F> sample(std::mt19937_64& random, int one_of) const {
    std::vector<F> some;
    std::copy_if(values_.begin(), values_.end(), std::back_inserter(some), [&](F) { return random() % one_of == 0; });
    return some;
  }

 private:
  std::vector<int> bits_;
  std::vector<F> values_;
};

// Places for `count` bits: spread over all, the most significant ones, the least significant ones, anywhere.
template <class F>
std::vector<std::vector<int>> places(int count, std::mt19937_64& random) {
  constexpr int kBits = fingerprint::kBitsOf<F>;
  std::vector<int> spread, top, low, any(kBits);
  for (int i = 0; i < count; ++i) {
    spread.push_back(i * (kBits - 1) / (count - 1));
    top.push_back(kBits - 1 - i);
    low.push_back(i);
  }
  for (int i = 0; i < kBits; ++i) any[i] = i;
  std::shuffle(any.begin(), any.end(), random);
  any.resize(count);
  return {spread, top, low, any};
}

template <class F>
void expect_universe_agrees(const Universe<F>& universe, int one_of, const std::vector<F>& queries, int max_distance,
                            std::mt19937_64& random) {
  const auto documents = agreement::documents_of(universe.sample(random, one_of), random);
  const auto expected = agreement::scan_all(documents, queries, max_distance);
  for (const Plan& plan : agreement::plans_for(fingerprint::kBitsOf<F>, max_distance)) {
    for (const Codec codec : agreement::kCodecs) {
      SCOPED_TRACE(plan.name + ", " + agreement::name_of(codec));
      agreement::expect_agreement(agreement::build(documents, plan, {.codec = codec, .context = {}}), expected,
                                  max_distance);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

template <class F>
void expect_all_agree(int num_bits, int one_of, int ask_one_of, std::span<const int> distances, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (const std::vector<int>& bits : places<F>(num_bits, random)) {
    const Universe<F> universe(bits, sets::random_of<F>(random));
    std::vector<F> queries = universe.sample(random, ask_one_of);
    queries.push_back(universe.values()[0] ^ F{1} << (fingerprint::kBitsOf<F> / 2));  // may lie outside
    for (const int k : distances) expect_universe_agrees(universe, one_of, queries, k, random);
  }
}

constexpr int kAllDistances[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

TEST(Universe, EightBitsEveryDistance) { expect_all_agree<Fingerprint>(8, 1, 32, kAllDistances, 1); }
TEST(Universe, EightBitsEveryQuery) { expect_all_agree<Fingerprint>(8, 2, 1, std::array{3}, 2); }
TEST(Universe, NineBits) { expect_all_agree<Fingerprint>(9, 2, 32, std::array{0, 2, 5, 7, 11}, 3); }
TEST(Universe, TenBits) { expect_all_agree<Fingerprint>(10, 2, 64, std::array{1, 3, 4, 6}, 4); }
TEST(Universe, TwelveBits) { expect_all_agree<Fingerprint>(12, 4, 256, std::array{1, 3, 5}, 5); }
TEST(Universe, WideFingerprints) { expect_all_agree<Fingerprint128>(8, 2, 32, std::array{0, 3, 8, 20, 32}, 6); }

// The two naive searches against each other: neither is right because the other says so.
template <class F>
void expect_oracles_agree(int num_bits, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (const std::vector<int>& bits : places<F>(num_bits, random)) {
    const Universe<F> universe(bits, sets::random_of<F>(random));
    const auto documents = agreement::documents_of(universe.sample(random, 2), random);
    const FlipList<F> flips(documents.fingerprints, documents.numbers);
    for (int k = 0; k <= num_bits + 1; ++k) {
      for (const F query : universe.sample(random, 16)) {
        const F outside = query ^ F { 1 } << (fingerprint::kBitsOf<F> - 7);
        for (const F one : {query, outside}) {
          agreement::Matches<F> by_flips, by_scan;
          flips.query(one, k, by_flips);
          linear_scan<F>(documents.fingerprints, documents.numbers, one, k, by_scan);
          std::sort(by_flips.begin(), by_flips.end());
          std::sort(by_scan.begin(), by_scan.end());
          ASSERT_TRUE(by_flips == by_scan) << "within " << k;
        }
      }
    }
  }
}

TEST(Oracles, LinearScanAndFlipsAgree) { expect_oracles_agree<Fingerprint>(9, 7); }
TEST(Oracles, LinearScanAndFlipsAgreeOnWideFingerprints) { expect_oracles_agree<Fingerprint128>(8, 8); }

}  // namespace
}  // namespace neardup::hamming
