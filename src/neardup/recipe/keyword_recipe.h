// The recipe of the literature: one SimHash fingerprint of a text's heaviest words.
#pragma once

#include <optional>

#include "neardup/recipe/spec.h"

namespace neardup::recipe {

/// What is said of the features; the rest stays as it was.
struct SingleTokens {
  std::optional<Weight> weight = {};
  std::optional<int> top_n = {};  // so many of the heaviest; 0: all
};

/// Makes SimHash `recipe`'s family, with one fingerprint of single tokens: its own one, with what `changes` says. An
/// IDF that it needs and has not is learnt from the corpus. Errors: kInvalidArgument: no fingerprints, or those of
/// validate(); `recipe` is then as it was.
[[nodiscard]] Status use_single_tokens(Recipe& recipe, const SingleTokens& changes);

/// Makes SimHash `recipe`'s family, its words jieba's and its IDF that of jieba's dictionary. Errors: as above.
[[nodiscard]] Status use_jieba_idf(Recipe& recipe);

}  // namespace neardup::recipe
