// Places are those of numbers.cc, so that one word that is changed beside another does not hide it.
#include "neardup/verify/turned.h"

#include <algorithm>
#include <iterator>

#include "neardup/token/numbers.h"
#include "neardup/verify/places.h"
#include "neardup/verify/turning_words.h"

namespace neardup::verify {
namespace {

// What one place has that the other lacks.
std::vector<uint32_t> missing(std::span<const uint64_t> placed, std::span<const uint64_t> other) {
  std::vector<uint64_t> left;
  std::ranges::set_difference(placed, other, std::back_inserter(left));
  return {left.begin(), left.end()};  // the lower halves
}

uint64_t longest_run(std::vector<uint64_t>& values) {
  std::ranges::sort(values);
  uint64_t longest = 0;
  for (size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    while (end < values.size() && values[end] == values[begin]) ++end;
    longest = std::max<uint64_t>(longest, end - begin);
  }
  return longest;
}

}  // namespace

void place_turning(std::span<const uint32_t> tokens, std::vector<uint64_t>& placed) {
  const TurningFilter& filter = turning_filter();
  const auto meaning = [&filter](uint32_t token) { return filter.may_be_turning(token) ? turning_word(token) : 0; };
  const auto is_any = [&](uint32_t token) { return token::is_marked_number(token) || meaning(token) != 0; };
  place_tokens(tokens, meaning, is_any, placed);
}

TurnedMatch match_turning(std::span<const uint64_t> a, std::span<const uint64_t> b) {
  TurnedMatch match;
  std::vector<uint64_t> exchanged;  // two words each, the smaller one first
  each_common_place(a, b, [&](std::span<const uint64_t> in_a, std::span<const uint64_t> in_b) {
    match.placed += std::min(in_a.size(), in_b.size());
    if (std::ranges::equal(in_a, in_b)) return;  // most of them, and the rest allocates
    const std::vector<uint32_t> only_a = missing(in_a, in_b), only_b = missing(in_b, in_a);
    for (size_t i = 0; i < std::min(only_a.size(), only_b.size()); ++i) {
      if (!are_opposed(only_a[i], only_b[i])) continue;
      const auto [less, more] = std::minmax(only_a[i], only_b[i]);
      exchanged.push_back(uint64_t{less} << 32 | more);
    }
  });
  match.opposed = exchanged.size();
  match.most = longest_run(exchanged);
  return match;
}

bool is_turned(const TurnedMatch& match, uint64_t num_tokens) {
  return match.opposed >= kLeastOpposed && kTurnedPart * match.opposed >= match.placed &&
         2 * match.most >= match.opposed && kTurnedTokens * match.most >= num_tokens;
}

bool are_turned(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  std::vector<uint64_t> placed_a, placed_b;
  place_turning(a, placed_a);
  place_turning(b, placed_b);
  return is_turned(match_turning(placed_a, placed_b), std::min(a.size(), b.size()));
}

Verdict of_turned(const Verdict& verdict) {
  return {.similarity = static_cast<float>(kTurnedLeft * static_cast<double>(verdict.similarity))};
}

}  // namespace neardup::verify
