#include "neardup/api/options_of.h"

#include <fmt/format.h>

#include "neardup/api/field_words.h"
#include "neardup/engine/chosen_families.h"
#include "neardup/verify/rule.h"

namespace neardup {
namespace {

engine::FamilyChoice choice_of(Family family) {
  switch (family) {
    case Family::kMinHash:
      return engine::FamilyChoice::kMinHash;
    case Family::kSimHash:
      return engine::FamilyChoice::kSimHash;
    case Family::kAuto:
      break;
  }
  return engine::FamilyChoice::kAuto;
}

Status check_learns_nothing(const recipe::Recipe& recipe, const std::string& idf_file) {
  if (!recipe.needs_idf() || recipe.idf == "jieba" || !idf_file.empty()) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("the recipe '{}' weighs words by how rare they are in all documents, which are not there: "
                          "give idf_file (neardup idf makes one), or take find_recipe(\"grams\"), which learns nothing",
                          recipe.name));
}

}  // namespace

Status check_set(const Recipe& recipe) {
  if (recipe.is_set()) return {};
  return fail(Code::kInvalidArgument, "the recipe is not set; begin with default_recipe() or find_recipe(NAME)");
}

Result<std::shared_ptr<const feature::Idf>> idf_of(recipe::Recipe& recipe, const std::string& idf_file) {
  NEARDUP_TRY(check_learns_nothing(recipe, idf_file));
  return in_field_words(engine::provide_idf(recipe, idf_file, {}, {}, {}, {}));
}

Result<engine::DedupOptions> options_of(const Matching& matching) {
  NEARDUP_TRY(check_set(matching.recipe));
  engine::DedupOptions options;
  options.recipe = matching.recipe.inner();
  options.family = choice_of(matching.family);
  options.distance = matching.distance;
  NEARDUP_TRY(in_field_words(engine::check_distance(options)));
  if (matching.bands) NEARDUP_TRY(in_field_words(engine::take_bands(*matching.bands, options.recipe, options.family)));
  options.idf_file = matching.idf_file;
  options.commonness_file = matching.commonness_file;
  if (!matching.verify.empty()) {
    NEARDUP_ASSIGN(options.verify, in_field_words(verify::rule_from_string(matching.verify)));
    options.verify_is_given = true;
  }
  options.verify.templates = matching.templates;
  return options;
}

}  // namespace neardup
