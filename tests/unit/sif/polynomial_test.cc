#include "neardup/sif/polynomial.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace neardup::sif {
namespace {

TEST(Polynomial, IsTheSumOfThePaper) {
  EXPECT_EQ(polynomial_of("a"), 97U);
  EXPECT_EQ(polynomial_of("ab"), 97U * kPrime + 98U);
  EXPECT_EQ(polynomial_of("abc"), 97U * kPrime * kPrime + 98U * kPrime + 99U);
  EXPECT_EQ(polynomial_of("\xff"), 255U);
}

TEST(Polynomial, ThePrimeIsOne) {
  for (uint32_t divisor = 2; divisor < 65536; ++divisor) ASSERT_NE(kPrime % divisor, 0U) << divisor;
}

TEST(Polynomial, RollingGivesTheDirectSumAtEveryByte) {
  std::mt19937 random(7);
  std::string text(2000, ' ');
  for (char& byte : text) byte = static_cast<char>(random());
  for (const size_t length : {1, 2, 3, 49, 50, 51, 64, 200}) {
    RollingPolynomial rolling(std::string_view(text).substr(0, length));
    for (size_t i = 0; i + length < text.size(); ++i) {
      ASSERT_EQ(rolling.value(), polynomial_of(std::string_view(text).substr(i, length))) << length << " at " << i;
      rolling.roll(text[i], text[i + length]);
    }
  }
}

TEST(Polynomial, TheLow30BitsAreTheValueModulo2To30) {
  const std::string window = "the quick brown fox jumps over the lazy dog, twice";
  uint64_t sum = 0;
  for (const char byte : window) sum = (sum * kPrime + static_cast<uint8_t>(byte)) % (uint64_t{1} << 30);
  EXPECT_EQ(polynomial_of(window) & ((uint32_t{1} << 30) - 1), sum);
}

}  // namespace
}  // namespace neardup::sif
