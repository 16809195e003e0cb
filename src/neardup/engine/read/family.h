// Family: SimHash fingerprints or MinHash signatures, as asked for or as the recipe has it.
#pragma once

#include "neardup/engine/options.h"

namespace neardup::engine {

/// Makes options.recipe.family what options.family asks for, takes out of the recipe what the other family needs, and
/// makes it tell what options.verify needs.
/// kAuto: MinHash for recipes of either family and those that say so, where no distance and no IDF file is asked for;
/// else SimHash, if the recipe has fingerprints. Neither the number of documents nor memory decide: what is found is
/// the same for any. Errors: kInvalidArgument where the recipe or --distance do not go with the family.
[[nodiscard]] Status choose_family(DedupOptions& options);

/// Makes options.recipe.family `family` and takes out of the recipe what the other family needs.
/// Errors: kInvalidArgument as above.
[[nodiscard]] Status settle_family(DedupOptions& options, recipe::Family family);

/// Returns the family that a run with these options takes.
[[nodiscard]] recipe::Family family_of_run(const DedupOptions& options);

/// Returns what kAuto takes of this recipe. `asks_for_simhash`: a distance or an IDF file is given.
[[nodiscard]] recipe::Family auto_family(const recipe::Recipe& recipe, bool asks_for_simhash);

/// Returns whether the recipe says MinHash, or has both.
[[nodiscard]] bool prefers_minhash(const recipe::Recipe& recipe);

/// Returns about how many documents `inputs` hold. Errors: those of reading.
[[nodiscard]] Result<uint64_t> estimate_documents(const std::vector<corpus::Input>& inputs,
                                                  const corpus::ReadOptions& read);

}  // namespace neardup::engine
