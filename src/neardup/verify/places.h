// Tokens of a kind with their places in a text, sorted, so that two texts are compared by one merge.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/hash.h"

namespace neardup::verify {

/// Replaces `placed` by two numbers for each token of which value_of(token) is not 0, ascending, repeated ones
/// included: the hash of its place in the upper half, its value in the lower. One place is the two tokens before it,
/// the other the two behind it; tokens among them of which is_any(token) says so all count as one.
template <class ValueOf, class IsAny>
void place_tokens(std::span<const uint32_t> tokens, const ValueOf& value_of, const IsAny& is_any,
                  std::vector<uint64_t>& placed) {
  constexpr uint64_t kBefore = uint64_t{1} << 40, kBehind = uint64_t{2} << 40;
  // What stands for a neighbour in a place: the token itself, any of the kind, or the end of the text.
  constexpr uint64_t kAny = uint64_t{1} << 32, kNoToken = uint64_t{2} << 32;
  const auto neighbour = [&](size_t index) -> uint64_t {
    if (index >= tokens.size()) return kNoToken;  // also in front of the text: the index is huge there
    return is_any(tokens[index]) ? kAny : tokens[index];
  };
  const auto place = [](uint64_t side, uint64_t near, uint64_t far) {
    return mix64(mix64(near + side) ^ far) >> 32 << 32;  // sides differ by more than any two neighbours
  };
  placed.clear();
  for (size_t i = 0; i < tokens.size(); ++i) {
    const uint32_t value = value_of(tokens[i]);
    if (value == 0) continue;
    placed.push_back(place(kBefore, neighbour(i - 1), neighbour(i - 2)) | value);
    placed.push_back(place(kBehind, neighbour(i + 1), neighbour(i + 2)) | value);
  }
  std::ranges::sort(placed);
  placed.shrink_to_fit();
}

/// Calls use(the values of one text, those of the other) for each place that both have, in order.
template <class Use>
void each_common_place(std::span<const uint64_t> a, std::span<const uint64_t> b, const Use& use) {
  const auto end_of_place = [](std::span<const uint64_t> placed, size_t begin) {
    size_t end = begin;
    while (end < placed.size() && placed[end] >> 32 == placed[begin] >> 32) ++end;
    return end;
  };
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const size_t end_a = end_of_place(a, i), end_b = end_of_place(b, j);
    const uint64_t place_a = a[i] >> 32, place_b = b[j] >> 32;
    if (place_a == place_b) use(a.subspan(i, end_a - i), b.subspan(j, end_b - j));
    if (place_a <= place_b) i = end_a;
    if (place_b <= place_a) j = end_b;
  }
}

}  // namespace neardup::verify
