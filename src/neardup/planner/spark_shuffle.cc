#include "neardup/planner/spark_shuffle.h"

namespace neardup::planner {
namespace {

// Measured: bench/results/spark.md. What is shuffled is hashes, which no code makes smaller. Texts are not moved.
constexpr double kBytesOfToken = 7;       // of a text, with the space
constexpr double kTokenBytes = 4;         // a hash
constexpr double kRowBytes = 24;          // ids, ranks, lengths
constexpr double kRankBytes = 48;         // id and rank, sorted and joined
constexpr double kCopyBytes = 48;         // checksum and rank, twice
constexpr double kNgramCountBytes = 0.9;  // for each token: many texts have one n-gram
constexpr double kKeyBytes = 16;          // with the rank
constexpr double kPairBytes = 110;        // two ranks, as often as a key is shared
constexpr double kResultBytes = 40;       // of the table of duplicates, for each document

}  // namespace

std::vector<ShuffleTerm> spark_shuffle(const ShuffleRequest& request) {
  const auto documents = static_cast<double>(request.num_documents);
  const double tokens = static_cast<double>(request.text_bytes) / kBytesOfToken;
  const double sketch = request.value_bytes, body = sketch + kTokenBytes * tokens;
  const double candidates = request.num_candidates;
  std::vector<ShuffleTerm> terms = {
      {"sketches", kRowBytes + sketch},
      {"ranks", kRankBytes},
      {"copies", kCopyBytes},
      {"keys", kKeyBytes * request.num_keys},
      {"n-gram counts", kNgramCountBytes * tokens},
      {"candidates", candidates * (kPairBytes + 2 * sketch + 2 * body)},
      {"duplicates", kResultBytes},
  };
  for (ShuffleTerm& term : terms) term.bytes *= documents;
  return terms;
}

double sum_bytes(const std::vector<ShuffleTerm>& terms) {
  double sum = 0;
  for (const ShuffleTerm& term : terms) sum += term.bytes;
  return sum;
}

}  // namespace neardup::planner
