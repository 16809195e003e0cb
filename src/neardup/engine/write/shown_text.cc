#include "neardup/engine/write/shown_text.h"

#include <memory>

#include "neardup/recipe/extract_options.h"
#include "neardup/recipe/normalize_options.h"
#include "neardup/text/extract.h"
#include "neardup/text/normalizer.h"

namespace neardup::engine {

std::string shown_text(const recipe::Recipe& recipe, std::string_view bytes) {
  text::ExtractOptions options = recipe::extract_options(recipe);
  options.mask = 0;
  options.shown = false;
  text::Extract extract(options);
  return std::string(extract.from(bytes).text);
}

recipe::Recipe recipe_of_pages(const recipe::Recipe& recipe) {
  recipe::Recipe of_pages = recipe;
  of_pages.extraction = "html";
  return of_pages;
}

diff::FoldWord fold_word_of(const recipe::Recipe& recipe) {
  const auto normalizer = std::make_shared<text::Normalizer>(recipe::normalize_options(recipe));
  return [normalizer](std::string_view word) {
    std::string folded;
    normalizer->normalize(word, folded);
    return folded;
  };
}

}  // namespace neardup::engine
