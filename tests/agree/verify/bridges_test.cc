// The second look: bridges between runs, against a definition by whole n-grams, strings of anchors and plain counting.
#include "neardup/verify/bridges.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "neardup/token/numbers.h"
#include "neardup/verify/content_rule.h"

namespace neardup::verify::bridges_test {
namespace {

using Tokens = std::vector<uint32_t>;
using Ngram = std::vector<uint32_t>;

uint32_t word(uint64_t value) { return token::marked_hash(value * 2, false); }
uint32_t number(uint64_t value) { return token::marked_hash(value * 2, true); }

std::vector<Ngram> ngrams_of(const Tokens& tokens) {
  std::vector<Ngram> ngrams;
  for (size_t i = 0; i + 3 <= tokens.size(); ++i) ngrams.emplace_back(tokens.begin() + i, tokens.begin() + i + 3);
  return ngrams;
}

// What is looked at of a text, said as plainly as can be.
struct Plain {
  Tokens tokens;
  std::vector<Ngram> ngrams = ngrams_of(tokens);
  std::set<size_t> covered = {};  // places
  Tokens replaced = {};

  [[nodiscard]] size_t count(const Ngram& ngram) const {
    return static_cast<size_t>(std::ranges::count(ngrams, ngram));
  }
  [[nodiscard]] size_t place(const Ngram& ngram) const {
    return static_cast<size_t>(std::ranges::find(ngrams, ngram) - ngrams.begin());
  }
};

uint32_t plain_weight(const Ngram& ngram, uint32_t own, const Commonness* common) {
  return kCommonWeights[common == nullptr ? 0 : common->others(common->counted(hash_of_ngram(ngram)), own)];
}

std::vector<Ngram> anchors_of(const Plain& text, const Plain& other) {
  std::vector<Ngram> anchors;
  for (const Ngram& ngram : text.ngrams)
    if (text.count(ngram) == 1 && other.count(ngram) == 1) anchors.push_back(ngram);
  return anchors;
}

Tokens gap_of(const Plain& text, const Ngram& from, const Ngram& to) {
  const size_t begin = text.place(from) + 3, end = text.place(to);
  return begin < end ? Tokens(text.tokens.begin() + begin, text.tokens.begin() + end) : Tokens();
}

void replace(Plain& text, const Tokens& gap, const Tokens& other_gap) {
  std::multiset<uint32_t> left(other_gap.begin(), other_gap.end());
  for (const uint32_t token : gap) {
    if (const auto found = left.find(token); found != left.end())
      left.erase(found);
    else
      text.replaced.push_back(token);
  }
}

bool holds(const Tokens& gap, const Tokens& other_gap) {
  const auto has_number = [](const Tokens& tokens) { return std::ranges::any_of(tokens, token::is_marked_number); };
  const size_t less = std::min(gap.size(), other_gap.size()), more = std::max(gap.size(), other_gap.size());
  return more <= kBridgeTokens && more - less <= kBridgeSkew && !has_number(gap) && !has_number(other_gap);
}

bool too_many_replaced(const Plain& text) {
  return static_cast<double>(text.replaced.size()) > kMostReplaced * static_cast<double>(text.tokens.size());
}

bool too_many_renamed(const Plain& text, const Plain& other) {
  const auto renamed = std::ranges::count_if(text.replaced, [&](uint32_t token) {
    return std::ranges::count(text.tokens, token) > 1 && std::ranges::count(other.tokens, token) == 0;
  });
  return static_cast<double>(renamed) > kMostRenamed * static_cast<double>(text.replaced.size());
}

double plain_share(const Plain& text, const Plain& other, const Commonness* common) {
  double all = 0, covered = 0;
  for (size_t i = 0; i < text.ngrams.size(); ++i) {
    const bool in_both = other.count(text.ngrams[i]) > 0;
    const double weight = plain_weight(text.ngrams[i], in_both ? 2 : 1, common);
    all += weight;
    covered += in_both || text.covered.contains(i) ? weight : 0;
  }
  return all == 0 ? 0 : covered / all;
}

double plain_bridged_share(const Tokens& tokens_a, const Tokens& tokens_b, const Commonness* common) {
  Plain a{tokens_a}, b{tokens_b};
  const std::vector<Ngram> in_a = anchors_of(a, b), in_b = anchors_of(b, a);
  for (size_t i = 0; i + 1 < in_a.size(); ++i) {
    const Ngram &from = in_a[i], &to = in_a[i + 1];
    const auto at_b = std::ranges::find(in_b, from);
    if (at_b + 1 == in_b.end() || *(at_b + 1) != to) continue;
    const Tokens gap_a = gap_of(a, from, to), gap_b = gap_of(b, from, to);
    const uint32_t least = kCommonWeights[0] / 4;
    if (!holds(gap_a, gap_b) || plain_weight(from, 2, common) < least || plain_weight(to, 2, common) < least) continue;
    replace(a, gap_a, gap_b);
    replace(b, gap_b, gap_a);
    for (Plain* text : {&a, &b})
      for (size_t place = text->place(from); place < text->place(to); ++place) text->covered.insert(place);
  }
  if (too_many_replaced(a) || too_many_replaced(b)) return 0;
  const double share = std::min(plain_share(a, b, common), plain_share(b, a, common));
  if (share < kBridgedThreshold) return share;
  return too_many_renamed(a, b) || too_many_renamed(b, a) ? 0 : share;
}

std::vector<uint32_t> common_hashes(const Tokens& a, const Tokens& b) {
  const auto hashes = [](const Tokens& tokens) {
    std::set<uint32_t> set;
    for (const Ngram& ngram : ngrams_of(tokens)) set.insert(hash_of_ngram(ngram));
    return set;
  };
  const std::set<uint32_t> in_a = hashes(a), in_b = hashes(b);
  std::vector<uint32_t> both;
  std::ranges::set_intersection(in_a, in_b, std::back_inserter(both));
  return both;
}

// Returns the share.
double expect_agreement(const Tokens& a, const Tokens& b, const Commonness* common) {
  const std::vector<uint32_t> both = common_hashes(a, b);
  const double plain = plain_bridged_share(a, b, common);
  EXPECT_DOUBLE_EQ(bridged_share(a, b, both, common), plain);
  EXPECT_DOUBLE_EQ(bridged_share(b, a, both, common), plain);
  for (const Tokens& tokens : {a, b})
    EXPECT_GE(BridgedText(tokens, both).most_bridged(common), plain - 1e-12) << "a bound from above";
  return plain;
}

TEST(Bridges, AgreeForAllSmallTexts) {
  std::vector<Tokens> texts = {{}};
  for (size_t begin = 0, length = 0; length < 5; ++length) {
    for (const size_t end = texts.size(); begin < end; ++begin) {
      for (const uint32_t token : {word(1), word(2), number(3)}) {
        texts.push_back(texts[begin]);
        texts.back().push_back(token);
      }
    }
  }
  for (const Tokens& a : texts)
    for (const Tokens& b : texts) expect_agreement(a, b, nullptr);
}

// Texts of 10 to 110 tokens out of 60 words, so that some occur twice, with edits of one to ten tokens.
Tokens edited(const Tokens& text, std::mt19937& random) {
  Tokens out = text;
  for (size_t edit = random() % (1 + text.size() / 6); edit > 0 && !out.empty(); --edit) {
    const auto at = out.begin() + static_cast<ptrdiff_t>(random() % out.size());
    const uint32_t token = random() % 12 == 0 ? number(random() % 9) : word(1000 + random() % 500);
    const uint32_t kind = random() % 4;
    if (kind == 0) out.erase(at);
    if (kind == 1) out.insert(at, 1 + random() % 10, token);
    if (kind >= 2) *at = token;
  }
  return out;
}

TEST(Bridges, AgreeForEditedTexts) {
  std::mt19937 random(7);
  std::vector<Tokens> texts;
  for (int i = 0; i < 500; ++i) {
    Tokens text(10 + random() % 100);
    const uint64_t words = random() % 2 == 0 ? 60 : 5000;
    for (uint32_t& token : text) token = word(random() % words);
    texts.push_back(text);
    texts.push_back(edited(text, random));
  }
  Commonness counts(1 << 20, 1 << 30), crowded(0, 0);
  for (const Tokens& text : texts)
    for (Commonness* table : {&counts, &crowded}) table->add(make_shingle_set(text, 3).hashes);
  counts.settle();
  crowded.settle();
  size_t num_bridged = 0, num_open = 0;
  const Commonness* const tables[] = {nullptr, &counts, &crowded};
  for (const Commonness* common : tables) {
    for (size_t i = 0; i < texts.size(); i += 2) {
      const double share = expect_agreement(texts[i], texts[i + 1], common);
      num_bridged += share >= kBridgedThreshold;
      num_open += share > 0 && share < kBridgedThreshold;
      expect_agreement(texts[i], texts[(i + 2) % texts.size()], common);
    }
  }
  EXPECT_GT(num_bridged, 200U);
  EXPECT_GT(num_open, 200U);
}

}  // namespace
}  // namespace neardup::verify::bridges_test
