#include "matching.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

Family family_of(const std::string& word) {
  if (word == "auto") return Family::kAuto;
  if (word == "minhash") return Family::kMinHash;
  if (word == "simhash") return Family::kSimHash;
  raise({Code::kInvalidArgument, "family is auto, minhash or simhash, not \"" + word + "\""});
}

}  // namespace

Matching matching_of(const MatchingWords& words) {
  return {.recipe = words.recipe,
          .family = family_of(words.family),
          .verify = words.verify,
          .templates = words.templates,
          .distance = words.distance,
          .bands = words.bands,
          .idf_file = words.idf,
          .commonness_file = words.commonness};
}

void define_matching(nb::module_& module) {
  nb::class_<Recipe>(module, "NativeRecipe")
      .def_prop_ro("name", &Recipe::name)
      .def_prop_ro("id", &Recipe::id)
      .def_prop_ro("json", &Recipe::json);
  module.def("find_recipe", [](const std::string& name) { return value_of(find_recipe(name)); });
  module.def("recipe_from_json", [](const std::string& json) { return value_of(recipe_from_json(json)); });
  module.def("recipe_names", &recipe_names);
  nb::class_<MatchingWords>(module, "Matching")
      .def(
          "__init__",
          [](MatchingWords* self, const Recipe& recipe, std::string family, std::string verify, std::string idf,
             std::string commonness, std::optional<int> distance, std::optional<int> bands, bool templates) {
            new (self) MatchingWords{
                recipe, std::move(family), std::move(verify), std::move(idf), std::move(commonness), distance,
                bands,  templates};
          },
          nb::arg("recipe"), nb::arg("family"), nb::arg("verify"), nb::arg("idf"), nb::arg("commonness"),
          nb::arg("distance").none(), nb::arg("bands").none(), nb::arg("templates"));
}

}  // namespace neardup::python
