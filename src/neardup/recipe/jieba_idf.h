// The IDF that comes with a jieba dictionary, as the recipe's tokens meet it.
#pragma once

#include <memory>

#include "neardup/base/result.h"
#include "neardup/feature/idf.h"
#include "neardup/recipe/spec.h"

namespace neardup::recipe {

/// Returns the IDF of recipe.dictionary: words are normalised and hashed as the recipe says; tokens that it does not
/// know weigh the median. Of words that normalise to one, the one that is normal already counts, else the first.
/// Errors: kInvalidArgument where there is no dictionary or it has no IDF.
[[nodiscard]] Result<std::shared_ptr<const feature::Idf>> jieba_idf(const Recipe& recipe);

}  // namespace neardup::recipe
