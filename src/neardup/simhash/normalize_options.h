// Inner part of fingerprinting: what a recipe says of normalisation.
#pragma once

#include "neardup/simhash/recipe.h"
#include "neardup/text/text.h"

namespace neardup::simhash {

[[nodiscard]] inline text::NormalizeOptions normalize_options(const Recipe& recipe, bool collapse_space = true) {
  return {
      .normalization = recipe.normalization == "none" ? text::Normalization::kNone : text::Normalization::kNfkcCasefold,
      .fold_han = recipe.fold_han,
      .collapse_space = collapse_space};
}

}  // namespace neardup::simhash
