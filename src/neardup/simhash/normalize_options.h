// Inner part of fingerprinting: what a recipe says of normalisation.
#pragma once

#include "neardup/simhash/recipe.h"
#include "neardup/text/text.h"

namespace neardup::simhash {

[[nodiscard]] inline text::Normalization normalization_of(const Recipe& recipe) {
  if (recipe.normalization == "none") return text::Normalization::kNone;
  return recipe.normalization == "folded" ? text::Normalization::kFolded : text::Normalization::kNfkcCasefold;
}

[[nodiscard]] inline text::NormalizeOptions normalize_options(const Recipe& recipe) {
  return {.normalization = normalization_of(recipe), .fold_han = recipe.fold_han};
}

}  // namespace neardup::simhash
