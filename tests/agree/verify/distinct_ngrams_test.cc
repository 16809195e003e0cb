// The different n-grams of a text against its set.
#include "neardup/verify/distinct_ngrams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "neardup/verify/content_rule.h"
#include "neardup/verify/shingles.h"

namespace neardup::verify::distinct_ngrams_test {
namespace {

using Tokens = std::vector<uint32_t>;

void expect_agreement(DistinctNgrams& ngrams, const Tokens& tokens) {
  const auto found = ngrams.of(tokens);
  std::vector<uint32_t> sorted(found.begin(), found.end());
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(sorted, make_shingle_set(tokens, kContentNgram).hashes) << tokens.size() << " tokens";
}

// One object sees them all: what it keeps of a text must not show in the next one.
TEST(DistinctNgrams, AgreeWithTheSet) {
  std::mt19937 random(1);
  DistinctNgrams ngrams;
  for (int round = 0; round < 40; ++round) {
    for (const size_t size : {0, 1, 2, 3, 4, 5, 10, 64, 65, 300, 1000, 5000, 16384, 16386, 16387, 40'000}) {
      for (const uint32_t num_words : {1U, 2U, 20U, 1000U, 0xFFFFFFFFU}) {
        Tokens tokens(round % 10 == 0 || size < 5000 ? size : size / 64);
        for (uint32_t& token : tokens) token = static_cast<uint32_t>(random()) % num_words;
        expect_agreement(ngrams, tokens);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(DistinctNgrams, AgreeAgainForTheSameText) {
  DistinctNgrams ngrams;
  const Tokens tokens = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3};
  for (int times = 0; times < 3; ++times) expect_agreement(ngrams, tokens);
}

}  // namespace
}  // namespace neardup::verify::distinct_ngrams_test
