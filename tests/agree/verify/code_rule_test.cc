// The rule for source code: hashed and cached sets against sets of whole n-grams; what is common against plain counts.
#include "neardup/verify/code_rule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "neardup/token/code_class.h"
#include "neardup/verify/common_code.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/verifier.h"

namespace neardup::verify::code_rule_test {
namespace {

using Tokens = std::vector<uint32_t>;
using Documents = std::vector<Tokens>;
using Ngram = std::pair<bool, Tokens>;  // blinded or not

struct Random {
  explicit Random(uint32_t seed) : engine(seed) {}
  uint32_t operator()() { return static_cast<uint32_t>(engine()); }
  std::mt19937 engine;
};

// Few signs, more names: so that blinded runs meet more often than others.
uint32_t random_token(Random& random) {
  using token::CodeClass;
  static constexpr CodeClass kClasses[] = {CodeClass::kSign, CodeClass::kName, CodeClass::kNumber, CodeClass::kString};
  const uint32_t kind = random() % 6;
  return token::marked_code_hash(8 * (random() % (kind < 2 ? 6 : 90)), kClasses[kind < 2 ? 0 : 1 + kind % 3]);
}

// Families of programs: copies with other names, with other lines, or cut; some of hardly any tokens.
Documents programs(size_t count, uint32_t seed) {
  Random random(seed);
  Documents documents;
  while (documents.size() < count) {
    Tokens tokens(random() % 6 == 0 ? random() % 12 : 20 + random() % 300);
    for (uint32_t& token : tokens) token = random_token(random);
    for (int copy = 0; copy < 4; ++copy) {
      documents.push_back(tokens);
      const size_t edits = tokens.size() * (random() % 30) / 100;
      for (size_t edit = 0; edit < edits; ++edit) tokens[random() % tokens.size()] = random_token(random);
      if (random() % 3 == 0) tokens.resize(tokens.size() * 2 / 3);
    }
  }
  return documents;
}

TokenSource source_of(const Documents& documents) {
  return [&documents](uint32_t document, Tokens& tokens) -> Status {
    tokens = documents.at(document);
    return {};
  };
}

void add_runs(const Tokens& tokens, size_t n, bool is_blind, std::set<Ngram>& set) {
  for (size_t i = 0; i + n <= tokens.size(); ++i)
    set.emplace(is_blind,
                Tokens(tokens.begin() + static_cast<ptrdiff_t>(i), tokens.begin() + static_cast<ptrdiff_t>(i + n)));
}

std::set<Ngram> ngrams_of(const Tokens& tokens) {
  std::set<Ngram> set;
  add_runs(tokens, 2, false, set);
  if (tokens.size() == 1) set.emplace(false, tokens);
  add_runs(tokens, 4, false, set);
  Tokens blind;
  for (const uint32_t token : tokens) blind.push_back(token::blinded(token));
  add_runs(blind, 8, true, set);
  return set;
}

double plain_jaccard(const std::set<Ngram>& a, const std::set<Ngram>& b) {
  size_t common = 0;
  for (const Ngram& ngram : a) common += b.contains(ngram);
  return jaccard(a.size(), b.size(), common);
}

TEST(CodeRule, TheFastPathIsTheDefinition) {
  const Documents documents = programs(80, 1);
  const Rule rule{Rule::Kind::kCode};
  Verifier verifier(rule, source_of(documents), 1 << 20);
  size_t num_similar = 0, num_other = 0;
  for (uint32_t a = 0; a < documents.size(); ++a) {
    for (uint32_t b = a; b < documents.size(); b += 1 + b % 3) {
      const Verdict plain = compare_tokens(rule, documents[a], documents[b]);
      EXPECT_EQ(*verifier.compare_exactly(b, a), plain);
      EXPECT_EQ(verifier.compare(a, b)->similar, plain.similar);
      EXPECT_FLOAT_EQ(plain.similarity,
                      static_cast<float>(plain_jaccard(ngrams_of(documents[a]), ngrams_of(documents[b]))));
      (plain.similar ? num_similar : num_other) += 1;
    }
  }
  EXPECT_GT(num_similar, 40U);
  EXPECT_GT(num_other, 40U);
}

TEST(CodeRule, RenamedCopiesAreSimilarAndOthersAreNot) {
  Random random(3);
  Tokens program(200), renamed, other(200);
  for (uint32_t& token : program) token = random_token(random);
  for (uint32_t& token : other) token = random_token(random);
  for (const uint32_t token : program)
    renamed.push_back((token & 2U) != 0 && token % 5 == 0 ? token + (1U << 20) : token);
  const Rule rule{Rule::Kind::kCode};
  EXPECT_TRUE(compare_tokens(rule, program, renamed).similar);
  EXPECT_FALSE(compare_tokens(rule, program, other).similar);
  EXPECT_FALSE(compare_tokens(rule, {}, {}).similar);
}

// Half of the texts begin with one frame.
Documents with_frame(Documents documents, size_t frame_tokens) {
  Random random(9);
  Tokens frame(frame_tokens);
  for (uint32_t& token : frame) token = token::marked_code_hash(uint64_t{random()} << 3, token::CodeClass::kName);
  for (size_t i = 0; i < documents.size(); ++i)
    if (i % 5 != 0) documents[i].insert(documents[i].begin(), frame.begin(), frame.end());
  return documents;
}

TEST(CommonCode, IsWhatMostTextsHave) {
  const Documents documents = with_frame(programs(100, 4), 40);
  std::map<Ngram, size_t> counts;
  CommonCode learner;
  for (const Tokens& tokens : documents) {
    for (const Ngram& ngram : ngrams_of(tokens)) ++counts[ngram];
    learner.add(tokens);
  }
  const std::vector<uint32_t> common = learner.take();
  std::set<Ngram> plain;
  for (const auto& [ngram, count] : counts)
    if (count > kLeastCommonTexts && kCommonShare * count > documents.size()) plain.insert(ngram);
  EXPECT_GT(plain.size(), 50U);
  EXPECT_EQ(common.size(), plain.size());
  EXPECT_TRUE(std::ranges::is_sorted(common));

  Verifier verifier({Rule::Kind::kCode}, source_of(documents), 1 << 20);
  verifier.leave_out(common);
  size_t num_changed = 0;
  for (uint32_t a = 0; a < documents.size(); a += 3) {
    for (uint32_t b = a + 1; b < documents.size(); b += 2) {
      const auto left = [&](uint32_t document) {
        const std::set<Ngram> all = ngrams_of(documents[document]);
        std::set<Ngram> few = all;
        std::erase_if(few, [&](const Ngram& ngram) { return plain.contains(ngram); });
        return 10 * few.size() < all.size() ? all : few;
      };
      const double expected = plain_jaccard(left(a), left(b));
      EXPECT_FLOAT_EQ(verifier.compare_exactly(a, b)->similarity, static_cast<float>(expected));
      num_changed += expected != plain_jaccard(ngrams_of(documents[a]), ngrams_of(documents[b]));
    }
  }
  EXPECT_GT(num_changed, 100U);
}

TEST(CommonCode, OfFewTextsNothingIsCommon) {
  CommonCode learner;
  const Documents documents = with_frame(programs(16, 5), 40);
  for (const Tokens& tokens : documents) learner.add(tokens);
  EXPECT_TRUE(learner.take().empty());
}

}  // namespace
}  // namespace neardup::verify::code_rule_test
