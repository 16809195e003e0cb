// verify: is a candidate pair really similar? Exact similarity of the two texts' token n-gram sets.
//
//   verify::Verifier verifier(verify::Rule{}, tokens_of_document, 256 << 20);
//   NEARDUP_ASSIGN(const verify::Verdict verdict, verifier.compare(17, 42));
//   if (verdict.similar) ...
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::verify {

/// When a candidate pair is accepted. J3 and J5 are the Jaccard similarities of the sets of token 3-grams and 5-grams.
/// origin: same origin. J3 >= .40 where both texts have >= 50 distinct 2-grams, else J3 >= .55.
/// jaccard: J5 >= threshold. none: always.
/// A text shorter than n tokens has one n-gram, its whole sequence, which equals no n-gram of another length. A text
/// without tokens has none: it is similar to nothing (similarity 0), not even to another such text.
struct Rule {
  enum class Kind { kOrigin, kJaccard, kNone };
  Kind kind = Kind::kOrigin;
  double threshold = 0.8;  // of kJaccard, 0 < threshold <= 1
  bool operator==(const Rule&) const = default;
};
/// Reads "origin", "none" or "jaccard:0.8". Errors: kInvalidArgument.
[[nodiscard]] Result<Rule> rule_from_string(std::string_view text);
/// Returns the form that rule_from_string reads back as the same rule.
[[nodiscard]] std::string to_string(const Rule& rule);

struct Verdict {
  bool similar = false;
  bool exact = true;     // false: `similarity` is an upper bound, as the pair was dismissed early, or an estimate
  float similarity = 0;  // the Jaccard similarity that the rule looked at; for kNone that of origin, 0..1
  bool operator==(const Verdict&) const = default;
};

/// Gives a document's token sequence (32-bit hashes in order of the text). `tokens` comes with unspecified contents.
/// Called from many threads at once.
using TokenSource = std::function<Status(uint32_t document, std::vector<uint32_t>& tokens)>;

/// What the cache of a Verifier did so far.
struct CacheStats {
  uint64_t hits = 0;
  uint64_t misses = 0;      // = calls of the TokenSource that were begun
  uint64_t size_bytes = 0;  // held now, never more than the budget
};

/// Compares documents. Keeps recently used n-gram sets within `cache_bytes`, shared by all threads; beyond that each
/// comparing thread holds the two sets that it looks at. A set that is larger than the budget is built for each use.
/// n-grams are compared by 32-bit hashes: the expected number of false common ones is |A| * |B| / 2^32, that is
/// 0.0001 for texts of 700 tokens and .02 % of the union for texts of a million.
/// Verdicts depend only on the two token sequences: not on the cache, the threads or the machine's instruction set.
/// Threads: all members from many at once.
class Verifier {
 public:
  Verifier(const Rule& rule, TokenSource source, uint64_t cache_bytes);
  ~Verifier();
  /// Returns the verdict; of a pair that is not similar, `similarity` may be an upper bound (see Verdict::exact).
  /// Cost: one merge of two sorted arrays, about 0.5 us for texts of 700 tokens in cache; less where not similar.
  /// Errors: what the source returns.
  [[nodiscard]] Result<Verdict> compare(uint32_t a, uint32_t b);
  /// The same with an exact similarity in every case.
  [[nodiscard]] Result<Verdict> compare_exactly(uint32_t a, uint32_t b);
  [[nodiscard]] CacheStats cache_stats() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the verdict for two token sequences by the definition itself: sets of whole n-grams, no hashes, no bounds.
/// Slow (microseconds a token): for a single pair, and for tests to hold on to.
[[nodiscard]] Verdict compare_tokens(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

}  // namespace neardup::verify
