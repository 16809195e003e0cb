// The dictionary's words are normalised as texts are, so that they meet the tokens of this recipe. Where normalisation
// makes two words one, the one that was normal already keeps its weight: those come first, and of equal ones the first
// counts.
#include "neardup/recipe/jieba_idf.h"

#include <vector>

#include "neardup/recipe/normalize_options.h"
#include "neardup/text/normalizer.h"
#include "neardup/token/jieba_view.h"
#include "neardup/token/one_token.h"

namespace neardup::recipe {

Result<std::shared_ptr<const feature::Idf>> jieba_idf(const Recipe& recipe) {
  if (recipe.dictionary.object == nullptr || !recipe.dictionary.object->has_idf()) {
    return fail(Code::kInvalidArgument,
                "the recipe takes its IDF from jieba's dictionary, and there is none with an idf.txt; give a jieba "
                "folder: --recipe NAME,dictionary=FOLDER");
  }
  const token::JiebaView& view = recipe.dictionary.object->view();
  text::Normalizer normalizer(normalize_options(recipe));
  std::vector<feature::Feature> normal, changed;
  std::string folded;
  uint32_t begin = 0;
  for (size_t i = 0; i < view.idf_ends.size(); ++i) {
    const std::string_view word = view.idf_words.substr(begin, view.idf_ends[i] - begin);
    begin = view.idf_ends[i];
    normalizer.normalize(word, folded);
    const feature::Feature token{token::token_hash(folded, recipe.hash_seed), static_cast<float>(view.idf_values[i])};
    (folded == word ? normal : changed).push_back(token);
  }
  normal.insert(normal.end(), changed.begin(), changed.end());
  return feature::Idf::from_weights(std::move(normal), static_cast<float>(view.median_idf));
}

}  // namespace neardup::recipe
