// bench_fingerprint_kernels [FILE [ROUNDS]]: speed of the SimHash and MinHash kernels on every instruction set of this
// machine, and of the steps and the whole of fingerprinting FILE: JSONL (field "text") or one plain text. Prints one
// JSON object a line. Times are CPU seconds of one thread, best of the rounds; MB/s are of the texts.
#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "bench/texts.h"
#include "neardup/feature/extractor.h"
#include "neardup/feature/ngrams.h"
#include "neardup/fingerprint/signature.h"
#include "neardup/minhash/signer.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/simhash/counters.h"
#include "neardup/simhash/kernel.h"
#include "neardup/text/normalizer.h"
#include "neardup/token/tokenizer.h"

namespace {

using namespace neardup;
using bench::best_seconds;
using bench::cpu_seconds;

void print_kernel(const std::string& name, const char* target, size_t num_features, double seconds) {
  std::printf(
      "{\"bench\":\"%s\",\"target\":\"%s\",\"count\":%zu,\"threads\":1,\"seconds\":%.4f,\"per_second\":%.0f,"
      "\"ns_per_feature\":%.3f}\n",
      name.c_str(), target, num_features, seconds, static_cast<double>(num_features) / seconds,
      seconds * 1e9 / static_cast<double>(num_features));
}

/// Documents of `size` features, together 2^24 features, whose memory stays in the nearest caches.
void bench_kernels(size_t size) {
  constexpr size_t kFeatures = size_t{1} << 24;
  std::mt19937_64 random(1);
  std::vector<uint64_t> hashes(size);
  std::vector<uint32_t> units(size);
  for (size_t i = 0; i < size; ++i) {
    hashes[i] = random();
    units[i] = static_cast<uint32_t>(random() % simhash::kMaxUnits);
  }
  minhash::Signer signer({});
  std::vector<fingerprint::SignatureValue> signature(128);
  uint64_t sink = 0;
  const auto measure = [&](const char* name, const char* target, const auto& kernel) {
    const double seconds = best_seconds(3, [&] {
      for (size_t i = 0; i < kFeatures / size; ++i) sink ^= kernel();
    });
    print_kernel(std::string(name) + " of " + std::to_string(size), target, kFeatures, seconds);
  };
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    measure("unit", hwy::TargetName(target), [&] { return simhash::simhash_unit(hashes); });
    measure("weighted", hwy::TargetName(target), [&] { return simhash::simhash_weighted(hashes, units); });
    measure("signature", hwy::TargetName(target), [&] { return signer.sign(hashes, signature), signature[0]; });
  }
  hwy::SetSupportedTargetsForTest(0);
  measure("unit", "none", [&] { return simhash::simhash_unit_scalar(hashes); });
  measure("weighted", "none", [&] { return simhash::simhash_weighted_scalar(hashes, units); });
  if (sink == 1) std::puts("");
}

class TextBench {
 public:
  TextBench(std::vector<std::string> texts, int rounds) : texts_(std::move(texts)), rounds_(rounds) {
    for (const std::string& text : texts_) bytes_ += text.size();
  }

  template <class Work>
  void measure(const std::string& name, const Work& work) const {
    const double seconds = best_seconds(rounds_, [&] {
      for (size_t i = 0; i < texts_.size(); ++i) work(texts_[i], i);
    });
    std::printf(
        "{\"bench\":\"%s\",\"count\":%zu,\"threads\":1,\"seconds\":%.4f,\"per_second\":%.0f,"
        "\"mb_per_second\":%.0f}\n",
        name.c_str(), texts_.size(), seconds, static_cast<double>(texts_.size()) / seconds,
        static_cast<double>(bytes_) / seconds / 1e6);
  }

  /// The steps that feature/ and simhash/ take after the tokens are there.
  void steps() const {
    text::Normalizer normalizer;
    token::Tokenizer tokenizer = token::Tokenizer::create({}).value();
    std::string clean;
    std::vector<std::vector<uint64_t>> tokens(texts_.size());
    measure("normalise and tokenise", [&](const std::string& text, size_t i) {
      normalizer.normalize(text, clean);
      tokenizer.hashes(clean, tokens[i]);
    });
    std::vector<uint64_t> ngrams;
    for (const int n : {2, 3, 5}) {
      measure(std::to_string(n) + "-gram hashes", [&](const std::string&, size_t i) {
        ngrams.resize(feature::num_ngrams(tokens[i].size(), n) + 1);
        feature::ngram_hashes(tokens[i], n, 0, ngrams.data());
      });
    }
    minhash::Signer signer({});
    std::vector<fingerprint::SignatureValue> signature(128);
    measure("3-gram signature", [&](const std::string&, size_t i) {
      ngrams.resize(feature::num_ngrams(tokens[i].size(), 3) + 1);
      feature::ngram_hashes(tokens[i], 3, 0, ngrams.data());
      signer.sign({ngrams.data(), feature::num_ngrams(tokens[i].size(), 3)}, signature);
    });
    feature::Extractor extractor;
    uint64_t sink = 0;
    for (const feature::FeatureSpec spec : {feature::FeatureSpec{.ngram = 2}, feature::FeatureSpec{.ngram = 3},
                                            feature::FeatureSpec{.weight = feature::Weight::kLogTf}}) {
      const std::string what = std::to_string(spec.ngram) + (spec.weight == feature::Weight::kBinary ? "b" : " log tf");
      measure("features " + what,
              [&](const std::string&, size_t i) { sink += extractor.extract(spec, tokens[i]).hashes.size(); });
    }
    if (sink == 1) std::puts("");
  }

  void recipe(const std::string& name) const {
    recipe::Recipe recipe = recipe::find_recipe(name).value();
    std::shared_ptr<const feature::Idf> idf;
    if (recipe.needs_idf()) {
      recipe::Recipe words = recipe;
      words.fingerprints = {{.ngram = 1}};
      recipe::Fingerprinter counter = recipe::Fingerprinter::create(words, nullptr).value();
      auto builder = std::make_unique<feature::IdfBuilder>();
      measure("count tokens of " + name, [&](const std::string& text, size_t i) {
        if (i == 0) builder = std::make_unique<feature::IdfBuilder>();
        counter.count_tokens(text, *builder);
      });
      const double begin = cpu_seconds();
      idf = builder->build({.keep_counts = false});
      print_kernel("build idf", "", idf->num_tokens(), cpu_seconds() - begin);
    }
    recipe::Fingerprinter fingerprinter = recipe::Fingerprinter::create(recipe, idf).value();
    recipe::TextFingerprint text_fingerprint;
    measure("fingerprint " + name,
            [&](const std::string& text, size_t) { fingerprinter.fingerprint(text, text_fingerprint); });
  }

 private:
  std::vector<std::string> texts_;
  int rounds_;
  uint64_t bytes_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    for (const size_t size : {20, 200, 1000, 20000}) bench_kernels(size);
    return 0;
  }
  const TextBench texts(bench::read_texts(argv[1]), argc > 2 ? std::atoi(argv[2]) : 3);
  texts.steps();
  for (const std::string& name : recipe::recipe_names()) {
    if (!recipe::find_recipe(name)->needs_dictionary()) texts.recipe(name);  // those: bench_segment
  }
  return 0;
}
