#include "neardup/sif/value_filter.h"

#include <algorithm>
#include <bit>

namespace neardup::sif {

// Half as many at least as kBitsForEach, as their number is a power of two.
ValueFilter::ValueFilter(uint64_t num_values) {
  const int bits = std::clamp(static_cast<int>(std::bit_width(num_values * kBitsForEach)), 10, 36);
  shift_ = 64 - bits;
  bits_ = LargeArray<uint64_t>::zeros(size_t{1} << (bits - 6));
}

}  // namespace neardup::sif
