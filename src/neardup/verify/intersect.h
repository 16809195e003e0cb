// How many elements two sorted arrays have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace neardup::verify {

/// Returns the number of elements that `a` and `b` have in common, exactly, where it is at least `needed`; else any
/// number below `needed` (the work stops as soon as `needed` is out of reach).
/// Requires: both ascending without repetitions.
/// Cost: about 1.5 cycles an element of both with AVX2; O(small * log(large / small)) where sizes differ much.
[[nodiscard]] size_t count_common(std::span<const uint32_t> a, std::span<const uint32_t> b, size_t needed);

/// Fills `places` with where in `a` the elements stand that `b` has, too, ascending: all of them, where they are at
/// least `needed`; else with fewer than `needed`. Requires: as above, and fewer than 2^32 elements. Cost: about 2
/// cycles an element of both with AVX2. Memory: 4 bytes for each element of the smaller.
void find_common(std::span<const uint32_t> a, std::span<const uint32_t> b, size_t needed,
                 std::vector<uint32_t>& places);

}  // namespace neardup::verify
