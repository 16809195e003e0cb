// verify: is a candidate pair really similar? Exact similarity of the two texts' token n-gram sets.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::verify {

/// When a candidate pair is accepted.
/// origin: same origin. J3 >= .40 where the smaller text has >= 100 distinct 2-grams, else J3 >= .55 (J3 = Jaccard
/// similarity of the sets of token 3-grams). jaccard: J5 >= threshold, token 5-grams. none: always.
struct Rule {
  enum class Kind { kOrigin, kJaccard, kNone };
  Kind kind = Kind::kOrigin;
  double threshold = 0.8;  // of kJaccard, 0 < threshold <= 1
  bool operator==(const Rule&) const = default;
};
/// Reads "origin", "none" or "jaccard:0.8". Errors: kInvalidArgument.
[[nodiscard]] Result<Rule> rule_from_string(std::string_view text);
[[nodiscard]] std::string to_string(const Rule& rule);

struct Verdict {
  bool similar = false;
  float similarity = 0;  // the Jaccard similarity that the rule looked at; for kNone that of origin, 0..1
};

/// Gives a document's token sequence (32-bit hashes in order of the text). Called from many threads at once.
using TokenSource = std::function<Status(uint32_t document, std::vector<uint32_t>& tokens)>;

/// Compares documents. Keeps recently used n-gram sets within `cache_bytes`, shared by all threads.
/// Threads: compare() from many at once.
class Verifier {
 public:
  Verifier(const Rule& rule, TokenSource source, uint64_t cache_bytes);
  ~Verifier();
  [[nodiscard]] Result<Verdict> compare(uint32_t a, uint32_t b);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the verdict for two token sequences, without any cache: the plain definition that tests hold on to.
[[nodiscard]] Verdict compare_tokens(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

}  // namespace neardup::verify
