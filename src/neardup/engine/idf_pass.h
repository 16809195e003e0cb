// The first pass: learns how rare tokens are from the corpus itself.
#pragma once

#include <memory>
#include <vector>

#include "neardup/corpus/corpus.h"
#include "neardup/feature/idf.h"
#include "neardup/simhash/recipe.h"

namespace neardup::engine {

/// Learns an IDF from `inputs`. Larger corpora are sampled: whole batches spread evenly, about kIdfSampleBytes in all;
/// which ones depends on the inputs alone, so every shard and every run learns the same.
/// Errors: those of reading; kCancelled.
[[nodiscard]] Result<std::shared_ptr<const feature::Idf>> learn_idf(const std::vector<corpus::Input>& inputs,
                                                                    const corpus::ReadOptions& read,
                                                                    const simhash::Recipe& recipe, int num_threads,
                                                                    const Context& context);

/// Returns a recipe of the same tokens that needs no IDF: for the pass that counts them.
[[nodiscard]] simhash::Recipe counting_recipe(const simhash::Recipe& recipe);

inline constexpr uint64_t kIdfSampleBytes = uint64_t{32} << 20;

/// Returns the IDF that `recipe` asks for: learnt, loaded from `idf_file`, or null. Sets recipe.idf_id.
/// Errors: kInvalidArgument where the recipe needs a file and none is given, or has no use for the one that is;
/// kMismatch where the file counts other tokens than the recipe's, or is not that of recipe.idf_id; those of learn_idf
/// and Idf::load.
[[nodiscard]] Result<std::shared_ptr<const feature::Idf>> provide_idf(simhash::Recipe& recipe,
                                                                      const std::string& idf_file,
                                                                      const std::vector<corpus::Input>& inputs,
                                                                      const corpus::ReadOptions& read, int num_threads,
                                                                      const Context& context);

}  // namespace neardup::engine
