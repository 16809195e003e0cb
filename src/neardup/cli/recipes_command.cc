#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "neardup/base/parse_json.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/recipe/spec.h"
#include "neardup/recipe/typed_recipe.h"

namespace neardup::cli {
namespace {

// Canonical JSON is one line; people edit this.
std::string indented(const recipe::Recipe& recipe) {
  return parse_json<nlohmann::ordered_json>(recipe::to_json(recipe))->dump(2) + "\n";
}

Status list_recipes(Io& io) {
  size_t width = 0;
  for (const std::string& name : recipe::recipe_names()) width = std::max(width, name.size());
  for (const std::string& name : recipe::recipe_names()) {
    NEARDUP_ASSIGN(const recipe::Recipe recipe, recipe::find_recipe(name));
    io.print(fmt::format("{:<{}}  {}  {}\n", name, width, recipe::recipe_id(recipe), recipe::recipe_summary(name)));
  }
  return {};
}

Status list_as_json(Io& io) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::string& name : recipe::recipe_names()) {
    NEARDUP_ASSIGN(const recipe::Recipe recipe, recipe::find_recipe(name));
    nlohmann::ordered_json row;
    row["name"] = name, row["id"] = recipe::recipe_id(recipe), row["summary"] = recipe::recipe_summary(name);
    list.push_back(std::move(row));
  }
  io.print(list.dump() + "\n");
  return {};
}

struct RecipesArguments {
  std::vector<std::string> names;
  bool json = false;
};

Status run(const RecipesArguments& arguments, Io& io) {
  if (arguments.names.empty()) return arguments.json ? list_as_json(io) : list_recipes(io);
  recipe::Recipe recipe;
  recipe::RecipeFiles files;  // are not opened
  NEARDUP_ASSIGN(const recipe::RecipeWords words,
                 recipe::parse_recipe(arguments.names.front(), recipe::recipe_keys(true)));
  if (const Status made = recipe::make_recipe(words, recipe::default_recipe().name, recipe, files); !made)
    return fail(Code::kInvalidArgument, made.error().message);  // as with --recipe
  io.print(indented(recipe));
  return {};
}

}  // namespace

void add_recipes_command(CommandLine& line) {
  auto arguments = std::make_shared<RecipesArguments>();
  Command& command = line.add(
      {"recipes",
       "List the named recipes that make fingerprints",
       "Lists the named recipes, a line each: name, id, purpose. With NAME prints that recipe as JSON, with the "
       "changes that follow it.",
       "[NAME[,KEY=VALUE,...]]",
       {{"neardup recipes", "All recipes with their ids."},
        {"neardup recipes grams,mask=urls", "What --recipe grams,mask=urls makes of one."},
        {"neardup recipes default > mine.json", "A copy to change and to give to --recipe."}}});
  Flags flags(command);
  flags.group("Arguments")
      .arguments({"NAME", "", "Name of a recipe, or a recipe file to check; changes follow as in --recipe"},
                 arguments->names, 1);
  flags.group("Output").on({"--json", "", "The list as one JSON array; a recipe is JSON in any case"}, arguments->json);
  command.run = [arguments](Io& io) { return run(*arguments, io); };
}

}  // namespace neardup::cli
