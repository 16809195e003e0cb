// Family: SimHash fingerprints or MinHash signatures, as asked for or as memory allows.
#pragma once

#include "neardup/engine/options.h"
#include "neardup/engine/read/sources.h"

namespace neardup::engine {

/// Makes options.recipe.family what options.family asks for, takes out of the recipe what the other family needs, and
/// makes it tell what options.verify needs.
/// kAuto: MinHash for recipes of either family and those that say so, where no distance and no IDF file is asked for
/// and the signatures of all documents fit in a quarter of options.memory_bytes; else SimHash, if the recipe has
/// fingerprints. How many documents there are is estimated from the size of the inputs and their first records, so it
/// depends on the inputs and the memory alone. Errors: kInvalidArgument where the recipe or --distance do not go with
/// the family; of reading.
[[nodiscard]] Status choose_family(DedupOptions& options, const Sources& sources);

/// Makes options.recipe.family `family` and takes out of the recipe what the other family needs.
/// Errors: kInvalidArgument as above.
[[nodiscard]] Status settle_family(DedupOptions& options, recipe::Family family);

/// Returns the family that a run with these options takes where memory is no question.
[[nodiscard]] recipe::Family family_within_memory(const DedupOptions& options);

/// Returns what kAuto takes of this recipe where memory allows. `asks_for_simhash`: a distance or an IDF file is given.
[[nodiscard]] recipe::Family auto_family(const recipe::Recipe& recipe, bool asks_for_simhash);

/// Returns whether the recipe says MinHash, or has both.
[[nodiscard]] bool prefers_minhash(const recipe::Recipe& recipe);

/// Returns about how many documents `inputs` hold. Errors: those of reading.
[[nodiscard]] Result<uint64_t> estimate_documents(const std::vector<corpus::Input>& inputs,
                                                  const corpus::ReadOptions& read);

}  // namespace neardup::engine
