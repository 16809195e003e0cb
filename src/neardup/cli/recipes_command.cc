#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "neardup/base/parse_json.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/recipe/spec.h"

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

Status run(const std::vector<std::string>& names, Io& io) {
  if (names.empty()) return list_recipes(io);
  const auto recipe = recipe::find_recipe(names.front());
  if (!recipe) return fail(Code::kInvalidArgument, recipe.error().message);  // as with --recipe
  io.print(indented(*recipe));
  return {};
}

}  // namespace

void add_recipes_command(CommandLine& line) {
  auto names = std::make_shared<std::vector<std::string>>();
  Command& command =
      line.add({"recipes",
                "List the named recipes that make fingerprints",
                "Lists the named recipes, a line each: name, id, purpose. With NAME prints that recipe as JSON.",
                "[NAME]",
                {{"neardup recipes", "All recipes with their ids."},
                 {"neardup recipes default > mine.json", "A copy to change and to give to --recipe."}}});
  Flags(command).group("Arguments").arguments({"NAME", "", "Name of a recipe, or a recipe file to check"}, *names, 1);
  command.run = [names](Io& io) { return run(*names, io); };
}

}  // namespace neardup::cli
