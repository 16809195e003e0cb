#include "neardup/planner/spark_shuffle.h"

namespace neardup::planner {
namespace {

// Measured: bench/results/spark.md. Texts are compressed, hashes are not.
constexpr double kTextShare = 0.6;        // of a text, as LZ4 leaves it
constexpr double kBytesOfToken = 7;       // of a text, with the space
constexpr double kTokenBytes = 4;         // a hash
constexpr double kRowBytes = 24;          // ids, ranks, lengths
constexpr double kCopyBytes = 48;         // checksum and rank, twice
constexpr double kKeyCountBytes = 1.4;    // a counter of a piece
constexpr double kNgramCountBytes = 0.9;  // the same: many texts have one n-gram
constexpr double kMemberBytes = 13;       // key and rank
constexpr double kLoneKeysLeft = 0.125;   // of the keys of one document alone
constexpr double kSharedKeys = 0.25;      // of the keys of a document, those that it shares with a candidate
constexpr double kPairBytes = 110;        // two ranks, as often as a key is shared
constexpr double kResultBytes = 40;       // of the table of duplicates, for each document

}  // namespace

std::vector<ShuffleTerm> spark_shuffle(const ShuffleRequest& request) {
  const auto documents = static_cast<double>(request.num_documents);
  const double text = static_cast<double>(request.text_bytes), tokens = text / kBytesOfToken;
  const double keys = request.num_keys + request.num_family_keys, values = request.value_bytes;
  const double body = values + kTokenBytes * tokens;
  const double candidates = request.num_candidates;
  const double members = (kLoneKeysLeft + kSharedKeys * candidates) * keys;
  const double family_pairs = request.num_family_keys > 0 ? candidates * (kPairBytes + values) : 0;
  std::vector<ShuffleTerm> terms = {
      {"texts", kRowBytes + kTextShare * text},
      {"bodies", kRowBytes + body + 8 * keys},
      {"copies", kCopyBytes},
      {"key counts", kKeyCountBytes * keys},
      {"n-gram counts", kNgramCountBytes * tokens},
      {"keys", kMemberBytes * members},
      {"candidates", candidates * (kPairBytes + body) + family_pairs},
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
