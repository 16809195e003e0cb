#include "neardup/bench/fingerprint.h"

#include <algorithm>
#include <optional>

#include "neardup/base/memory.h"
#include "neardup/base/threads.h"
#include "neardup/bench/texts.h"
#include "neardup/corpus/find/input_set.h"
#include "neardup/engine/chosen_families.h"
#include "neardup/engine/fingerprints/pass.h"
#include "neardup/engine/read/idf_of_texts.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/recipe/fingerprinter.h"

namespace neardup::bench {
namespace {

constexpr size_t kTextBytes = 4000;
constexpr size_t kTextsAtOnce = 64;  // handed to a thread
constexpr uint64_t kDefaultCount = 100'000;
constexpr uint64_t kDistinctTexts = 4096;

/// Reading, parsing and fingerprinting files. An IDF that is learnt from them first is part of the time.
Result<Measurement> bench_files(const FingerprintBench& bench, const recipe::Recipe& recipe,
                                const std::vector<corpus::Input>& inputs, const Context& context) {
  const Stopwatch stopwatch;
  engine::FingerprintPass pass{
      .inputs = inputs, .read = bench.read, .recipe = recipe, .num_threads = bench.num_threads, .context = context};
  NEARDUP_ASSIGN(pass.idf,
                 engine::provide_idf(pass.recipe, bench.idf_file, pass.inputs, pass.read, {pass.num_threads}, context));
  NEARDUP_ASSIGN(const engine::PassTotals totals, engine::run_fingerprint_pass(pass));
  Measurement m{.bench = "fingerprint", .count = totals.documents, .seconds = stopwatch.seconds()};
  m.bytes_per_item =
      static_cast<double>(totals.text_bytes) / static_cast<double>(std::max<uint64_t>(totals.documents, 1));
  m.mb_per_second = static_cast<double>(totals.text_bytes) / 1e6 / m.seconds;
  return m;
}

Result<std::vector<recipe::Fingerprinter>> make_fingerprinters(recipe::Recipe recipe,
                                                               const std::vector<std::string>& texts, int num_threads) {
  std::shared_ptr<const feature::Idf> idf;
  if (recipe.needs_idf()) {
    NEARDUP_ASSIGN(idf, engine::idf_of_texts({texts.begin(), texts.end()}, recipe));
  }
  std::vector<recipe::Fingerprinter> fingerprinters;
  for (int t = 0; t < num_threads; ++t) {
    NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(recipe, idf));
    recipe::TextFingerprint text_fingerprint;
    fingerprinter.fingerprint(texts.front(), text_fingerprint);  // tables that are made on first use are not measured
    fingerprinters.push_back(std::move(fingerprinter));
  }
  return fingerprinters;
}

Result<Measurement> bench_made_up(const FingerprintBench& bench, const recipe::Recipe& recipe, const Context& context) {
  const uint64_t count = bench.count == 0 ? kDefaultCount : bench.count;
  const int num_threads = resolve_num_threads(bench.num_threads);
  std::vector<std::string> texts;
  for (uint64_t i = 0; i < std::min(count, kDistinctTexts); ++i) texts.push_back(make_text(i, kTextBytes));
  NEARDUP_ASSIGN(auto fingerprinters, make_fingerprinters(recipe, texts, num_threads));
  std::vector<recipe::TextFingerprint> fingerprints(static_cast<size_t>(num_threads));
  const Stopwatch stopwatch;
  NEARDUP_TRY(
      parallel_for(num_threads, (count + kTextsAtOnce - 1) / kTextsAtOnce, [&](size_t chunk, int thread) -> Status {
        NEARDUP_TRY(context.check_cancel());
        const auto t = static_cast<size_t>(thread);
        for (uint64_t i = chunk * kTextsAtOnce; i < std::min<uint64_t>(count, (chunk + 1) * kTextsAtOnce); ++i) {
          fingerprinters[t].fingerprint(texts[i % texts.size()], fingerprints[t]);
        }
        return {};
      }));
  Measurement m{.bench = "fingerprint", .count = count, .seconds = stopwatch.seconds()};
  m.bytes_per_item = kTextBytes;
  m.mb_per_second = static_cast<double>(count * kTextBytes) / 1e6 / m.seconds;
  return m;
}

Result<std::vector<recipe::Family>> families_of(const FingerprintBench& bench) {
  NEARDUP_ASSIGN(engine::ShownFamilies shown, engine::shown_families(bench.recipe, bench.family));
  if (bench.family == engine::FamilyChoice::kAuto && shown.simhash && !bench.idf_file.empty()) shown.minhash = false;
  std::vector<recipe::Family> families;
  if (shown.minhash) families.push_back(recipe::Family::kMinHash);
  if (shown.simhash) families.push_back(recipe::Family::kSimHash);
  return families;
}

}  // namespace

Result<std::vector<Measurement>> measure_fingerprinting(const FingerprintBench& bench, const Context& context) {
  NEARDUP_ASSIGN(const auto families, families_of(bench));
  std::optional<corpus::InputSet> inputs;
  if (!bench.inputs.empty()) {
    NEARDUP_ASSIGN(inputs, corpus::InputSet::open(bench.inputs, bench.discover, context));
  }
  std::vector<Measurement> measurements;
  for (const recipe::Family family : families) {
    recipe::Recipe recipe = bench.recipe;
    NEARDUP_TRY(recipe::take_family(recipe, family));
    NEARDUP_ASSIGN(Measurement m, inputs ? bench_files(bench, recipe, inputs->inputs(), context)
                                         : bench_made_up(bench, recipe, context));
    m.family = recipe::family_name(family);
    m.num_threads = resolve_num_threads(bench.num_threads);
    m.peak_bytes = peak_memory_bytes();
    measurements.push_back(std::move(m));
  }
  return measurements;
}

}  // namespace neardup::bench
