// Keys sorted in passes: all of them, in order, never more at once than a pass may have, however they are spread.
#include "neardup/hamming/key_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace neardup::hamming {
namespace {

using fingerprint::Fingerprint;
using fingerprint::Fingerprint128;

template <class F>
using Pair = std::pair<F, uint32_t>;

template <class F>
KeyOrder<F> plain_order() {
  std::vector<uint8_t> order(fingerprint::kBitsOf<F>);
  std::iota(order.rbegin(), order.rend(), uint8_t{0});
  return KeyOrder<F>(order);
}

KeySortOptions options_of(int digit_bits, uint64_t max_keys = UINT64_MAX) {
  KeySortOptions options;
  options.digit_bits = digit_bits;
  options.max_keys = max_keys;
  return options;
}

template <class F>
struct Sorted {
  Status status;
  std::vector<Pair<F>> pairs;
  size_t most = 0;  // keys between the begin of the first part and the end of the last one of a pass
  size_t passes = 0;
};

template <class F>
Sorted<F> sorted_by(const std::vector<F>& values, const KeySortOptions& options) {
  Sorted<F> sorted;
  const std::vector<uint64_t> documents;
  const KeyOrder<F> order = plain_order<F>();
  const auto receive = [&](std::span<const SortedPart<F, uint32_t>> parts) -> Status {
    const F* end = parts.front().keys.data();
    for (const auto& part : parts) {
      for (size_t i = 0; i < part.keys.size(); ++i) sorted.pairs.emplace_back(part.keys[i], part.payloads[i]);
      end = std::max(end, part.keys.data() + part.keys.size());
    }
    sorted.most = std::max(sorted.most, static_cast<size_t>(end - parts.front().keys.data()));
    ++sorted.passes;
    return {};
  };
  sorted.status = sort_keys<F, uint32_t>(KeySource<F>{values, documents}, order, options, receive);
  return sorted;
}

template <class F>
void expect_sorted(const std::vector<F>& values, KeySortOptions options, size_t most_passes) {
  std::vector<Pair<F>> expected;
  for (size_t i = 0; i < values.size(); ++i) expected.emplace_back(values[i], static_cast<uint32_t>(i));
  std::sort(expected.begin(), expected.end());
  for (const int threads : {1, 3}) {
    options.num_threads = threads;
    const Sorted<F> sorted = sorted_by(values, options);
    ASSERT_TRUE(sorted.status) << sorted.status.error().message;
    EXPECT_TRUE(sorted.pairs == expected);
    EXPECT_LE(sorted.most, options.max_keys);
    EXPECT_LE(sorted.passes, most_passes);
  }
}

// The last `tail` keys have all but their last `free` places in common.
template <class F>
std::vector<F> skewed(size_t size, size_t tail, int free, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<F> values;
  const F centre = static_cast<F>(F{random()} << (fingerprint::kBitsOf<F> - 64)) >> free << free;
  while (values.size() < size) {
    const bool in_tail = values.size() + tail >= size;
    const F low = random() & ((uint64_t{1} << free) - 1);
    values.push_back(in_tail ? centre | low : static_cast<F>(F{random()} << (fingerprint::kBitsOf<F> - 64)));
  }
  return values;
}

TEST(KeySort, EveryPassKeepsTheLimitThoughOneClusterHoldsAThird) {
  for (const int free : {12, 20, 32, 40}) {
    const KeySortOptions options = options_of(5, 4000);
    expect_sorted(skewed<Fingerprint>(30'000, 10'000, free, 1), options, 40);
    expect_sorted(skewed<Fingerprint128>(30'000, 10'000, free, 2), options, 40);
  }
}

TEST(KeySort, ManyClusters) {
  std::mt19937_64 random(3);
  std::vector<Fingerprint> values;
  for (int cluster = 0; cluster < 20; ++cluster) {
    const uint64_t head = random() << 24;
    for (int i = 0; i < 1500; ++i) values.push_back(head | (random() & 0xffffff));
  }
  for (const uint64_t max_keys : {1000U, 1500U, 5000U, 40'000U}) expect_sorted(values, options_of(7, max_keys), 80);
}

TEST(KeySort, OnePassWithoutALimit) {
  expect_sorted(skewed<Fingerprint>(5000, 2000, 16, 4), options_of(4), 1);
  expect_sorted(skewed<Fingerprint>(5000, 2000, 16, 4), options_of(0), 1);
  expect_sorted(std::vector<Fingerprint>{}, options_of(0), 0);
  expect_sorted(std::vector<Fingerprint>{0, ~uint64_t{0}, 0, 7, ~uint64_t{0}}, options_of(1, 2), 3);
}

TEST(KeySort, EqualKeysThatAreTooManyAreRefusedWithTheCure) {
  std::vector<Fingerprint> values = skewed<Fingerprint>(3000, 1000, 32, 5);
  values.insert(values.end(), 500, 42);
  expect_sorted(values, options_of(5, 500), 40);
  const Sorted<Fingerprint> sorted = sorted_by(values, options_of(5, 499));
  ASSERT_FALSE(sorted.status);
  EXPECT_EQ(sorted.status.error().code, Code::kMemory);
  EXPECT_EQ(
      sorted.status.error().message,
      "500 of 3500 fingerprints are equal: sorting them takes 6000 bytes, the memory limit leaves 5988; raise it");
}

}  // namespace
}  // namespace neardup::hamming
