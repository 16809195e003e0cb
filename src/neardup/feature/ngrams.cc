// An n-gram's hash is a polynomial of its tokens' hashes, mixed at the end, with the length in the start value: so
// n-grams of different lengths do not meet by more than chance. Up to four tokens it is computed anew for each place,
// which makes vectors of the loop; beyond, it rolls, so the cost of a place does not grow with n. Part of the recipe's
// meaning: none of it may change.
#include "neardup/feature/ngrams.h"

#include "neardup/base/hash.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/feature/ngrams.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef NEARDUP_FEATURE_NGRAMS_ONCE
#define NEARDUP_FEATURE_NGRAMS_ONCE

namespace neardup::feature {

// Odd, and 3 modulo 4: two swapped tokens then collide only where their hashes agree in the low 58 bits or more.
inline constexpr uint64_t kMultiplier = 0x9fb21c651e98df27ULL;

}  // namespace neardup::feature

#endif  // NEARDUP_FEATURE_NGRAMS_ONCE

HWY_BEFORE_NAMESPACE();
namespace neardup::feature {
namespace HWY_NAMESPACE {

// Horner's rule over kLength tokens. No value depends on the one before, so the compiler makes vectors of the loop with
// the instructions of each target.
template <size_t kLength>
void short_ngrams(const uint64_t* HWY_RESTRICT tokens, size_t count, uint64_t start, uint64_t* HWY_RESTRICT out) {
  for (size_t i = 0; i < count; ++i) {
    uint64_t sum = tokens[i];
    for (size_t j = 1; j < kLength; ++j) sum = sum * kMultiplier + tokens[i + j];
    out[i] = mix64(sum + start);
  }
}

void ngrams_up_to_four(const uint64_t* tokens, size_t length, size_t count, uint64_t start, uint64_t* out) {
  switch (length) {
    case 1:
      return short_ngrams<1>(tokens, count, start, out);
    case 2:
      return short_ngrams<2>(tokens, count, start, out);
    case 3:
      return short_ngrams<3>(tokens, count, start, out);
    default:
      return short_ngrams<4>(tokens, count, start, out);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::feature
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace neardup::feature {
namespace {

constexpr uint64_t kLengthStep = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio

HWY_EXPORT(ngrams_up_to_four);

uint64_t start_value(size_t length, uint64_t seed) { return mix64(seed + length * kLengthStep); }

void rolling_ngrams(const uint64_t* tokens, size_t length, size_t count, uint64_t start, uint64_t* out) {
  uint64_t sum = 0;
  uint64_t leaving_factor = 1;
  for (size_t j = 0; j < length; ++j) {
    sum = sum * kMultiplier + tokens[j];
    leaving_factor *= kMultiplier;
  }
  out[0] = mix64(sum + start);
  for (size_t i = 1; i < count; ++i) {
    sum = sum * kMultiplier + tokens[i + length - 1] - tokens[i - 1] * leaving_factor;
    out[i] = mix64(sum + start);
  }
}

}  // namespace

uint64_t ngram_hash(std::span<const uint64_t> tokens, uint64_t seed) {
  uint64_t sum = 0;
  for (const uint64_t token : tokens) sum = sum * kMultiplier + token;
  return mix64(sum + start_value(tokens.size(), seed));
}

void ngram_hashes(std::span<const uint64_t> tokens, int n, uint64_t seed, uint64_t* out) {
  const auto length = static_cast<size_t>(n);
  if (tokens.size() <= length) {
    if (!tokens.empty()) out[0] = ngram_hash(tokens, seed);
    return;
  }
  const size_t count = num_ngrams(tokens.size(), n);
  const uint64_t start = start_value(length, seed);
  if (length > 4) return rolling_ngrams(tokens.data(), length, count, start, out);
  HWY_DYNAMIC_DISPATCH(ngrams_up_to_four)(tokens.data(), length, count, start, out);
}

}  // namespace neardup::feature

#endif  // HWY_ONCE
