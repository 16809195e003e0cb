// The definition of the rules, as plainly as it can be said; the fast path is tested against it.
#include "neardup/verify/definition.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "neardup/token/numbers.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/numbers.h"

namespace neardup::verify {
namespace {

using Ngrams = std::set<std::vector<uint32_t>>;

Ngrams ngrams_of(const std::vector<uint32_t>& tokens, size_t n) {
  if (tokens.empty()) return {};
  if (tokens.size() < n) return {tokens};
  Ngrams ngrams;
  for (size_t i = 0; i + n <= tokens.size(); ++i) ngrams.emplace(tokens.begin() + i, tokens.begin() + i + n);
  return ngrams;
}

// The neighbours that make a place, the nearer one first.
struct Place {
  enum class Side { kBefore, kBehind } side;
  std::vector<std::string> neighbours;
  auto operator<=>(const Place&) const = default;
};
using Places = std::map<Place, std::multiset<uint32_t>>;

Places places_of(const std::vector<uint32_t>& tokens) {
  const auto neighbour = [&tokens](ptrdiff_t index) -> std::string {
    if (index < 0 || index >= std::ssize(tokens)) return "the end";
    const uint32_t token = tokens[static_cast<size_t>(index)];
    return token::is_marked_number(token) ? "a number" : std::to_string(token);
  };
  Places places;
  for (ptrdiff_t i = 0; i < std::ssize(tokens); ++i) {
    const uint32_t token = tokens[static_cast<size_t>(i)];
    if (!token::is_marked_number(token)) continue;
    places[{Place::Side::kBefore, {neighbour(i - 1), neighbour(i - 2)}}].insert(token);
    places[{Place::Side::kBehind, {neighbour(i + 1), neighbour(i + 2)}}].insert(token);
  }
  return places;
}

}  // namespace

Verdict compare_tokens(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  if (rule.kind == Rule::Kind::kContent) return compare_content_tokens(a, b, rule.common);
  if (rule.kind == Rule::Kind::kCode) return compare_code(rule, a, b);
  const auto n = static_cast<size_t>(ngram_size(rule));
  const Ngrams in_a = ngrams_of(a, n), in_b = ngrams_of(b, n);
  const auto common = static_cast<size_t>(
      std::count_if(in_a.begin(), in_a.end(), [&](const auto& ngram) { return in_b.contains(ngram); }));
  const double similarity = jaccard(in_a.size(), in_b.size(), common);
  const bool enough = similarity >= asked_similarity(rule, a, b);
  const bool other_numbers = enough && rule.templates && !are_same(compare_numbers(a, b));
  return {.similar = enough && !other_numbers,
          .similarity = static_cast<float>(similarity),
          .other_numbers = other_numbers};
}

double asked_similarity(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  if (rule.kind == Rule::Kind::kContent) return kContentThreshold;
  if (rule.kind == Rule::Kind::kCode) return asked_code_similarity(rule, a, b);
  const size_t bigrams = std::min(ngrams_of(a, 2).size(), ngrams_of(b, 2).size());
  return threshold_of(rule, static_cast<uint32_t>(bigrams));
}

NumberMatch compare_numbers(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  const Places in_a = places_of(a), in_b = places_of(b);
  NumberMatch match;
  for (const auto& [place, numbers_a] : in_a) {
    const auto found = in_b.find(place);
    if (found == in_b.end()) continue;
    const std::multiset<uint32_t>& numbers_b = found->second;
    match.placed += std::min(numbers_a.size(), numbers_b.size());
    for (const uint32_t number : std::set<uint32_t>(numbers_a.begin(), numbers_a.end()))
      match.same += std::min(numbers_a.count(number), numbers_b.count(number));
  }
  return match;
}

}  // namespace neardup::verify
