// Names are told by counts and neighbours alone, without aligning the texts: a name that occurs every few words leaves
// no run to align by. Most pairs have the same names, or none, and end at two short lists; most others at the counts of
// a few words. What the texts say besides, for which both are sorted, is asked only where nothing else speaks against.
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
  const auto end = std::ranges::find_if(beginning, token::ends_heading);
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

// What a text says that another one does not.
struct Said {
  uint64_t told = 0;     // words that it has twice or more and the other one never, each as often as it has it
  uint64_t missing = 0;  // all tokens, each as often as the other one lacks it
  [[nodiscard]] bool is_of_names_alone() const { return kAloneParts * told >= kAlonePart * missing; }
};

// Of two texts' tokens, ascending.
Said said_by(const std::vector<uint32_t>& own, const std::vector<uint32_t>& other) {
  Said said;
  auto in_other = other.begin();
  for (auto begin = own.begin(), end = begin; begin != own.end(); begin = end) {
    const auto differs = [begin](uint32_t token) { return token != *begin; };
    end = std::find_if(begin, own.end(), differs);
    in_other = std::find_if(in_other, other.end(), [begin](uint32_t token) { return token >= *begin; });
    const auto end_in_other = std::find_if(in_other, other.end(), differs);
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

// Returns those of `names` that the text has of its own; `others`: find_names() of the other one.
std::vector<Name> own_names(Tokens text, Tokens names, Tokens other, Tokens others) {
  const Tokens first = text.first(std::min(text.size(), kTitleTokens));
  const Tokens heading = heading_of(text);
  std::vector<Name> own;
  for (const uint32_t token : names) {
    if (std::ranges::binary_search(others, token)) continue;
    const auto count = static_cast<uint64_t>(std::ranges::count(text, token));
    const auto in_other = static_cast<uint64_t>(std::ranges::count(other, token));
    const bool is_in_heading = std::ranges::find(heading, token) != heading.end();
    if ((is_in_heading ? kHeadingNamedMore : kNamedMore) * in_other > count) continue;
    own.push_back({.before = neighbours(text, token, false),
                   .behind = neighbours(text, token, true),
                   .in_other = in_other,
                   .is_title = std::ranges::find(first, token) != first.end(),
                   .is_in_heading = is_in_heading});
  }
  return own;
}

uint64_t count_exchanged(const Name& a, const Name& b) {
  return std::max(count_numbers(a.before, b.before).common, count_numbers(a.behind, b.behind).common);
}

bool is_named_more(const Name& name) { return kNamedMore * name.in_other <= name.count(); }

// Whether two names stand for each other as titles do, whatever else the texts say: then one must be told, too.
bool are_titles(const Name& a, const Name& b) {
  return is_named_more(a) && is_named_more(b) && a.is_title && b.is_title && count_exchanged(a, b) >= kLeastNamed;
}

bool are_in_headings(const Name& a, const Name& b) { return a.is_in_heading && b.is_in_heading; }

// Whether two names stand for each other as they do where the texts differ in nothing else.
bool are_alone(const Name& a, const Name& b, size_t num_tokens) {
  const uint64_t exchanged = a.in_other + b.in_other > 0 ? 0 : count_exchanged(a, b);
  return exchanged >= kLeastNamedAlone && kNamedAloneTokens * exchanged >= num_tokens;
}

constexpr size_t kMostNames = std::max(kBeginningTokens, kMostHeadingTokens);
static_assert(kMostNames < UINT8_MAX);

// Returns how often each of at most kMostNames words stands among `tokens`. Most tokens cost a look at a byte: no word
// has its slot.
std::array<uint32_t, kMostNames> count_each(const std::vector<uint32_t>& words, Tokens tokens) {
  constexpr int kSlotBits = 10;
  constexpr auto kSlot = [](uint32_t token) { return token >> (32 - kSlotBits); };
  std::array<uint8_t, size_t{1} << kSlotBits> slots{};  // of each the word, from 1
  std::array<uint32_t, kMostNames> counts{};
  for (size_t i = 0; i < words.size(); ++i) {
    uint8_t& slot = slots[kSlot(words[i])];
    if (slot == 0) {
      slot = static_cast<uint8_t>(i + 1);
    } else {  // taken: counted alone
      counts[i] = static_cast<uint32_t>(std::ranges::count(tokens, words[i]));
    }
  }
  for (const uint32_t token : tokens) {
    const size_t slot = slots[kSlot(token)];
    if (slot != 0 && words[slot - 1] == token) ++counts[slot - 1];
  }
  return counts;
}

bool is_told(const Name& name, const Said& said) { return kMostToldParts * name.count() >= said.told; }

}  // namespace

void find_names(Tokens tokens, std::vector<uint32_t>& names) {
  const size_t num_first = std::max(kBeginningTokens, heading_of(tokens).size());
  const Tokens beginning = tokens.first(std::min(tokens.size(), num_first));
  names.clear();
  std::ranges::copy_if(beginning, std::back_inserter(names),
                       [](uint32_t token) { return !token::is_marked_number(token) && !token::ends_heading(token); });
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto counts = count_each(names, tokens);
  size_t kept = 0;
  for (size_t i = 0; i < names.size(); ++i)
    if (counts[i] >= kLeastNamedAlone) names[kept++] = names[i];
  names.resize(kept);
}

bool may_be_other_subjects(Tokens names_a, Tokens names_b) {
  return !std::ranges::includes(names_a, names_b) && !std::ranges::includes(names_b, names_a);
}

bool are_other_subjects(Tokens a, Tokens b) {
  std::vector<uint32_t> in_a, in_b;
  find_names(a, in_a);
  find_names(b, in_b);
  const std::vector<Name> names_a = own_names(a, in_a, b, in_b), names_b = own_names(b, in_b, a, in_a);
  const auto any_pair = [&](const auto& stand_for_each_other) {
    return std::ranges::any_of(names_a, [&](const Name& name_a) {
      return std::ranges::any_of(names_b, [&](const Name& name_b) { return stand_for_each_other(name_a, name_b); });
    });
  };
  if (any_pair(are_in_headings) && have_common_word(heading_of(a), heading_of(b))) return true;
  const auto are_alone_here = [num_tokens = std::min(a.size(), b.size())](const Name& name_a, const Name& name_b) {
    return are_alone(name_a, name_b, num_tokens);
  };
  if (!any_pair(are_titles) && !any_pair(are_alone_here)) return false;
  const std::vector<uint32_t> sorted_a = sorted(a), sorted_b = sorted(b);
  const Said said_a = said_by(sorted_a, sorted_b), said_b = said_by(sorted_b, sorted_a);
  if (said_a.is_of_names_alone() && said_b.is_of_names_alone() && any_pair(are_alone_here)) return true;
  return any_pair([&](const Name& name_a, const Name& name_b) {
    return (is_told(name_a, said_a) || is_told(name_b, said_b)) && are_titles(name_a, name_b);
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
