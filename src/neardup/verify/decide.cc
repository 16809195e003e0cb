#include "neardup/verify/decide.h"

#include <algorithm>
#include <cmath>

namespace neardup::verify {

size_t needed_common(size_t a, size_t b, double threshold) {
  const double guess = std::ceil(threshold * static_cast<double>(a + b) / (1 + threshold));
  const size_t most = std::min(a, b);
  size_t needed = std::min(static_cast<size_t>(guess), most + 1);
  while (needed > 0 && jaccard(a, b, needed - 1) >= threshold) --needed;
  while (needed <= most && jaccard(a, b, needed) < threshold) ++needed;
  return needed;
}

}  // namespace neardup::verify
