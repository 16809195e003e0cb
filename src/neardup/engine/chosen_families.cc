#include "neardup/engine/chosen_families.h"

#include <fmt/format.h>

#include "neardup/engine/read/family.h"
#include "neardup/join/bands.h"

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

Status take_bands(int bands, recipe::Recipe& recipe, FamilyChoice& family) {
  if (family == FamilyChoice::kSimHash)
    return fail(Code::kInvalidArgument,
                "--bands counts bands of MinHash signatures, and --family asks for SimHash; leave one of them out");
  if (bands < 1)
    return fail(Code::kInvalidArgument, fmt::format("--bands is a number of bands, 1 or more, found {}", bands));
  const int most = join::most_bands(recipe.minhash.num_values, recipe.minhash.rows);
  if (bands > most)
    return fail(Code::kInvalidArgument,
                fmt::format("--bands: signatures of {} values make at most {} bands of {}, found {}; give fewer",
                            recipe.minhash.num_values, most, recipe.minhash.rows, bands));
  family = FamilyChoice::kMinHash;
  recipe.minhash.bands = bands;
  return {};
}

}  // namespace neardup::engine
