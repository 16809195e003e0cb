// Items that are missing: hashes and one pass, against sets of whole 3-grams; and the Verifier against the definition,
// which do not say the same of (a, b) and (b, a).
#include "neardup/verify/lists.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "neardup/token/numbers.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/shingles.h"
#include "neardup/verify/verifier.h"

namespace neardup::verify::lists_test {
namespace {

using Tokens = std::vector<uint32_t>;

std::set<Tokens> ngrams_of(const Tokens& tokens) {
  std::set<Tokens> ngrams;
  if (!tokens.empty() && tokens.size() < 3) ngrams.insert(tokens);
  for (size_t i = 0; i + 3 <= tokens.size(); ++i) ngrams.emplace(tokens.begin() + i, tokens.begin() + i + 3);
  return ngrams;
}

// Marks each token that is said, then counts the runs of the others.
uint64_t plain_missing(const Tokens& list, const Tokens& kept) {
  const auto mark = std::find(list.begin(), list.end(), token::kListHeadingEnd);
  const size_t title = mark == list.end() ? 0 : static_cast<size_t>(mark - list.begin()) + 1;
  std::set<Tokens> said = ngrams_of(kept);
  said.merge(ngrams_of(Tokens(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(title))));
  std::vector<bool> is_said(list.size(), false);
  for (size_t i = 0; i < title; ++i) is_said[i] = true;
  for (size_t i = 0; i + 3 <= list.size(); ++i)
    if (said.contains(Tokens(list.begin() + i, list.begin() + i + 3)))
      is_said[i] = is_said[i + 1] = is_said[i + 2] = true;
  if (list.size() < 3 && said.contains(list)) is_said.assign(list.size(), true);
  uint64_t missing = 0;
  for (size_t i = 0; i < list.size();) {
    size_t end = i;
    while (end < list.size() && !is_said[end]) ++end;
    if (end - i >= kLeastMissing) missing += end - i;
    i = std::max(end, i + 1);
  }
  return missing;
}

void expect_agreement(const Tokens& list, const Tokens& kept) {
  ASSERT_EQ(count_missing(list, make_shingle_set(kept, 3).hashes), plain_missing(list, kept));
}

TEST(Lists, AgreesForAllSmallTexts) {
  std::vector<Tokens> texts = {{}};
  for (size_t begin = 0, length = 0; length < 6; ++length) {
    const size_t end = texts.size();
    for (; begin < end; ++begin)
      for (const uint32_t token : {uint32_t{2}, uint32_t{4}, token::kListHeadingEnd}) {
        texts.push_back(texts[begin]);
        texts.back().push_back(token);
      }
  }
  for (const Tokens& list : texts)
    for (size_t other = 0; other < texts.size(); other += 1 + other % 7) {
      expect_agreement(list, texts[other]);
      if (HasFatalFailure()) return;
    }
}

// Lists of items out of a few hundred: pages of one site, some of them articles, with edits.
std::vector<Tokens> pages(uint32_t seed, size_t count) {
  std::mt19937 random(seed);
  std::vector<Tokens> items(60);
  for (Tokens& item : items) {
    item.resize(2 + random() % 12);
    for (uint32_t& token : item) token = token::marked_hash(random() % 3000 * 2, random() % 8 == 0);
  }
  std::vector<Tokens> pages;
  while (pages.size() < count) {
    Tokens page(random() % 4);
    for (uint32_t& token : page) token = token::marked_hash(random() % 40 * 2, false);
    page.push_back(random() % 5 == 0 ? token::kHeadingEnd : token::kListHeadingEnd);
    const size_t first = random() % 45, num_items = random() % 14;
    for (size_t i = first; i < first + num_items; ++i) page.insert(page.end(), items[i].begin(), items[i].end());
    for (size_t edit = random() % 3; edit > 0 && page.size() > 8; --edit)
      page[5 + random() % (page.size() - 5)] = token::marked_hash(random() * uint64_t{2}, random() % 2 == 0);
    pages.push_back(page);
  }
  return pages;
}

TEST(Lists, AgreesOnPagesOfASite) {
  const std::vector<Tokens> texts = pages(3, 300);
  const Rule rule{.kind = Rule::Kind::kContent};
  const TokenSource source = [&texts](uint32_t document, Tokens& tokens) -> Status {
    tokens = texts.at(document);
    return {};
  };
  Verifier verifier(rule, source, 4 << 20);
  size_t num_similar = 0, num_one_way = 0;
  for (uint32_t a = 0; a < texts.size(); ++a)
    for (uint32_t b = 0; b < texts.size(); ++b) {
      expect_agreement(texts[a], texts[b]);
      if (HasFatalFailure()) return;
      const Verdict plain = compare_tokens(rule, texts[a], texts[b]);
      ASSERT_EQ(*verifier.compare_exactly(a, b), plain) << a << " " << b;
      const Verdict fast = *verifier.compare(a, b);
      ASSERT_EQ(fast.similar, plain.similar) << a << " " << b;
      if (fast.exact) ASSERT_EQ(fast, plain) << a << " " << b;
      num_similar += plain.similar;
      num_one_way += plain.similar && !compare_tokens(rule, texts[b], texts[a]).similar;
    }
  EXPECT_GT(num_similar, texts.size());
  EXPECT_GT(num_one_way, 100U);
}

}  // namespace
}  // namespace neardup::verify::lists_test
