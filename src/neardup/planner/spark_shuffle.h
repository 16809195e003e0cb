// What a deduplication on Spark sends from machine to machine: docs/spark.md tells the stages.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace neardup::planner {

/// A corpus, and what is made of each document of it.
struct ShuffleRequest {
  uint64_t num_documents = 0;
  uint64_t text_bytes = 0;    // of a document, the mean
  double num_candidates = 0;  // pairs that are compared, for each document
  int value_bytes = 256;      // of what stands for a text: its signature, or fingerprints
  int num_keys = 64;          // under which a document is looked for
};

/// What one stage shuffles, compressed as Spark does.
struct ShuffleTerm {
  std::string_view name;  // a word of docs/spark.md
  double bytes = 0;
};

/// Returns the stages, in their order. The model: bench/results/spark.md; what is measured is within a factor of 2 of
/// the sum where texts are of words with spaces between.
[[nodiscard]] std::vector<ShuffleTerm> spark_shuffle(const ShuffleRequest& request);

/// Returns the sum of all terms.
[[nodiscard]] double sum_bytes(const std::vector<ShuffleTerm>& terms);

}  // namespace neardup::planner
