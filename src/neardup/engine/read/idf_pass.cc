// The IDF is learnt from a sample in evenly spread batches: more than 32 MB brings nothing
// (docs/design/two_fingerprints.md, "The IDF"). Which batches are taken is decided in the order of the inputs, from
// sizes alone, by one thread at a time: so shards and repeated runs learn the same, and their fingerprints can be
// compared.
#include "neardup/engine/read/idf_pass.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/engine/options.h"
#include "neardup/engine/read/document_pipeline.h"
#include "neardup/feature/dictionary_memory.h"
#include "neardup/recipe/jieba_idf.h"
#include "neardup/recipe/recipe_tokens.h"

namespace neardup::engine {
namespace {

// A sample of distinct words of five letters, the worst there is, takes 50 bytes for every six of it: the tables of
// all threads hold no more words than were counted, and the dictionary of them is made beside their sum.
constexpr uint64_t kMemoryPerSampledByte = 8;
constexpr uint64_t kLeastBatches = 32;  // of a sample: a few long stretches would not stand for the corpus

uint64_t size_of_documents(const corpus::Batch& batch) {
  uint64_t size = 0;
  for (const corpus::Document& document : batch.documents) size += document.record.size();
  return size;
}

struct SampleSlot {
  corpus::Batch batch;
  bool loaded = false;  // by next()
};

struct Sampler {
  Sampler(corpus::Reader opened, uint64_t size) : reader(std::move(opened)), sample_bytes(size) {}

  corpus::Reader reader;
  const uint64_t sample_bytes;

  // Called for one batch after the other, so that the choice depends on no thread.
  Result<bool> next(SampleSlot& slot) {
    corpus::Batch& batch = slot.batch;
    while (true) {
      NEARDUP_ASSIGN(const bool more, reader.next(batch));
      if (!more) return false;
      passed_bytes_ += batch.bytes;
      if (batch.index % stride_ != stride_ / 2 || is_ahead()) continue;
      if (batch.data_bytes == 0) {  // its size is known after decompression alone
        NEARDUP_TRY(reader.load(batch));
        batch.data_bytes = size_of_documents(batch);
        slot.loaded = true;
      }
      taken_bytes_ += batch.data_bytes;
      return true;
    }
  }
  Status load(SampleSlot& slot) const { return std::exchange(slot.loaded, false) ? Status() : reader.load(slot.batch); }

 private:
  // Sizes on disk set the stride. Where little on disk holds much, more than twice the share of what was passed so far
  // is not taken.
  [[nodiscard]] bool is_ahead() const {
    return static_cast<double>(taken_bytes_) > 2.0 * static_cast<double>(sample_bytes) *
                                                   static_cast<double>(passed_bytes_) /
                                                   static_cast<double>(total_bytes_);
  }

  const uint64_t total_bytes_ = reader.total_bytes();  // on disk
  const uint64_t stride_ = std::max<uint64_t>(1, total_bytes_ / sample_bytes);
  uint64_t passed_bytes_ = 0;  // of them
  uint64_t taken_bytes_ = 0;   // decompressed
};

}  // namespace

recipe::Recipe counting_recipe(const recipe::Recipe& recipe) {
  recipe::Recipe counting = recipe;
  std::erase_if(counting.fingerprints, [](const auto& spec) { return feature::uses_idf(spec.weight); });
  if (counting.fingerprints.empty()) counting.fingerprints.emplace_back();
  counting.idf = "none";
  return counting;
}

uint64_t idf_sample_bytes(uint64_t memory_bytes) {
  // Twice as much may be taken.
  return std::min(kIdfSampleBytes,
                  MemoryPlan({.memory_bytes = memory_bytes, .has_dictionary = true}).bytes_of(MemoryUse::kDictionary) /
                      kMemoryPerSampledByte / 2);
}

Result<std::shared_ptr<const feature::Idf>> learn_idf(const std::vector<corpus::Input>& inputs,
                                                      const corpus::ReadOptions& read, const recipe::Recipe& recipe,
                                                      const IdfMeans& means, const Context& context) {
  const uint64_t sample_bytes = idf_sample_bytes(std::max(means.memory_bytes, kSmallestMemory));
  corpus::ReadOptions sampled = read;
  sampled.batch_bytes = std::min(read.batch_bytes, sample_bytes / kLeastBatches);
  sampled.context = context;
  NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs, sampled));
  const int num_threads = resolve_num_threads(means.num_threads);
  Sampler sampler(std::move(reader), sample_bytes);
  NEARDUP_ASSIGN(auto pipeline,
                 DocumentPipeline<SampleSlot>::create(counting_recipe(recipe), nullptr, read.record_memory, num_threads,
                                                      static_cast<size_t>(num_threads) + 1));
  std::vector<feature::IdfBuilder> builders(static_cast<size_t>(num_threads));
  NEARDUP_TRY(pipeline.run(
      context, {.next = [&](SampleSlot& slot) { return sampler.next(slot); },
                .load = [&](SampleSlot& slot) { return sampler.load(slot); },
                .use = [&](SampleSlot&, size_t thread, const corpus::Document& document, auto& fingerprinter,
                           auto&) { fingerprinter.count_tokens(document.text, builders[thread]); }}));
  for (; builders.size() > 1; builders.pop_back()) builders[0].merge(builders.back());
  return builders[0].build({.tokens = recipe::tokens_json(recipe)});
}

Result<std::shared_ptr<const feature::Idf>> provide_idf(recipe::Recipe& recipe, const std::string& idf_file,
                                                        const std::vector<corpus::Input>& inputs,
                                                        const corpus::ReadOptions& read, const IdfMeans& means,
                                                        const Context& context) {
  std::shared_ptr<const feature::Idf> idf;
  if (idf_file.empty() && !recipe.needs_idf()) return idf;
  if (!idf_file.empty()) {
    if (!recipe.needs_idf()) {
      if (recipe.family == recipe::Family::kMinHash) {
        return fail(Code::kInvalidArgument,
                    "idf=FILE weighs words of SimHash fingerprints; leave it out, or take --family simhash");
      }
      return fail(Code::kInvalidArgument,
                  fmt::format("the recipe '{}' has no weights of an IDF dictionary: leave idf= out, or choose another "
                              "recipe ('neardup recipes' shows them)",
                              recipe.name));
    }
    NEARDUP_ASSIGN(idf, feature::Idf::load(idf_file, means.memory_bytes));
    NEARDUP_TRY(recipe::check_tokens(recipe, idf->tokens(), idf_file));
    NEARDUP_TRY(recipe::check_dictionary_id("idf_id", recipe.idf_id, idf->id(), idf_file));
    recipe.idf = "file";
  } else if (recipe.idf == "corpus") {
    NEARDUP_ASSIGN(idf, learn_idf(inputs, read, recipe, means, context));
  } else if (recipe.idf == "jieba") {
    NEARDUP_ASSIGN(idf, recipe::jieba_idf(recipe));
  } else if (recipe.idf == "file") {
    return fail(Code::kInvalidArgument,
                "the recipe takes its IDF from a file, and none is given; give one with --recipe NAME,idf=FILE");
  }
  if (idf != nullptr) recipe.idf_id = idf->id();
  return idf;
}

}  // namespace neardup::engine
