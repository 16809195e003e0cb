// Inner part of the public door: what its options mean to the engine. Not installed.
#pragma once

#include "neardup/api/dedup.h"
#include "neardup/api/matching.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/idf_pass.h"

namespace neardup {

/// Returns the engine's options of `matching`. Errors: kInvalidArgument where the recipe is not set, or for a rule that
/// there is not.
[[nodiscard]] Result<engine::DedupOptions> options_of(const Matching& matching);

/// Errors: kInvalidArgument, naming default_recipe(), where it is not set.
[[nodiscard]] Status check_set(const Recipe& recipe);

/// Returns the IDF that `recipe` asks for, of `idf_file` where that is given, and sets recipe.idf_id; null where it
/// asks for none. Errors: kInvalidArgument where the recipe learns from its input and no file is given; as
/// engine::provide_idf().
[[nodiscard]] Result<std::shared_ptr<const feature::Idf>> idf_of(recipe::Recipe& recipe, const std::string& idf_file);

}  // namespace neardup
