#include "neardup/sif/polynomial.h"

namespace neardup::sif {

uint32_t polynomial_of(std::string_view window) {
  uint32_t sum = 0;
  for (size_t i = 0; i < window.size(); ++i)
    sum += static_cast<uint8_t>(window[i]) * prime_power(window.size() - 1 - i);
  return sum;
}

RollingPolynomial::RollingPolynomial(std::string_view first) : value_(0), leaving_factor_(prime_power(first.size())) {
  for (const char byte : first) value_ = kPrime * value_ + static_cast<uint8_t>(byte);
}

}  // namespace neardup::sif
