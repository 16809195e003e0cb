#include <fmt/format.h>

#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/simhash/recipe.h"

namespace neardup::cli {
namespace {

Status run(const std::vector<std::string>& names, Io& io) {
  for (const std::string& name : names) {
    const auto recipe = simhash::find_recipe(name);
    if (!recipe) return fail(Code::kInvalidArgument, recipe.error().message);  // as with --recipe
    io.print(simhash::to_json(*recipe) + "\n");
  }
  if (!names.empty()) return {};
  for (const std::string& name : simhash::recipe_names()) {
    NEARDUP_ASSIGN(const simhash::Recipe recipe, simhash::find_recipe(name));
    io.print(fmt::format("{}\t{}\t{}\t{}\n", name, simhash::recipe_id(recipe), simhash::recipe_summary(name),
                         simhash::to_json(recipe)));
  }
  return {};
}

}  // namespace

void add_recipes_command(CommandLine& line) {
  auto names = std::make_shared<std::vector<std::string>>();
  Command& command = line.add(
      {"recipes",
       "List the named recipes that make fingerprints",
       "Lists the named recipes: name, id, purpose and JSON form, tab separated, or prints the JSON form of one.",
       "[NAME]",
       {{"neardup recipes", "All recipes with their ids."},
        {"neardup recipes default > mine.json", "A copy to change and to give to --recipe."}}});
  Flags(command).group("Arguments").arguments({"NAME", "", "Name of a recipe, or a recipe file to check"}, *names, 1);
  command.run = [names](Io& io) { return run(*names, io); };
}

}  // namespace neardup::cli
