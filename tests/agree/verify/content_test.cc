// The rule content: the Verifier, with its bounds and merges, against the definition by sets of whole n-grams.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>
#include <vector>

#include "neardup/token/numbers.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"
#include "neardup/verify/verifier.h"

namespace neardup::verify::content_test {
namespace {

using Tokens = std::vector<uint32_t>;
using Texts = std::vector<Tokens>;

uint32_t word(uint64_t value) { return token::marked_hash(value * 2, false); }
uint32_t number(uint64_t value) { return token::marked_hash(value * 2, true); }

TokenSource source_of(const Texts& texts) {
  return [&texts](uint32_t document, Tokens& tokens) -> Status {
    tokens = texts.at(document);
    return {};
  };
}

// All texts of up to `longest` tokens out of two words and a number.
Texts all_texts(size_t longest) {
  Texts texts = {{}};
  for (size_t begin = 0, length = 0; length < longest; ++length) {
    const size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const uint32_t token : {word(1), word(2), number(3)}) {
        texts.push_back(texts[begin]);
        texts.back().push_back(token);
      }
    }
  }
  return texts;
}

// Families of edited copies of 0 to 600 tokens, each sixth a number, with a beginning that every third family has.
Texts edited_copies(uint32_t seed, size_t count) {
  std::mt19937 random(seed);
  const auto any = [&random] { return random() % 6 == 0 ? number(random() % 50) : word(random() % 5000); };
  Tokens frame(60);
  for (uint32_t& token : frame) token = any();
  Texts texts;
  while (texts.size() < count) {
    Tokens tokens(random() % 8 == 0 ? random() % 7 : random() % 600);
    for (uint32_t& token : tokens) token = any();
    if (random() % 3 == 0) tokens.insert(tokens.begin(), frame.begin(), frame.end());
    for (int copy = 0; copy < 5; ++copy) {
      texts.push_back(tokens);
      for (size_t edit = 0; edit < tokens.size() / 16; ++edit) tokens[random() % tokens.size()] = any();
    }
  }
  return texts;
}

std::shared_ptr<const Commonness> count(const Texts& texts, uint64_t num_counters) {
  auto table = std::make_shared<Commonness>(num_counters, uint64_t{1} << 30);
  for (const Tokens& tokens : texts) table->add(make_shingle_set(tokens, 3).hashes);
  table->settle();
  return table;
}

double jaccard3(const Tokens& a, const Tokens& b) {
  const auto ngrams_of = [](const Tokens& tokens) {
    std::set<Tokens> ngrams;
    if (!tokens.empty() && tokens.size() < 3) ngrams.insert(tokens);
    for (size_t i = 0; i + 3 <= tokens.size(); ++i) ngrams.emplace(tokens.begin() + i, tokens.begin() + i + 3);
    return ngrams;
  };
  const std::set<Tokens> in_a = ngrams_of(a), in_b = ngrams_of(b);
  size_t common = 0;
  for (const Tokens& ngram : in_a) common += in_b.contains(ngram);
  return jaccard(in_a.size(), in_b.size(), common);
}

// What compare() promises: the verdict of the definition; where it is not exact, a bound of J3.
void expect_agreement(Verifier& verifier, const Rule& rule, const Texts& texts, uint32_t a, uint32_t b) {
  const Verdict plain = compare_tokens(rule, texts[a], texts[b]);
  EXPECT_TRUE(plain.exact);
  ASSERT_EQ(compare_tokens(rule, texts[b], texts[a]), plain) << a << " " << b;
  ASSERT_EQ(*verifier.compare_exactly(a, b), plain) << a << " " << b;
  ASSERT_EQ(*verifier.compare_exactly(b, a), plain) << a << " " << b;
  const Verdict fast = *verifier.compare(a, b);
  ASSERT_EQ(*verifier.compare(b, a), fast) << a << " " << b;
  ASSERT_EQ(fast.similar, plain.similar) << a << " " << b;
  if (fast.exact) {
    ASSERT_EQ(fast, plain) << a << " " << b;
    return;
  }
  const double least = jaccard3(texts[a], texts[b]);
  ASSERT_FALSE(plain.similar);
  ASSERT_LT(least, kAlmostSimilar);
  ASSERT_GE(fast.similarity, static_cast<float>(least)) << a << " " << b;
}

// Returns how many pairs were similar, and how many dismissed.
std::pair<size_t, size_t> expect_agreement_of_all(const Texts& texts, const Commonness* common, uint32_t step) {
  const Rule rule{.kind = Rule::Kind::kContent, .common = common};
  Verifier verifier(rule, source_of(texts), 4 << 20);
  size_t num_similar = 0, num_dismissed = 0;
  for (uint32_t a = 0; a < texts.size(); ++a) {
    for (uint32_t b = a; b < texts.size(); b += 1 + b % step) {
      expect_agreement(verifier, rule, texts, a, b);
      if (testing::Test::HasFatalFailure()) return {};
      const Verdict verdict = *verifier.compare(a, b);
      num_similar += verdict.similar;
      num_dismissed += !verdict.exact;
    }
  }
  return {num_similar, num_dismissed};
}

