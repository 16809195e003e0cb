// A recipe's JSON from outside: whatever is accepted has a canonical form that reads back as itself.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "neardup/simhash/recipe.h"

inline int fuzz_recipe(const uint8_t* data, size_t size) {
  using namespace neardup::simhash;
  const auto recipe = recipe_from_json({reinterpret_cast<const char*>(data), size});
  if (!recipe) {
    if (recipe.error().message.empty()) std::abort();
    return 0;
  }
  const std::string json = to_json(*recipe);
  const auto again = recipe_from_json(json);
  if (!again || *again != *recipe || to_json(*again) != json) std::abort();
  if (recipe_id(*recipe).size() != 12 || recipe_id(*again) != recipe_id(*recipe)) std::abort();
  return 0;
}
