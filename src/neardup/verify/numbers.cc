// A number belongs to the words around it: two before it, two behind it, which are two places of their own, so that one
// change beside a number does not hide it. Numbers among those words count as any number, or a table would have no
// place in common with its next edition. Places and numbers are sorted together, so comparing is one merge; where
// several numbers have one place they are compared as a multiset.
// The sizes of places, 7 of 10 and the alternatives: docs/design/templates.md.
#include "neardup/verify/numbers.h"

#include <algorithm>

#include "neardup/token/numbers.h"
#include "neardup/verify/places.h"

namespace neardup::verify {
namespace {

// Returns how many elements two ascending runs have in common, each as often as both have it.
uint64_t count_same(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  uint64_t same = 0;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    same += a[i] == b[j];
    const bool next_a = a[i] <= b[j], next_b = b[j] <= a[i];
    i += next_a;
    j += next_b;
  }
  return same;
}

}  // namespace

void place_numbers(std::span<const uint32_t> tokens, std::vector<uint64_t>& placed) {
  const auto value_of = [](uint32_t token) { return token::is_marked_number(token) ? token : 0; };
  place_tokens(tokens, value_of, token::is_marked_number, placed);
}

NumberMatch match_numbers(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  NumberMatch match;
  each_common_place(a, b, [&match](std::span<const uint64_t> in_a, std::span<const uint64_t> in_b) {
    match.placed += std::min(in_a.size(), in_b.size());
    match.same += count_same(in_a, in_b);
  });
  return match;
}

}  // namespace neardup::verify
