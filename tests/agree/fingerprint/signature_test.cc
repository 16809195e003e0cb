// Counting equal values on every instruction set of this machine.
#include "neardup/fingerprint/signature.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "neardup/fingerprint/equal_values.h"
#include "tests/agree/each_target.h"

namespace neardup::fingerprint {
namespace {

size_t plain_count(const std::vector<SignatureValue>& a, const std::vector<SignatureValue>& b) {
  size_t count = 0;
  for (size_t i = 0; i < a.size(); ++i) count += a[i] == b[i] ? 1 : 0;
  return count;
}

TEST(SignatureAgreement, EqualValuesOfEverySize) {
  on_each_target([] {
    std::mt19937 random(1);
    for (size_t size = 0; size <= 1024; size += kSignatureStep) {
      for (const unsigned different : {1U, 2U, 16U, 65536U}) {
        std::vector<SignatureValue> a(size), b(size);
        for (auto& value : a) value = static_cast<SignatureValue>(random() % different);
        for (auto& value : b) value = static_cast<SignatureValue>(random() % different);
        ASSERT_EQ(count_equal(a, b), plain_count(a, b)) << size;
        ASSERT_EQ(count_equal(a, a), size);
      }
    }
  });
}

// A value that differs in one bit alone, in each place, is not equal.
TEST(SignatureAgreement, EachBitOfEachPlaceCounts) {
  on_each_target([] {
    const std::vector<SignatureValue> a(48, 0x5aa5);
    for (size_t place = 0; place < a.size(); ++place) {
      for (int bit = 0; bit < 16; ++bit) {
        std::vector<SignatureValue> b = a;
        b[place] = static_cast<SignatureValue>(b[place] ^ 1U << bit);
        ASSERT_EQ(count_equal(a, b), a.size() - 1);
      }
    }
  });
}

// Lengths that are no multiple of a vector or a word, of rows with many and with few equal values.
TEST(EqualValues, EveryInstructionSetAgrees) {
  on_each_target([] {
    std::mt19937 random(1);
    for (int round = 0; round < 60; ++round) {
      std::vector<SignatureValue> a(200), b(200);
      for (auto& value : a) value = static_cast<SignatureValue>(random() % 6);
      for (size_t i = 0; i < b.size(); ++i) b[i] = random() % 10 < 3 ? a[i] : static_cast<SignatureValue>(random() % 6);
      for (const size_t num_values : {1, 15, 16, 33, 63, 64, 65, 128, 200}) {
        uint64_t mask[4] = {~0ULL, ~0ULL, ~0ULL, ~0ULL}, expected[4] = {1, 2, 3, 4};
        const int count = equal_values(a.data(), b.data(), num_values, mask);
        EXPECT_EQ(count, equal_values_scalar(a.data(), b.data(), num_values, expected));
        EXPECT_TRUE(std::equal(mask, mask + mask_words(num_values), expected)) << num_values;
      }
    }
  });
}

}  // namespace
}  // namespace neardup::fingerprint
