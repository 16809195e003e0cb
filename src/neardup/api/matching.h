// Matching: what makes two texts duplicates.
#pragma once

#include <optional>
#include <string>

#include "neardup/api/recipe.h"

namespace neardup {

/// The words of `neardup dedup`, with its defaults. Names and rules are checked by whoever is given it.
struct Matching {
  Recipe recipe = default_recipe();
  Family family = Family::kAuto;
  /// When a candidate is accepted: "content" (what readers call the same), "origin", "jaccard:0.8", "code", "none".
  /// Empty: content; code where the recipe is for source code. docs/quality.md says which question each answers.
  std::string verify = {};
  /// With the rule origin: texts of one template whose numbers differ are no duplicates.
  bool templates = false;
  /// Of SimHash: candidates differ in at most so many of 64 bits, 0 to 16. Empty: by the number of documents.
  std::optional<int> distance = {};
  /// Of MinHash, which it asks for: candidates agree in one of so many bands. Empty: as many as the recipe says.
  std::optional<int> bands = {};
  /// Of SimHash recipes that weigh words by their rarity: the file that `neardup idf` made.
  std::string idf_file = {};
  /// Of the rule content, which weighs runs of words by how rare they are: the commonness.bin that dedup leaves among
  /// its results; "none": all weigh the same. Empty: learnt from the texts, from all at once or, where they come one by
  /// one, from those that came before.
  std::string commonness_file = {};
};

}  // namespace neardup
