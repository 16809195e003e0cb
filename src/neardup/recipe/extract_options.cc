#include "neardup/recipe/extract_options.h"

#include <string>

#include "neardup/text/mask.h"

namespace neardup::recipe {

text::ExtractOptions extract_options(const Recipe& recipe) {
  text::ExtractOptions options;
  options.extraction = text::extraction_of_name(recipe.extraction).value_or(text::Extraction::kNone);
  for (const std::string& kind : recipe.mask) options.mask |= text::mask_kind(kind);
  options.own_lines = recipe.quotes == "own";
  options.shown = true;
  options.titled = true;
  return options;
}

}  // namespace neardup::recipe
