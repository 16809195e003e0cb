// Inner part of fingerprinting: what a recipe says of normalisation.
#pragma once

#include "neardup/simhash/recipe.h"
#include "neardup/text/text.h"

namespace neardup::simhash {

[[nodiscard]] inline text::NormalizeOptions normalize_options(const Recipe& recipe) {
  return {
      .normalization = recipe.normalization == "none" ? text::Normalization::kNone : text::Normalization::kNfkcCasefold,
      .fold_han = recipe.fold_han};
}

}  // namespace neardup::simhash
