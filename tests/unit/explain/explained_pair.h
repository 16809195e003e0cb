// Two texts as dedup and explain see them, made from nothing but words.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "neardup/engine/read/idf_of_texts.h"
#include "neardup/explain/explain.h"
#include "neardup/recipe/fingerprinter.h"

namespace neardup::explain {

/// Returns "prefix0 prefix1 ..." of so many words, from number `first` on.
inline std::string counted_words(const std::string& prefix, int count, int first = 0) {
  std::string text;
  for (int i = first; i < first + count; ++i) {
    text += text.empty() ? "" : " ";
    text += prefix + std::to_string(i / 26) + static_cast<char>('a' + i % 26) + "x";
  }
  return text;
}

/// A text under the default recipe, its numbers marked.
struct SeenText {
  recipe::Explanation explanation;
  std::vector<uint32_t> tokens;

  explicit SeenText(const std::string& text, recipe::Recipe recipe = recipe::default_recipe()) {
    recipe.mark_numbers = true;
    EXPECT_TRUE(recipe::take_family(recipe, recipe::Family::kMinHash));
    auto fingerprinter = recipe::Fingerprinter::create(recipe, nullptr);
    EXPECT_TRUE(fingerprinter) << fingerprinter.error().message;
    explanation = fingerprinter->explain(text);
    recipe::TextFingerprint made;
    fingerprinter->fingerprint(text, made);
    tokens = made.tokens;
  }
  [[nodiscard]] ContentText content() const { return {explanation, tokens}; }
};

/// Explains one text or two; both families are shown where the recipe has them.
inline Result<std::unique_ptr<Explained>> explain_these(const std::vector<std::string>& texts,
                                                        const engine::DedupOptions& options,
                                                        const std::shared_ptr<const feature::Idf>& idf = nullptr) {
  NEARDUP_ASSIGN(const auto shown, engine::shown_families(options.recipe, options.family));
  std::vector<NamedText> named;
  for (const std::string& text : texts) named.push_back({named.empty() ? "first.txt" : "second.txt", text});
  return explain_texts(std::move(named), options, shown, idf);
}

/// The same of texts from which the IDF is learnt; it must not fail.
inline std::unique_ptr<Explained> explained_of(const std::vector<std::string>& texts,
                                               engine::DedupOptions options = {}) {
  const auto idf = engine::idf_of_texts({texts.begin(), texts.end()}, options.recipe);
  EXPECT_TRUE(idf) << idf.error().message;
  auto explained = explain_these(texts, options, *idf);
  EXPECT_TRUE(explained) << explained.error().message;
  return explained ? std::move(*explained) : nullptr;
}

}  // namespace neardup::explain
