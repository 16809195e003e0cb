// --family: one flag with the same words in every command, and what each command makes of them.
#pragma once

#include <optional>
#include <string>

#include "neardup/cli/flags.h"
#include "neardup/engine/options.h"
#include "neardup/recipe/spec.h"

namespace neardup::cli {

/// --family auto|minhash|simhash. `meaning` is its help text.
void define_family_flag(Flags& flags, engine::FamilyChoice& family, const std::string& meaning);
/// The same where what is left out is not kAuto.
void define_family_flag(Flags& flags, std::optional<engine::FamilyChoice>& family, const std::string& meaning);

/// --distance auto|K; nothing for auto.
void define_distance_flag(Flags& flags, std::optional<int>& distance);

/// --bands N: dedup's recipe with another number of bands. Where --family is auto it is MinHash then. Errors, when all
/// flags are read: kInvalidArgument with --family simhash, and where the recipe's signatures do not make so many bands.
void define_bands_flag(Flags& flags, recipe::Recipe& recipe, engine::FamilyChoice& family);

/// The help text of commands that look for duplicates.
inline constexpr char kFamilyOfCandidates[] =
    "How candidates are found; auto: MinHash where the recipe has both, unless --distance or idf= asks for SimHash";

}  // namespace neardup::cli
