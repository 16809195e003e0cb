// The first pass: learns how rare tokens are from the corpus itself.
#pragma once

#include <memory>
#include <vector>

#include "neardup/corpus/corpus.h"
#include "neardup/feature/idf.h"
#include "neardup/recipe/spec.h"

namespace neardup::engine {

/// What providing an IDF may take.
struct IdfMeans {
  int num_threads = 0;
  uint64_t memory_bytes = ~uint64_t{0};  // --memory of the whole run: a dictionary gets a quarter of it
};

/// Returns how many bytes a sample has: a 64th of the memory, at most kIdfSampleBytes.
[[nodiscard]] uint64_t idf_sample_bytes(uint64_t memory_bytes);

/// Learns an IDF from `inputs`. Larger corpora are sampled: whole batches spread evenly, idf_sample_bytes() to twice as
/// much in all, after decompression; which ones depends on the inputs and the memory alone, so every shard and every
/// run learns the same. Memory: at most 8 bytes for each byte of the sample, for any number of threads.
/// Errors: those of reading; kCancelled.
[[nodiscard]] Result<std::shared_ptr<const feature::Idf>> learn_idf(const std::vector<corpus::Input>& inputs,
                                                                    const corpus::ReadOptions& read,
                                                                    const recipe::Recipe& recipe, const IdfMeans& means,
                                                                    const Context& context);

/// Returns a recipe of the same tokens that needs no IDF: for the pass that counts them.
[[nodiscard]] recipe::Recipe counting_recipe(const recipe::Recipe& recipe);

inline constexpr uint64_t kIdfSampleBytes = uint64_t{32} << 20;

/// Returns the IDF that `recipe` asks for: learnt, loaded from `idf_file`, or null. Sets recipe.idf_id.
/// Errors: kInvalidArgument where the recipe needs a file and none is given, or has no use for the one that is;
/// kMemory where the file takes more than a quarter of means.memory_bytes; kMismatch where it counts other tokens than
/// the recipe's, or is not that of recipe.idf_id; those of learn_idf and Idf::load.
[[nodiscard]] Result<std::shared_ptr<const feature::Idf>> provide_idf(recipe::Recipe& recipe,
                                                                      const std::string& idf_file,
                                                                      const std::vector<corpus::Input>& inputs,
                                                                      const corpus::ReadOptions& read,
                                                                      const IdfMeans& means, const Context& context);

}  // namespace neardup::engine
