// The quickest of some tries, for bounds of time: on a busy machine one try shows nothing, and what takes too long does
// so each time.
#pragma once

#include <algorithm>
#include <chrono>

namespace neardup {

/// Returns the least of what `measure()` returns, of at most `tries`; no more is tried once one is below `enough`.
template <class Amount, class Measure>
Amount quickest(Amount enough, const Measure& measure, int tries = 5) {
  Amount least = measure();
  for (int done = 1; done < tries && least >= enough; ++done) least = std::min<Amount>(least, measure());
  return least;
}

/// Returns how long `call()` takes, so tried.
template <class Call>
std::chrono::steady_clock::duration quickest_call(std::chrono::steady_clock::duration enough, const Call& call) {
  return quickest(enough, [&] {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::steady_clock::now() - begin;
  });
}

}  // namespace neardup
