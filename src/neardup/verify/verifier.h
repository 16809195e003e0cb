// Compares documents by a rule, many at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"

namespace neardup::verify {

/// Gives a document's token sequence (32-bit hashes in order of the text). `tokens` comes with unspecified contents.
/// Called from many threads at once.
using TokenSource = std::function<Status(uint32_t document, std::vector<uint32_t>& tokens)>;

/// What the cache of a Verifier did so far.
struct CacheStats {
  uint64_t hits = 0;
  uint64_t misses = 0;      // = calls of the TokenSource that were begun
  uint64_t size_bytes = 0;  // held now, never more than the budget
};

/// Returns the most memory that comparing two texts takes for each token of both, what the TokenSource gave included.
[[nodiscard]] uint64_t comparing_bytes_per_token(const Rule& rule);

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
  /// From now on the n-grams with these hashes count in no text: those that verify/common_code.h has learnt, for kCode.
  /// Requires: ascending, each once; nothing was compared yet.
  void leave_out(std::vector<uint32_t> common);
  /// From now on pairs are not similar of which the longer one holds the shorter one (is_held_by_longer()): they are
  /// for who asks which texts contain others. Cost: none but for pairs that are similar and differ in length so much.
  /// Requires: nothing was compared yet.
  void leave_contained(double asked);
  /// Returns whether `b` goes for `a`; of a pair that is not similar, `similarity` may be a bound (see Verdict::exact).
  /// The same for (b, a), but for lists by kContent (lists.h).
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

}  // namespace neardup::verify
