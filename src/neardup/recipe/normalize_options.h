// Inner part of fingerprinting: what a recipe says of normalisation.
#pragma once

#include "neardup/recipe/spec.h"
#include "neardup/text/normalizer.h"

namespace neardup::recipe {

[[nodiscard]] inline text::Normalization normalization_of(const Recipe& recipe) {
  if (recipe.normalization == "none") return text::Normalization::kNone;
  return recipe.normalization == "folded" ? text::Normalization::kFolded : text::Normalization::kNfkcCasefold;
}

[[nodiscard]] inline text::NormalizeOptions normalize_options(const Recipe& recipe, bool collapse_space = true) {
  return {.normalization = normalization_of(recipe), .fold_han = recipe.fold_han, .collapse_space = collapse_space};
}

/// Whether the tokenizer cuts texts before Han characters are folded.
[[nodiscard]] inline bool cuts_before_folding(const Recipe& recipe) {
  return recipe.tokenizer == "jieba" && recipe.fold_han;
}

/// The same as normalize_options(), but for what text::fold_han_in_place() does later.
[[nodiscard]] inline text::NormalizeOptions normalize_options_before_cutting(const Recipe& recipe) {
  text::NormalizeOptions options = normalize_options(recipe);
  options.han_in_place = cuts_before_folding(recipe);
  return options;
}

}  // namespace neardup::recipe
