// The quickest of some tries, for bounds of time: on a busy machine one try shows nothing, and what takes too long does
// so each time.
#pragma once

#include <algorithm>

namespace neardup {

/// Returns the least of what `measure()` returns, of at most `tries`; no more is tried once one is below `enough`.
template <class Amount, class Measure>
Amount quickest(Amount enough, const Measure& measure, int tries = 5) {
  Amount least = measure();
  for (int done = 1; done < tries && least >= enough; ++done) least = std::min<Amount>(least, measure());
  return least;
}

}  // namespace neardup
