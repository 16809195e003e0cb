#include "neardup/engine/match/auto_distance.h"

#include <cmath>

#include "neardup/fingerprint/value.h"

namespace neardup::engine {

int auto_distance(uint64_t num_documents) {
  constexpr double kChancePairsPerDocument = 0.5;
  const double pairs_per_document = static_cast<double>(num_documents) / 2;
  double choose = 1, within = 1;  // 64 over k, and the number of values within k bits
  int distance = 0;
  while (distance < kWidestAutoDistance) {
    choose *= static_cast<double>(fingerprint::kNumBits - distance) / (distance + 1);
    within += choose;
    if (pairs_per_document * std::ldexp(within, -fingerprint::kNumBits) > kChancePairsPerDocument) break;
    ++distance;
  }
  return distance;
}

}  // namespace neardup::engine
