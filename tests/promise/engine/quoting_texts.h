// Made-up texts that quote each other, and what --contained looks at in them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "neardup/feature/passages.h"
#include "neardup/recipe/fingerprinter.h"
#include "tests/promise/engine/made_corpus.h"

namespace neardup::engine {

using Words = std::vector<std::string>;

// Words that hardly two of come twice by chance.
inline Words story(std::mt19937_64& random, size_t count) {
  Words words(count);
  for (std::string& word : words) word = "w" + std::to_string(random() % 1'000'000);
  return words;
}

inline Words part(const Words& words, size_t begin, size_t count) {
  return {words.begin() + static_cast<std::ptrdiff_t>(begin),
          words.begin() + static_cast<std::ptrdiff_t>(begin + count)};
}

inline void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// Stories, quotes of them whole and in part, with edits, copies of both, chains, and a frame that many have.
inline std::vector<std::string> quoting_texts(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  const Words frame = story(random, 60);
  std::vector<Words> texts;
  while (texts.size() < count) {
    const uint64_t kind = random() % 10;
    if (texts.empty() || kind < 2) {
      texts.push_back(story(random, 20 + random() % 600));
    } else if (kind < 6) {
      const Words& from = texts[random() % texts.size()];
      const size_t size = std::min<size_t>(from.size(), 20 + random() % 200);
      Words quote = part(from, random() % (from.size() - size + 1), size);
      for (uint64_t edits = random() % 3; edits > 0; --edits) quote[random() % quote.size()] = "edited";
      if (random() % 2 == 0) append(quote, story(random, random() % (quote.size() / 2 + 1)));
      if (random() % 4 == 0) append(quote, texts[random() % texts.size()]);
      texts.push_back(quote);
    } else if (kind < 8) {
      Words copy = texts[random() % texts.size()];
      for (uint64_t edits = random() % (copy.size() / 20 + 1); edits > 0; --edits)
        copy[random() % copy.size()] = "changed";
      texts.push_back(copy);
    } else {
      Words framed = story(random, random() % 40);
      append(framed, frame);
      texts.push_back(framed);
    }
  }
  std::vector<std::string> joined;
  for (const Words& words : texts) joined.push_back(join_words(words));
  return joined;
}

/// Returns the tokens that a run makes of each text.
inline std::vector<std::vector<uint32_t>> tokens_of(const std::vector<std::string>& texts) {
  recipe::Recipe recipe = recipe::default_recipe();
  EXPECT_TRUE(recipe::take_family(recipe, recipe::Family::kMinHash));
  recipe.mark_numbers = true;
  auto fingerprinter = *recipe::Fingerprinter::create(recipe, nullptr);
  std::vector<std::vector<uint32_t>> tokens;
  for (const std::string& text : texts) {
    recipe::TextFingerprint made;
    fingerprinter.fingerprint(text, made);
    tokens.emplace_back(made.tokens.begin(), made.tokens.end());
  }
  return tokens;
}

/// Returns the hashes of the selected passages.
inline std::set<uint64_t> passages_of(const std::vector<uint32_t>& tokens) {
  std::vector<feature::Passage> selected;
  feature::select_passages(tokens, selected);
  std::set<uint64_t> hashes;
  for (const feature::Passage& passage : selected) hashes.insert(passage.hash);
  return hashes;
}

}  // namespace neardup::engine
