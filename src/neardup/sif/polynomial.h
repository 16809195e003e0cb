// Manber's polynomial over a window of bytes: its value, and how the next window's follows from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace neardup::sif {

/// F(t1..tn) = t1*p^(n-1) + t2*p^(n-2) + ... + tn, modulo 2^32. Manber's modulus is 2^30: his value is the low 30 bits
/// of this one, since 2^30 divides 2^32.
inline constexpr uint32_t kPrime = 0x9e3779b1;  // 2,654,435,761, a prime

/// Returns kPrime^exponent modulo 2^32.
[[nodiscard]] constexpr uint32_t prime_power(size_t exponent) {
  uint32_t power = 1;
  for (size_t i = 0; i < exponent; ++i) power *= kPrime;
  return power;
}

/// Returns F of all of `window` as the sum that it is defined by. Cost: one multiplication a byte.
[[nodiscard]] uint32_t polynomial_of(std::string_view window);

/// F of one window after the other. Moving on by a byte takes the oldest term out of all n and multiplies the rest:
/// F' = p*F - p^n*t1 + t(n+1). (In the paper's own form, p*F + t(n+1) - t1*p^50, n is 50: the term t1*p^49 of F has
/// become t1*p^50 once it is multiplied by p.)
class RollingPolynomial {
 public:
  /// Begins with the window `first`. Requires: not empty.
  explicit RollingPolynomial(std::string_view first);
  /// Moves on by one byte: `leaving` is the first byte of the window so far, `entering` the one behind it.
  void roll(char leaving, char entering) {
    value_ = kPrime * value_ - leaving_factor_ * static_cast<uint8_t>(leaving) + static_cast<uint8_t>(entering);
  }
  [[nodiscard]] uint32_t value() const { return value_; }

 private:
  uint32_t value_;
  uint32_t leaving_factor_;  // p^n
};

}  // namespace neardup::sif
