#include "neardup/recipe/recipe_words.h"

#include <fmt/format.h>

#include "neardup/recipe/spec.h"

namespace neardup::recipe {

std::string recipe_words(std::string_view id) {
  for (const std::string& name : recipe::recipe_names()) {
    for (const recipe::Family family : {recipe::Family::kSimHash, recipe::Family::kMinHash}) {
      auto recipe = recipe::find_recipe(name);
      if (recipe && recipe::take_family(*recipe, family) && recipe::recipe_id(*recipe) == id)
        return fmt::format("{} ({})", name, id);
    }
  }
  return std::string(id);
}

tl::unexpected<Error> recipes_differ(const FingerprintOrigin& a, const FingerprintOrigin& b) {
  return fail(
      Code::kMismatch,
      fmt::format(
          "{} has fingerprints of recipe {}, {} of recipe {}: they cannot be compared. Make both with one --recipe; "
          "where it learns weights from its input, as default does, also with one dictionary (neardup "
          "idf, then --recipe NAME,idf=FILE), or take --recipe grams, which learns nothing",
          a.place, recipe_words(a.recipe_id), b.place, recipe_words(b.recipe_id)));
}

}  // namespace neardup::recipe
