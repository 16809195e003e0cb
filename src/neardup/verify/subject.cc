// Names are told by counts and neighbours alone, without aligning the texts: a name that occurs every few words leaves
// no run to align by. Most pairs have the same names, or none, and end at two short lists.
#include "neardup/verify/subject.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "neardup/token/numbers.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/decide.h"

namespace neardup::verify {
namespace {

using Tokens = std::span<const uint32_t>;

// Returns the title or heading that a text begins with, empty where it has none.
Tokens heading_of(Tokens text) {
  const Tokens beginning = text.first(std::min(text.size(), kMostHeadingTokens));
  const auto end = std::ranges::find(beginning, token::kHeadingEnd);
  return end == beginning.end() ? Tokens() : beginning.first(static_cast<size_t>(end - beginning.begin()));
}

// Whether two titles have a word in common, as those of one site do.
bool have_common_word(Tokens a, Tokens b) {
  return std::ranges::any_of(
      a, [b](uint32_t token) { return !token::is_marked_number(token) && std::ranges::find(b, token) != b.end(); });
}

// What stands beside a name, where it is no other token.
constexpr uint64_t kItself = uint64_t{1} << 32, kNoNeighbour = uint64_t{2} << 32;

std::vector<uint32_t> sorted(Tokens tokens) {
  std::vector<uint32_t> copy(tokens.begin(), tokens.end());
  std::ranges::sort(copy);
  return copy;
}

uint64_t count_in(const std::vector<uint32_t>& sorted_tokens, uint32_t token) {
  const auto [begin, end] = std::equal_range(sorted_tokens.begin(), sorted_tokens.end(), token);
  return static_cast<uint64_t>(end - begin);
}

struct Text {
  explicit Text(Tokens text) : tokens(text), sorted_tokens(sorted(text)) {}
  Tokens tokens;
  std::vector<uint32_t> sorted_tokens;
};

// What a text says that another one does not.
struct Said {
  uint64_t told = 0;     // words that it has twice or more and the other one never, each as often as it has it
  uint64_t missing = 0;  // all tokens, each as often as the other one lacks it
  [[nodiscard]] bool is_of_names_alone() const { return kAloneParts * told >= kAlonePart * missing; }
};

Said said_by(const Text& text, const Text& other) {
  const std::vector<uint32_t>& own = text.sorted_tokens;
  Said said;
  auto in_other = other.sorted_tokens.begin();
  for (auto begin = own.begin(), end = begin; begin != own.end(); begin = end) {
    const auto differs = [begin](uint32_t token) { return token != *begin; };
    end = std::find_if(begin, own.end(), differs);
    in_other = std::find_if(in_other, other.sorted_tokens.end(), [begin](uint32_t token) { return token >= *begin; });
    const auto end_in_other = std::find_if(in_other, other.sorted_tokens.end(), differs);
    const auto count = static_cast<uint64_t>(end - begin), others = static_cast<uint64_t>(end_in_other - in_other);
    if (others == 0 && count > 1 && !token::is_marked_number(*begin)) said.told += count;
    said.missing += count - std::min(count, others);
  }
  return said;
}

struct Name {
  std::vector<uint64_t> before, behind;  // its neighbours, ascending, each as often as it stands there
  uint64_t in_other = 0;                 // how often the other text has it
  bool is_title = false;                 // among the first kTitleTokens
  bool is_in_heading = false;            // in the title or heading
  bool is_told = false;                  // kMostToldParts

  [[nodiscard]] uint64_t count() const { return before.size(); }
};

std::vector<uint64_t> neighbours(Tokens tokens, uint32_t name, bool behind) {
  std::vector<uint64_t> found;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] != name) continue;
    const size_t beside = behind ? i + 1 : i - 1;  // huge in front of the text
    found.push_back(beside >= tokens.size() ? kNoNeighbour : tokens[beside] == name ? kItself : tokens[beside]);
  }
  std::ranges::sort(found);
  return found;
}

