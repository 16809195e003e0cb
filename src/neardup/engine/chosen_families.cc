#include "neardup/engine/chosen_families.h"

#include <fmt/format.h>

#include "neardup/engine/read/family.h"

namespace neardup::engine {

Result<ShownFamilies> shown_families(const recipe::Recipe& recipe, FamilyChoice family) {
  const bool has_fingerprints = !recipe.fingerprints.empty();
  switch (family) {
    case FamilyChoice::kMinHash:
      return ShownFamilies{.simhash = false, .minhash = true};
    case FamilyChoice::kSimHash:
      if (!has_fingerprints)
        return fail(Code::kInvalidArgument,
                    fmt::format("the recipe '{}' has no SimHash fingerprints; take --family minhash", recipe.name));
      return ShownFamilies{.simhash = true, .minhash = false};
    case FamilyChoice::kAuto:
      break;
  }
  return ShownFamilies{has_fingerprints, !has_fingerprints || prefers_minhash(recipe)};
}

Status take_kept_family(std::optional<FamilyChoice> family, bool has_idf_file, recipe::Recipe& recipe) {
  if (!family) return recipe::take_family(recipe, recipe.family);
  switch (*family) {
    case FamilyChoice::kAuto:
      return recipe::take_family(recipe, auto_family(recipe, has_idf_file));
    case FamilyChoice::kMinHash:
      return recipe::take_family(recipe, recipe::Family::kMinHash);
    case FamilyChoice::kSimHash:
      break;
  }
  return recipe::take_family(recipe, recipe::Family::kSimHash);
}

}  // namespace neardup::engine
