// Prints the fingerprints of two texts and their distance in bits, then how many of three lines deduplication keeps.
// usage: consumer INPUT OUTPUT_FOLDER
#include <cinttypes>
#include <cstdio>
#include <string_view>

#include "neardup/cluster/cluster.h"
#include "neardup/corpus/corpus.h"
#include "neardup/engine/engine.h"
#include "neardup/feature/feature.h"
#include "neardup/fingerprint/fingerprint.h"
#include "neardup/hamming/hamming.h"
#include "neardup/join/join.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/recipe/spec.h"
#include "neardup/report/report.h"
#include "neardup/simhash/simhash.h"
#include "neardup/text/text.h"
#include "neardup/token/token.h"
#include "neardup/verify/verify.h"

namespace {

constexpr std::string_view kFirst = "The quick brown fox jumps over the lazy dog near the bank of the river.";
constexpr std::string_view kSecond = "The quick brown fox jumped over the lazy dog near the bank of the river.";

neardup::Status print_distance() {
  NEARDUP_ASSIGN(const auto recipe, neardup::recipe::find_recipe("grams"));
  NEARDUP_ASSIGN(auto fingerprinter, neardup::recipe::Fingerprinter::create(recipe, nullptr));
  neardup::recipe::Print first;
  neardup::recipe::Print second;
  fingerprinter.fingerprint(kFirst, first);
  fingerprinter.fingerprint(kSecond, second);
  std::printf("%016" PRIx64 " %016" PRIx64 " distance %d of %d bits\n", first.fingerprints[0], second.fingerprints[0],
              neardup::fingerprint::distance(first.fingerprints[0], second.fingerprints[0]),
              neardup::fingerprint::kNumBits);
  return {};
}

neardup::Status print_kept(const char* input, const char* output) {
  neardup::engine::DedupOptions options;
  options.inputs = {input};
  options.output = output;
  NEARDUP_ASSIGN(options.recipe, neardup::recipe::find_recipe("grams"));
  NEARDUP_ASSIGN(const auto report, neardup::engine::dedup(options, {}));
  std::printf("kept %" PRIu64 " of %" PRIu64 "\n", report.total.kept, report.total.read);
  return {};
}

neardup::Status print_all(char** arguments) {
  NEARDUP_TRY(print_distance());
  return print_kept(arguments[1], arguments[2]);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 1;
  const neardup::Status status = print_all(arguments);
  if (!status) std::fprintf(stderr, "%s\n", status.error().message.c_str());
  return status ? 0 : 2;
}
