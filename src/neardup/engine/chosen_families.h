// What a choice of family means for commands that show a recipe's families, or keep one of them.
#pragma once

#include <optional>

#include "neardup/base/result.h"
#include "neardup/engine/options.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

/// What of a recipe is shown: with kAuto its SimHash fingerprints, if it has any, and its MinHash signature, if dedup
/// takes it. Errors: kInvalidArgument where the recipe does not have what `family` asks for.
struct ShownFamilies {
  bool simhash = false;
  bool minhash = false;
};
[[nodiscard]] Result<ShownFamilies> shown_families(const recipe::Recipe& recipe, FamilyChoice family);

/// Makes the recipe's family that of fingerprints to keep: what was chosen; kAuto: what dedup takes; nothing: what
/// the recipe says, and kSimHash where it has both. Errors: kInvalidArgument where the recipe has no fingerprints.
[[nodiscard]] Status take_kept_family(std::optional<FamilyChoice> family, bool has_idf_file, recipe::Recipe& recipe);

/// Sets recipe.minhash.bands to `bands`, and `family` to MinHash, as nothing else has bands: candidates agree in one of
/// so many. Errors: kInvalidArgument where the family is SimHash, for less than 1, and for more bands than the recipe's
/// signatures make.
[[nodiscard]] Status take_bands(int bands, recipe::Recipe& recipe, FamilyChoice& family);

}  // namespace neardup::engine
