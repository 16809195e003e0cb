// Prints the fingerprints of two texts and their distance in bits.
#include <cinttypes>
#include <cstdio>
#include <string_view>

#include "neardup/fingerprint/fingerprint.h"
#include "neardup/simhash/fingerprinter.h"
#include "neardup/simhash/recipe.h"

namespace {

constexpr std::string_view kFirst = "The quick brown fox jumps over the lazy dog near the bank of the river.";
constexpr std::string_view kSecond = "The quick brown fox jumped over the lazy dog near the bank of the river.";

neardup::Status print_distance() {
  NEARDUP_ASSIGN(const auto recipe, neardup::simhash::find_recipe("grams"));
  NEARDUP_ASSIGN(auto fingerprinter, neardup::simhash::Fingerprinter::create(recipe, nullptr));
  neardup::simhash::Print first;
  neardup::simhash::Print second;
  fingerprinter.fingerprint(kFirst, first);
  fingerprinter.fingerprint(kSecond, second);
  std::printf("%016" PRIx64 " %016" PRIx64 " distance %d of %d bits\n", first.fingerprints[0], second.fingerprints[0],
              neardup::fingerprint::distance(first.fingerprints[0], second.fingerprints[0]),
              neardup::fingerprint::kNumBits);
  return {};
}

}  // namespace

int main() {
  const neardup::Status status = print_distance();
  if (!status) std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return status ? 0 : 2;
}
