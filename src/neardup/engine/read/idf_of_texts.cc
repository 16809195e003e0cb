#include "neardup/engine/read/idf_of_texts.h"

#include "neardup/recipe/fingerprinter.h"

namespace neardup::engine {

Result<std::shared_ptr<const feature::Idf>> idf_of_texts(const std::vector<std::string_view>& texts,
                                                         recipe::Recipe& recipe) {
  recipe::Recipe counting = recipe;  // the tokens matter, not the fingerprints
  counting.fingerprints.assign(1, {});
  counting.idf = "none";
  NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(counting, nullptr));
  feature::IdfBuilder builder;
  for (const std::string_view text : texts) fingerprinter.count_tokens(text, builder);
  auto idf = builder.build();
  recipe.idf_id = idf->id();
  return idf;
}

}  // namespace neardup::engine
