#include "neardup/cli/recipe_flag.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Option.hpp>
#include <cstdlib>

#include "neardup/recipe/weight_names.h"
#include "neardup/text/mask.h"

namespace neardup::cli {
namespace {

/// Where the flags put what they read.
struct RecipeTarget {
  recipe::Recipe& recipe;
  std::string* idf_file = nullptr;  // null: there is no idf=FILE
  const uint64_t* memory_bytes = nullptr;
  bool* names_recipe = nullptr;
  std::shared_ptr<TypedRecipe> typed = std::make_shared<TypedRecipe>();

  [[nodiscard]] std::vector<recipe::RecipeKey> keys() const { return recipe::recipe_keys(idf_file != nullptr); }
  void pass_idf() const {
    if (idf_file != nullptr && !typed->files.idf.empty()) *idf_file = typed->files.idf;
  }
};

std::string help_of(bool with_idf) {
  return fmt::format(
      "How texts become fingerprints; neardup recipes lists the names. Changes follow it: extraction=none|html|auto "
      "(main text of pages), mask=KIND,... (counts as equal: {}), quotes=own|all (of answers to mails), "
      "fold_han=true|false (traditional Chinese characters count as simplified ones), "
      "dictionary=PATH, user-dictionary=FILE (of jieba), "
      "phrases=FILE, weight=W (one SimHash fingerprint of tokens by their {}), top_n=N (of the N heaviest){}",
      fmt::join(text::mask_names(), ", "), fmt::join(recipe::weight_names(), ", "),
      with_idf ? ", idf=FILE|jieba (jieba: its words and their IDF)" : "");
}

/// The names of before, each a flag of its own. They come behind --recipe, so that they change the recipe it names.
void define_hidden(Flags& flags, const recipe::RecipeKey& change, const RecipeTarget& to) {
  const auto& [key, value] = change;
  const FlagText text{"--" + key, value, fmt::format("As --recipe NAME,{}={}", key, value)};
  flags
      .each(text,
            [to, key = key](const std::string& typed) -> Status {
              to.typed->words.changes.push_back({key, typed});
              NEARDUP_TRY(recipe::change_recipe(key, typed, to.recipe, to.typed->files));
              to.pass_idf();
              return {};
            })
      ->group("");
}

Status read_recipe(const std::string& typed, const RecipeTarget& to) {
  const std::vector<recipe::RecipeKey> keys = to.keys();
  if (to.names_recipe != nullptr) *to.names_recipe = !recipe::split_recipe(typed, keys).name.empty();
  NEARDUP_ASSIGN(to.typed->words, recipe::parse_recipe(typed, keys));
  NEARDUP_TRY(recipe::make_recipe(to.typed->words, recipe::default_recipe().name, to.recipe, to.typed->files));
  to.pass_idf();
  return {};
}

std::string environment_word(const char* name) {
  const char* word = std::getenv(name);
  return word == nullptr ? "" : word;
}

recipe::DictionaryPlaces places_of(const Io& io) {
  return {.virtual_environment = environment_word("VIRTUAL_ENV"),
          .home = environment_word("HOME"),
          .cache_folder = io.cache_folder};
}

void define(Flags& flags, const RecipeTarget& to, const std::string& shown_default) {
  to.recipe = recipe::default_recipe();
  flags.value({"--recipe", kRecipeValue, help_of(to.idf_file != nullptr)}, shown_default,
              [to](const std::string& typed) { return read_recipe(typed, to); });
  for (const recipe::RecipeKey& each : to.keys()) define_hidden(flags, each, to);
  flags.before_run([to](const Io& io) {
    const uint64_t memory = to.memory_bytes == nullptr ? ~uint64_t{0} : *to.memory_bytes;
    return recipe::complete_recipe(to.typed->files, places_of(io), memory, to.recipe);
  });
}

}  // namespace

void define_recipe_flag(Flags& flags, recipe::Recipe& recipe, const uint64_t* memory_bytes) {
  define(flags, {.recipe = recipe, .memory_bytes = memory_bytes}, recipe::default_recipe().name);
}

std::shared_ptr<TypedRecipe> define_recipe_flags(Flags& flags, recipe::Recipe& recipe, std::string& idf_file,
                                                 const uint64_t* memory_bytes, bool* names_recipe,
                                                 const std::string& shown_default) {
  const RecipeTarget to{
      .recipe = recipe, .idf_file = &idf_file, .memory_bytes = memory_bytes, .names_recipe = names_recipe};
  define(flags, to, shown_default);
  return to.typed;
}

}  // namespace neardup::cli
