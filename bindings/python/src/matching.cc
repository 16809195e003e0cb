#include "matching.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "errors.h"
#include "neardup/recipe/typed_recipe.h"

namespace nb = nanobind;

namespace neardup::python {
namespace {

Family family_of(const std::string& word) {
  if (word == "auto") return Family::kAuto;
  if (word == "minhash") return Family::kMinHash;
  if (word == "simhash") return Family::kSimHash;
  raise({Code::kInvalidArgument, "family is auto, minhash or simhash, not \"" + word + "\""});
}

/// The files that a typed recipe names: idf, phrases, dictionary, words of the user.
using FileWords = std::tuple<std::string, std::string, std::string, std::vector<std::string>>;

/// Reads what --recipe takes on the command line. Of an error in what is changed the parameter is named, as it is
/// there.
nb::tuple read_recipe(const std::string& typed, const std::string& unnamed) {
  recipe::Recipe read;
  recipe::RecipeFiles files;
  const Status status = [&]() -> Status {
    NEARDUP_ASSIGN(const recipe::RecipeWords words, recipe::parse_recipe(typed, recipe::recipe_keys(true)));
    return recipe::make_recipe(words, unnamed, read, files);
  }();
  const bool is_changed = typed.find('=') != std::string::npos;
  if (!status) raise({status.error().code, (is_changed ? "recipe: " : "") + status.error().message});
  const FileWords names{files.idf, files.phrases, files.dictionary.path, files.dictionary.user_words};
  return nb::make_tuple(Recipe(std::move(read)), names);
}

/// Opens the dictionary and the phrases that a recipe needs. `places`: folders of jieba, VIRTUAL_ENV, HOME, the cache.
Recipe complete_recipe(const Recipe& recipe, const FileWords& files,
                       const std::tuple<std::vector<std::string>, std::string, std::string, std::string>& places) {
  const auto& [idf, phrases, dictionary, user_words] = files;
  const auto& [folders, environment, home, cache] = places;
  recipe::Recipe inner = recipe.inner();
  const nb::gil_scoped_release release;
  const Status status = recipe::complete_recipe(
      {.idf = idf, .phrases = phrases, .dictionary = {.path = dictionary, .user_words = user_words}},
      {.folders = folders, .virtual_environment = environment, .home = home, .cache_folder = cache}, ~uint64_t{0},
      inner);
  const nb::gil_scoped_acquire acquire;
  value_of(status);
  return Recipe(std::move(inner));
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
      .def_prop_ro("json", &Recipe::json)
      .def_prop_ro("needs_dictionary", [](const Recipe& recipe) { return recipe.inner().needs_dictionary(); });
  module.def("read_recipe", &read_recipe, nb::arg("typed"), nb::arg("unnamed"));
  module.def("complete_recipe", &complete_recipe, nb::arg("recipe"), nb::arg("files"), nb::arg("places"));
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