// Returns the names that the text has of its own.
std::vector<Name> own_names(const Text& text, const Text& other, const Said& said) {
  std::vector<uint32_t> names, others;
  find_names(text.tokens, names);
  find_names(other.tokens, others);
  const Tokens first = text.tokens.first(std::min(text.tokens.size(), kTitleTokens));
  const Tokens heading = heading_of(text.tokens);
  std::vector<Name> own;
  for (const uint32_t token : names) {
    const uint64_t in_other = count_in(other.sorted_tokens, token), count = count_in(text.sorted_tokens, token);
    const bool is_in_heading = std::ranges::find(heading, token) != heading.end();
    if (std::ranges::binary_search(others, token) ||
        (is_in_heading ? kHeadingNamedMore : kNamedMore) * in_other > count)
      continue;
    own.push_back({.before = neighbours(text.tokens, token, false),
                   .behind = neighbours(text.tokens, token, true),
                   .in_other = in_other,
                   .is_title = std::ranges::find(first, token) != first.end(),
                   .is_in_heading = is_in_heading});
    own.back().is_told = kMostToldParts * own.back().count() >= said.told;
  }
  return own;
}

uint64_t count_exchanged(const Name& a, const Name& b) {
  return std::max(count_numbers(a.before, b.before).common, count_numbers(a.behind, b.behind).common);
}

bool is_named_more(const Name& name) { return kNamedMore * name.in_other <= name.count(); }

bool are_titles(const Name& a, const Name& b) {
  return is_named_more(a) && is_named_more(b) && a.is_title && b.is_title && (a.is_told || b.is_told) &&
         count_exchanged(a, b) >= kLeastNamed;
}

bool are_alone(const Name& a, const Name& b, size_t num_tokens) {
  const uint64_t exchanged = a.in_other + b.in_other > 0 ? 0 : count_exchanged(a, b);
  return exchanged >= kLeastNamedAlone && kNamedAloneTokens * exchanged >= num_tokens;
}

}  // namespace

void find_names(Tokens tokens, std::vector<uint32_t>& names) {
  const size_t num_first = std::max(kBeginningTokens, heading_of(tokens).size());
  const Tokens beginning = tokens.first(std::min(tokens.size(), num_first));
  names.clear();
  std::ranges::copy_if(beginning, std::back_inserter(names),
                       [](uint32_t token) { return !token::is_marked_number(token) && token != token::kHeadingEnd; });
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  // Few tokens have the bit of one of them, so most cost a look at a word.
  constexpr auto kBit = [](uint32_t token) { return uint64_t{1} << (token >> 26); };
  uint64_t bits = 0;
  for (const uint32_t name : names) bits |= kBit(name);
  std::array<uint64_t, std::max(kBeginningTokens, kMostHeadingTokens)> counts{};
  for (const uint32_t token : tokens) {
    if ((bits & kBit(token)) == 0) continue;
    const auto found = std::ranges::lower_bound(names, token);
    if (found != names.end() && *found == token) ++counts[static_cast<size_t>(found - names.begin())];
  }
  size_t kept = 0;
  for (size_t i = 0; i < names.size(); ++i)
    if (counts[i] >= kLeastNamedAlone) names[kept++] = names[i];
  names.resize(kept);
}

bool may_be_other_subjects(Tokens names_a, Tokens names_b) {
  return !std::ranges::includes(names_a, names_b) && !std::ranges::includes(names_b, names_a);
}

bool are_other_subjects(Tokens a, Tokens b) {
  const Text text_a(a), text_b(b);
  const Said said_a = said_by(text_a, text_b), said_b = said_by(text_b, text_a);
  const bool names_alone = said_a.is_of_names_alone() && said_b.is_of_names_alone();
  const std::vector<Name> names_a = own_names(text_a, text_b, said_a), names_b = own_names(text_b, text_a, said_b);
  const bool headings_share_a_word = have_common_word(heading_of(a), heading_of(b));
  const auto stand_for_each_other = [&](const Name& name_a, const Name& name_b) {
    return (headings_share_a_word && name_a.is_in_heading && name_b.is_in_heading) || are_titles(name_a, name_b) ||
           (names_alone && are_alone(name_a, name_b, std::min(a.size(), b.size())));
  };
  return std::ranges::any_of(names_a, [&](const Name& name_a) {
    return std::ranges::any_of(names_b, [&](const Name& name_b) { return stand_for_each_other(name_a, name_b); });
  });
}

double left_by_subjects(double similarity) {
  const double alike = std::max(0.0, similarity - kAlikeWhatever) / (1 - kAlikeWhatever);
  return similarity * (kOtherSubjectLeft + (1 - kOtherSubjectLeft) * alike);
}

Verdict of_other_subjects(const Verdict& verdict) {
  const double similarity = left_by_subjects(static_cast<double>(verdict.similarity));
  return {.similar = verdict.similar && similarity >= kContentThreshold, .similarity = static_cast<float>(similarity)};
}

}  // namespace neardup::verify
