// Prints the distance of two texts in bits, then how many of three lines deduplication keeps.
// usage: consumer INPUT OUTPUT_FOLDER
#include <cstdio>

#include "neardup/neardup.h"

int main(int count, char** arguments) {
  if (count != 3) return 1;
  const auto grams = neardup::find_recipe("grams");
  const auto pair =
      neardup::compare("The quick brown fox jumps over the lazy dog near the bank of the river.",
                       "The quick brown fox jumped over the lazy dog near the bank of the river.", {.recipe = *grams});
  if (!pair) return std::fprintf(stderr, "%s\n", pair.error().message.c_str());
  std::printf("distance %d of %d bits\n", pair->distance, pair->distance_of);
  const auto counts = neardup::dedup_files({.inputs = {arguments[1]}, .output = arguments[2]});
  if (!counts) return std::fprintf(stderr, "%s\n", counts.error().message.c_str());
  std::printf("kept %d of %d\n", static_cast<int>(counts->kept), static_cast<int>(counts->read));
}