TEST(Content, AgreesForAllSmallTexts) {
  const Texts texts = all_texts(5);
  ASSERT_EQ(texts.size(), 364U);
  const auto common = count(texts, 1 << 20), crowded = count(all_texts(2), 0);
  for (const Commonness* table : {static_cast<const Commonness*>(nullptr), common.get(), crowded.get()}) {
    const auto [num_similar, num_dismissed] = expect_agreement_of_all(texts, table, 1);
    EXPECT_GT(num_similar, texts.size());
    EXPECT_GT(num_dismissed, 1000U);
  }
}

TEST(Content, AgreesForEditedTexts) {
  const Texts texts = edited_copies(1, 150);
  const auto common = count(texts, 1 << 22), crowded = count(texts, 0);
  EXPECT_LT(crowded->others(Commonness::kMost, 0), Commonness::kMost) << "this table is to have noise";
  for (const Commonness* table : {static_cast<const Commonness*>(nullptr), common.get(), crowded.get()}) {
    const auto [num_similar, num_dismissed] = expect_agreement_of_all(texts, table, 5);
    EXPECT_GT(num_similar, texts.size());
    EXPECT_GT(num_dismissed, 500U);
  }
}

// A pair whose sides meet J3 exactly, or miss it by one n-gram: both sides of the bound.
TEST(Content, AgreesAtTheBoundOfTheJaccardSimilarity) {
  size_t num_exact = 0, num_dismissed = 0;
  for (uint32_t size = 3; size < 60; ++size) {
    for (uint32_t common = 0; common <= size; ++common) {
      Texts texts(2, Tokens(size));
      for (uint32_t i = 0; i < size; ++i) texts[0][i] = word(i), texts[1][i] = word(i < common ? i : 1000 + i);
      const Rule rule{.kind = Rule::Kind::kContent};
      Verifier verifier(rule, source_of(texts), 0);
      expect_agreement(verifier, rule, texts, 0, 1);
      const bool is_enough = jaccard3(texts[0], texts[1]) >= kAlmostSimilar;
      EXPECT_EQ(verifier.compare(0, 1)->exact, is_enough);
      (is_enough ? num_exact : num_dismissed) += 1;
    }
  }
  EXPECT_GT(num_exact, 100U);
  EXPECT_GT(num_dismissed, 100U);
}

// The more texts have what two texts have in common, the less it says.
TEST(Content, CommonFramesNeverRaiseTheSimilarity) {
  std::mt19937 random(4);
  for (int round = 0; round < 40; ++round) {
    const size_t frame_size = 20 + random() % 60;
    const size_t slot_size = frame_size / 2 + random() % 30;  // too little is common for nearly whole copies
    Tokens frame(frame_size);
    for (uint32_t& token : frame) token = word(random());
    Texts texts(2 + Commonness::kMost + 2, frame);
    for (Tokens& text : texts)
      for (size_t i = 0; i < slot_size; ++i) text.push_back(word(random()));
    Commonness common(1 << 24, 1 << 30);  // no two n-grams share a counter
    float before = 1;
    for (size_t i = 0; i < texts.size(); ++i) {
      common.add(make_shingle_set(texts[i], 3).hashes);
      const Rule rule{.kind = Rule::Kind::kContent, .common = &common};
      const float similarity = compare_tokens(rule, texts[0], texts[1]).similarity;
      if (i == 0) continue;  // the second one is not counted yet
      EXPECT_LE(similarity, before) << i + 1 << " texts with the frame";
      EXPECT_EQ(similarity < before, i == 1 || i < Commonness::kMost) << i + 1 << " texts with the frame";
      before = similarity;
    }
  }
}

TEST(Content, OtherNumbersNeverRaiseTheSimilarity) {
  for (uint32_t num_same = 0; num_same < 10; ++num_same) {
    const auto text = [](uint32_t same, uint32_t other) {  // ten numbers behind 100 words: few n-grams differ
      Tokens tokens(100);
      for (uint32_t i = 0; i < 100; ++i) tokens[i] = word(i);
      for (uint32_t i = 0; i < 10; ++i) tokens.push_back(number(i < same ? i : other + i));
      return tokens;
    };
    const Rule rule{.kind = Rule::Kind::kContent};
    EXPECT_LT(compare_tokens(rule, text(10, 0), text(num_same, 100)).similarity,
              compare_tokens(rule, text(10, 0), text(num_same + 1, 100)).similarity);
  }
}

}  // namespace
}  // namespace neardup::verify::content_test
