// Inner part of the public door: what its options mean to the engine. Not installed.
#pragma once

#include "neardup/api/dedup.h"
#include "neardup/api/matching.h"
#include "neardup/base/sizes.h"
#include "neardup/cluster/keep_rule.h"
#include "neardup/engine/options.h"
#include "neardup/engine/read/idf_pass.h"

namespace neardup {

/// Returns the engine's options of `matching`. Errors: kInvalidArgument where the recipe is not set, or for a rule that
/// there is not.
[[nodiscard]] Result<engine::DedupOptions> options_of(const Matching& matching);

/// Takes over what DedupFiles, DedupTexts and their like ask for with the same words. Errors: kInvalidArgument, in the
/// words of the command line.
template <class Asked>
[[nodiscard]] Status take_choices(const Asked& asked, engine::DedupOptions& options) {
  NEARDUP_ASSIGN(options.keep, cluster::keep_rule_from_string(asked.keep));
  NEARDUP_ASSIGN(options.cluster, engine::cluster_kind_from_string(asked.cluster));
  if (asked.contained != 0) options.contained = asked.contained;
  NEARDUP_TRY(check_share("--size-within", asked.size_within.value_or(0)));
  options.size_within = asked.size_within;
  return {};
}

/// Errors: kInvalidArgument, naming default_recipe(), where it is not set.
[[nodiscard]] Status check_set(const Recipe& recipe);

/// Returns the IDF that `recipe` asks for, of `idf_file` where that is given, and sets recipe.idf_id; null where it
/// asks for none. Errors: kInvalidArgument where the recipe learns from its input and no file is given; as
/// engine::provide_idf().
[[nodiscard]] Result<std::shared_ptr<const feature::Idf>> idf_of(recipe::Recipe& recipe, const std::string& idf_file);

}  // namespace neardup
