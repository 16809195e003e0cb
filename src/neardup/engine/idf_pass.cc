#include "neardup/engine/idf_pass.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/engine/record_limits.h"
#include "neardup/simhash/jieba_idf.h"
#include "neardup/simhash/recipe_tokens.h"

namespace neardup::engine {
namespace {

// Every `stride`-th batch is read. Compressed inputs count with what is on disk: the sample is then somewhat larger.
uint64_t sample_stride(const corpus::Reader& reader) {
  return std::max<uint64_t>(1, reader.total_bytes() / kIdfSampleBytes);
}

struct Sampler {
  corpus::Reader reader;
  uint64_t stride;
  std::vector<corpus::Batch> slots;
  std::vector<DocumentWorker> workers;        // one per thread
  std::vector<feature::IdfBuilder> builders;  // one per thread

  Result<bool> begin(size_t index) {
    corpus::Batch& batch = slots[index % slots.size()];
    while (true) {
      NEARDUP_ASSIGN(const bool more, reader.next(batch));
      if (!more || batch.index % stride == stride / 2) return more;
    }
  }
  Status work(size_t index, int thread) {
    corpus::Batch& batch = slots[index % slots.size()];
    NEARDUP_TRY(reader.load(batch));
    const auto t = static_cast<size_t>(thread);
    for (const corpus::Document& document : batch.documents)
      workers[t].work(batch, document.text.size(), [&](simhash::Fingerprinter& fingerprinter, simhash::Print&) {
        fingerprinter.count_tokens(document.text, builders[t]);
      });
    DocumentWorker::end_batch(batch);
    return {};
  }
};

}  // namespace

simhash::Recipe counting_recipe(const simhash::Recipe& recipe) {
  simhash::Recipe counting = recipe;
  std::erase_if(counting.fingerprints, [](const auto& spec) { return feature::uses_idf(spec.weight); });
  if (counting.fingerprints.empty()) counting.fingerprints.emplace_back();
  counting.idf = "none";
  return counting;
}

Result<std::shared_ptr<const feature::Idf>> learn_idf(const std::vector<corpus::Input>& inputs,
                                                      const corpus::ReadOptions& read, const simhash::Recipe& recipe,
                                                      int num_threads, const Context& context) {
  NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs, read));
  const uint64_t stride = sample_stride(reader);
  num_threads = resolve_num_threads(num_threads);
  const simhash::Recipe counting = counting_recipe(recipe);
  Sampler sampler{std::move(reader), stride, std::vector<corpus::Batch>(static_cast<size_t>(num_threads) + 1), {}, {}};
  for (int t = 0; t < num_threads; ++t) {
    NEARDUP_ASSIGN(auto worker, DocumentWorker::create(counting, nullptr, read.record_memory));
    sampler.workers.push_back(std::move(worker));
    sampler.builders.emplace_back();
  }
  NEARDUP_TRY(run_pipeline({.num_threads = num_threads,
                            .window = sampler.slots.size(),
                            .begin = [&](size_t index) -> Result<bool> {
                              NEARDUP_TRY(context.check_cancel());
                              return sampler.begin(index);
                            },
                            .work = [&](size_t index, int thread) { return sampler.work(index, thread); },
                            .commit = [](size_t) { return Status(); }}));
  for (size_t t = 1; t < sampler.builders.size(); ++t) sampler.builders[0].merge(sampler.builders[t]);
  return sampler.builders[0].build({.tokens = simhash::tokens_json(recipe)});
}

Result<std::shared_ptr<const feature::Idf>> provide_idf(simhash::Recipe& recipe, const std::string& idf_file,
                                                        const std::vector<corpus::Input>& inputs,
                                                        const corpus::ReadOptions& read, int num_threads,
                                                        const Context& context) {
  std::shared_ptr<const feature::Idf> idf;
  if (idf_file.empty() && !recipe.needs_idf()) return idf;
  if (!idf_file.empty()) {
    if (!recipe.needs_idf()) {
      if (recipe.family == simhash::Family::kMinHash) {
        return fail(Code::kInvalidArgument,
                    "--idf weighs words of SimHash fingerprints; leave it out, or take --family simhash");
      }
      return fail(Code::kInvalidArgument,
                  fmt::format("the recipe '{}' has no weights of an IDF dictionary: leave --idf out, or choose another "
                              "recipe ('neardup recipes' shows them)",
                              recipe.name));
    }
    NEARDUP_ASSIGN(idf, feature::Idf::load(idf_file));
    NEARDUP_TRY(simhash::check_tokens(recipe, idf->tokens(), idf_file));
    NEARDUP_TRY(simhash::check_dictionary_id("idf_id", recipe.idf_id, idf->id(), idf_file));
    recipe.idf = "file";
  } else if (recipe.idf == "corpus") {
    NEARDUP_ASSIGN(idf, learn_idf(inputs, read, recipe, num_threads, context));
  } else if (recipe.idf == "jieba") {
    NEARDUP_ASSIGN(idf, simhash::jieba_idf(recipe));
  } else if (recipe.idf == "file") {
    return fail(Code::kInvalidArgument, "the recipe takes its IDF from a file, and none is given; give one with --idf");
  }
  if (idf != nullptr) recipe.idf_id = idf->id();
  return idf;
}

}  // namespace neardup::engine
