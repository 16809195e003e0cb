#include "neardup/fingerprint/made_up.h"

#include <algorithm>
#include <array>
#include <utility>

namespace neardup::fingerprint {
namespace {

// A number whose bit i is one with probability chance[i] / 256, by comparing eight random bits of each place.
Fingerprint biased(const std::array<uint8_t, 64>& chance, MadeUpNumbers& numbers) {
  uint64_t below = 0, equal = ~uint64_t{0};
  for (int bit = 7; bit >= 0; --bit) {
    uint64_t wanted = 0;
    for (size_t i = 0; i < 64; ++i) wanted |= uint64_t{chance[i]} >> bit << 63 >> (63 - i);
    const uint64_t drawn = numbers.next();
    below |= equal & ~drawn & wanted;
    equal &= ~(drawn ^ wanted);
  }
  return below;
}

class SetMaker {
 public:
  SetMaker(uint64_t count, Spread spread, uint64_t seed) : count_(count), spread_(spread), numbers_(seed) {
    for (uint8_t& chance : chance_) chance = static_cast<uint8_t>(77 + numbers_.below(103));
    set_.reserve(count);
  }

  std::vector<Fingerprint> make() {
    if (spread_ == Spread::kClustered) add_clusters();
    if (spread_ == Spread::kDense) add_dense();
    while (set_.size() < count_) set_.push_back(one());
    return std::move(set_);
  }

 private:
  Fingerprint one() {
    if (!set_.empty() && numbers_.below(20) == 0)
      return flip_bits(set_[numbers_.below(set_.size())], numbers_.below(7), numbers_);
    return spread_ == Spread::kBiased ? biased(chance_, numbers_) : numbers_.next();
  }

  void add_clusters() {
    while (set_.size() < count_ * 3 / 10) {
      const Fingerprint centre = numbers_.next();
      uint64_t size = 10;
      while (size < 100'000 && numbers_.below(3) == 0) size *= 10;
      size = std::min(size, count_ * 3 / 10 - set_.size());
      for (; size > 0; --size) set_.push_back(flip_bits(centre, numbers_.below(9), numbers_));
    }
  }

  void add_dense() {
    for (int cluster = 0; cluster < 6; ++cluster) {
      const Fingerprint centre = numbers_.next();
      for (uint64_t size = count_ / 20; size > 0; --size)
        set_.push_back(flip_bits(centre, numbers_.below(3), numbers_));
    }
  }

  uint64_t count_;
  Spread spread_;
  MadeUpNumbers numbers_;
  std::array<uint8_t, 64> chance_{};
  std::vector<Fingerprint> set_;
};

}  // namespace

Fingerprint flip_bits(Fingerprint value, uint64_t count, MadeUpNumbers& numbers) {
  for (; count > 0; --count) value ^= uint64_t{1} << numbers.below(64);
  return value;
}

std::vector<Fingerprint> make_fingerprints(uint64_t count, Spread spread, uint64_t seed) {
  return SetMaker(count, spread, seed).make();
}

}  // namespace neardup::fingerprint
