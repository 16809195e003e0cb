// Sets of fingerprints to hold searches against: even, skewed, clustered, dense, and hardly there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "neardup/fingerprint/wide.h"

namespace neardup::hamming::sets {

template <class F>
F random_of(std::mt19937_64& random) {
  F value = random();
  if constexpr (sizeof(F) > 8) value = value << 64 | random();
  return value;
}

/// `value` with `distance` different bits flipped.
template <class F>
F flipped(std::mt19937_64& random, F value, int distance) {
  F mask = 0;
  while (fingerprint::count_ones<F>(mask) < distance) mask |= F{1} << (random() % fingerprint::kBitsOf<F>);
  return value ^ mask;
}

template <class F>
struct Set {
  std::string name;
  std::vector<F> values;
};

template <class F>
std::vector<F> uniform(std::mt19937_64& random, size_t size) {
  std::vector<F> values(size);
  for (F& value : values) value = random_of<F>(random);
  return values;
}

/// Every bit is 1 with a chance of 1/8, or 7/8 for odd ones.
template <class F>
std::vector<F> biased(std::mt19937_64& random, size_t size) {
  F odd = 0;
  for (int bit = 1; bit < fingerprint::kBitsOf<F>; bit += 2) odd |= F{1} << bit;
  std::vector<F> values(size);
  for (F& value : values) value = (random_of<F>(random) & random_of<F>(random) & random_of<F>(random)) ^ odd;
  return values;
}

/// A third alone, the others within 4 bits of one of few centres.
template <class F>
std::vector<F> clustered(std::mt19937_64& random, size_t size) {
  const std::vector<F> centres = uniform<F>(random, size / 100 + 1);
  std::vector<F> values(size);
  for (F& value : values) {
    const bool alone = random() % 3 == 0;
    const F centre = centres[random() % centres.size()];
    value = alone ? random_of<F>(random) : flipped<F>(random, centre, static_cast<int>(random() % 5));
  }
  return values;
}

/// One value, and all that differ from it in one bit.
template <class F>
std::vector<F> one_bit_family(std::mt19937_64& random) {
  std::vector<F> values{random_of<F>(random)};
  for (int bit = 0; bit < fingerprint::kBitsOf<F>; ++bit) values.push_back(values[0] ^ F{1} << bit);
  return values;
}

/// All values of `size` leading or trailing bits, the other bits all ones: dense runs at the ends of the range.
template <class F>
std::vector<F> dense(size_t size, bool leading) {
  std::vector<F> values(size);
  for (size_t i = 0; i < size; ++i) {
    const F bits = i;
    values[i] = leading ? (bits << (fingerprint::kBitsOf<F> - 16)) : static_cast<F>(~bits);
  }
  return values;
}

/// One of each kind, and the smallest ones. Values may occur several times.
template <class F>
std::vector<Set<F>> all_kinds(size_t size, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Set<F>> all;
  for (const size_t small : {0, 1, 2, 10}) {
    all.push_back({"uniform " + std::to_string(small), uniform<F>(random, small)});
  }
  all.push_back({"zero", {F{0}}});
  all.push_back({"both ends", {F{0}, static_cast<F>(~F{0})}});
  all.push_back({"uniform", uniform<F>(random, size)});
  all.push_back({"biased", biased<F>(random, size)});
  all.push_back({"clustered", clustered<F>(random, size)});
  all.push_back({"one-bit family", one_bit_family<F>(random)});
  all.push_back({"all equal", std::vector<F>(size, random_of<F>(random))});
  all.push_back({"dense above", dense<F>(std::min<size_t>(size, 65536), true)});
  all.push_back({"dense below", dense<F>(size, false)});
  return all;
}

}  // namespace neardup::hamming::sets
