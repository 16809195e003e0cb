// Copies of code keep the signs around a name and lose the name: so there are n-grams of tokens as they stand, short
// and long ones, and long ones in which names and literals are blinded, all in one set, of which the Jaccard similarity
// is taken. Alone, blinded ones take two headers of a project for one (bench/DEAD_ENDS.md, "source code").
// docs/design/code.md.
// The sets of whole n-grams below are the definition that tests hold the hashes against.
#include "neardup/verify/code_rule.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "neardup/base/hash.h"
#include "neardup/base/per_thread.h"
#include "neardup/token/code_class.h"
#include "neardup/verify/decide.h"

namespace neardup::verify {
namespace {

constexpr uint64_t kOdd = 0x9fb21c651e98df25ULL;  // as of mix64(): any with half of its bits set

// Kinds of n-grams differ, and so do sequences of other lengths.
uint64_t seed_of(size_t n, bool is_blind) { return mix64(2 * n + static_cast<uint64_t>(is_blind) + 1); }

// A polynomial in kOdd modulo 2^64, rolled on: leaves the first of n tokens and takes the next one.
void hash_ngrams(std::span<const uint32_t> tokens, size_t n, bool is_blind, std::vector<uint32_t>& hashes) {
  if (n == kCodeGram) n = std::min(n, tokens.size());
  if (n == 0 || n > tokens.size()) return;
  const auto token_at = [&](size_t i) -> uint64_t { return is_blind ? token::blinded(tokens[i]) : tokens[i]; };
  uint64_t power = 1, sum = 0;
  for (size_t i = 0; i < n; ++i) {
    power *= kOdd;
    sum = sum * kOdd + token_at(i);
  }
  const uint64_t seed = seed_of(n, is_blind);
  for (size_t end = n;; ++end) {
    hashes.push_back(static_cast<uint32_t>(mix64(sum ^ seed) >> 32));
    if (end == tokens.size()) return;
    sum = sum * kOdd + token_at(end) - power * token_at(end - n);
  }
}

using Ngram = std::pair<bool, std::vector<uint32_t>>;  // whether it is blinded, and its tokens

void add_ngrams(const std::vector<uint32_t>& tokens, size_t n, bool is_blind, std::set<Ngram>& ngrams) {
  if (n == kCodeGram) n = std::min(n, tokens.size());
  for (size_t i = 0; i + n <= tokens.size() && n > 0; ++i)
    ngrams.emplace(is_blind, std::vector<uint32_t>(tokens.begin() + i, tokens.begin() + i + n));
}

std::set<Ngram> ngrams_of(const std::vector<uint32_t>& tokens) {
  std::set<Ngram> ngrams;
  add_ngrams(tokens, kCodeGram, false, ngrams);
  add_ngrams(tokens, kLongCodeGram, false, ngrams);
  std::vector<uint32_t> blind;
  std::ranges::transform(tokens, std::back_inserter(blind), token::blinded);
  add_ngrams(blind, kBlindGram, true, ngrams);
  return ngrams;
}

size_t count_bigrams(const std::vector<uint32_t>& tokens) {
  std::set<Ngram> bigrams;
  add_ngrams(tokens, kCodeGram, false, bigrams);
  return bigrams.size();
}

}  // namespace

ShingleSet make_code_set(std::span<const uint32_t> tokens) {
  static PerThread<std::vector<uint32_t>> buffers;
  std::vector<uint32_t>& hashes = buffers.get();
  hashes.clear();
  hashes.reserve(3 * tokens.size());
  hash_ngrams(tokens, kCodeGram, false, hashes);
  hash_ngrams(tokens, kLongCodeGram, false, hashes);
  hash_ngrams(tokens, kBlindGram, true, hashes);
  return take_shingle_set(hashes, tokens, kLongCodeBigrams);
}

Verdict compare_code(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  const std::set<Ngram> in_a = ngrams_of(a), in_b = ngrams_of(b);
  const auto common =
      static_cast<size_t>(std::ranges::count_if(in_a, [&in_b](const Ngram& ngram) { return in_b.contains(ngram); }));
  const double similarity = jaccard(in_a.size(), in_b.size(), common);
  return {.similar = similarity >= asked_code_similarity(rule, a, b), .similarity = static_cast<float>(similarity)};
}

double asked_code_similarity(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  const size_t bigrams = std::min(count_bigrams(a), count_bigrams(b));
  return code_threshold(rule, bigrams);
}

}  // namespace neardup::verify
