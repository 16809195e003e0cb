// A number belongs to the words around it: two before it, two behind it, which are two places of their own, so that one
// change beside a number does not hide it. Numbers among those words count as any number, or a table would have no
// place in common with its next edition. Places and numbers are sorted together, so comparing is one merge; where
// several numbers have one place they are compared as a multiset.
// The sizes of places, 7 of 10 and the alternatives: docs/design/templates.md.
#include "neardup/verify/numbers.h"

#include <algorithm>
#include <array>

#include "neardup/base/hash.h"
#include "neardup/token/numbers.h"

namespace neardup::verify {
namespace {

// What stands for a neighbour in a place: the token itself, any number, or the end of the text.
constexpr uint64_t kAnyNumber = uint64_t{1} << 32, kNothing = uint64_t{2} << 32;

uint64_t neighbour(std::span<const uint32_t> tokens, size_t index) {
  if (index >= tokens.size()) return kNothing;  // also in front of the text: the index is huge there
  return token::is_marked_number(tokens[index]) ? kAnyNumber : tokens[index];
}

uint64_t place(uint64_t side, uint64_t near, uint64_t far) {
  return mix64(mix64(near + side) ^ far) >> 32 << 32;  // sides differ by more than any two neighbours
}

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

size_t end_of_place(std::span<const uint64_t> placed, size_t begin) {
  size_t end = begin;
  while (end < placed.size() && placed[end] >> 32 == placed[begin] >> 32) ++end;
  return end;
}

}  // namespace

void place_numbers(std::span<const uint32_t> tokens, std::vector<uint64_t>& placed) {
  constexpr uint64_t kBefore = uint64_t{1} << 40, kBehind = uint64_t{2} << 40;
  placed.clear();
  placed.reserve(2 * static_cast<size_t>(std::ranges::count_if(tokens, token::is_marked_number)));
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!token::is_marked_number(tokens[i])) continue;
    placed.push_back(place(kBefore, neighbour(tokens, i - 1), neighbour(tokens, i - 2)) | tokens[i]);
    placed.push_back(place(kBehind, neighbour(tokens, i + 1), neighbour(tokens, i + 2)) | tokens[i]);
  }
  std::ranges::sort(placed);
}

NumberMatch match_numbers(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  NumberMatch match;
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const size_t end_a = end_of_place(a, i), end_b = end_of_place(b, j);
    const uint64_t place_a = a[i] >> 32, place_b = b[j] >> 32;
    if (place_a == place_b) {
      match.placed += std::min(end_a - i, end_b - j);
      match.same += count_same(a.subspan(i, end_a - i), b.subspan(j, end_b - j));
    }
    if (place_a <= place_b) i = end_a;
    if (place_b <= place_a) j = end_b;
  }
  return match;
}

}  // namespace neardup::verify
