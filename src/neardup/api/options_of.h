// Inner part of the public door: what its options mean to the engine. Not installed.
#pragma once

#include "neardup/api/dedup.h"
#include "neardup/api/matching.h"
#include "neardup/engine/options.h"

namespace neardup {

/// Returns the engine's options of `matching`. Errors: kInvalidArgument where the recipe is not set, or for a rule that
/// there is not.
[[nodiscard]] Result<engine::DedupOptions> options_of(const Matching& matching);

/// Errors: kInvalidArgument, naming default_recipe(), where it is not set.
[[nodiscard]] Status check_set(const Recipe& recipe);

/// Errors: kInvalidArgument where the recipe learns from its input and no file is given.
[[nodiscard]] Status check_learns_nothing(const recipe::Recipe& recipe, const std::string& idf_file);

}  // namespace neardup
