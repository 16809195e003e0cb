#include "neardup/recipe/keyword_recipe.h"

#include <algorithm>

namespace neardup::recipe {
namespace {

Status put(Recipe& recipe, Recipe changed) {
  changed.name = "custom";
  NEARDUP_TRY(validate(changed));
  recipe = std::move(changed);
  return {};
}

}  // namespace

Status use_single_tokens(Recipe& recipe, const SingleTokens& changes) {
  Recipe changed = recipe;
  NEARDUP_TRY(take_family(changed, Family::kSimHash));
  const auto single = std::ranges::find(changed.fingerprints, 1, &FingerprintSpec::ngram);
  FingerprintSpec spec = single == changed.fingerprints.end() ? changed.fingerprints.front() : *single;
  spec.ngram = 1;
  spec.weight = changes.weight.value_or(spec.weight);
  spec.top_n = changes.top_n.value_or(spec.top_n);
  changed.fingerprints = {spec};
  if (changed.needs_idf() && changed.idf == "none") changed.idf = "corpus";
  return put(recipe, std::move(changed));
}

Status use_jieba_idf(Recipe& recipe) {
  Recipe changed = recipe;
  NEARDUP_TRY(take_family(changed, Family::kSimHash));
  changed.tokenizer = "jieba";
  changed.idf = "jieba";
  return put(recipe, std::move(changed));
}

}  // namespace neardup::recipe
