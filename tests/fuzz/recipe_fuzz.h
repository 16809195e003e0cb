// A recipe's JSON from outside: whatever is accepted has a canonical form that reads back as itself.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "neardup/recipe/spec.h"

inline int fuzz_recipe(const uint8_t* data, size_t size) {
  using namespace neardup;
  const auto recipe = recipe::recipe_from_json({reinterpret_cast<const char*>(data), size});
  if (!recipe) {
    if (recipe.error().message.empty()) std::abort();
    return 0;
  }
  const std::string json = recipe::to_json(*recipe);
  const auto again = recipe::recipe_from_json(json);
  if (!again || *again != *recipe || recipe::to_json(*again) != json) std::abort();
  if (recipe::recipe_id(*recipe).size() != 12 || recipe::recipe_id(*again) != recipe::recipe_id(*recipe)) std::abort();
  return 0;
}
