// Nonces: by which a call knows what it did itself from what another one did at the same moment.
#pragma once

#include <cstdint>
#include <random>

namespace neardup::remote {

/// Returns 64 random bits of the system. Cost: a call of the system.
[[nodiscard]] inline uint64_t new_nonce() {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}

}  // namespace neardup::remote
