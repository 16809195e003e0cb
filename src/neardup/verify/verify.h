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
#include "neardup/verify/commonness.h"

namespace neardup::verify {

/// The similarity from which on the rule code takes programs for copies of each other, as a whole or in good part.
inline constexpr double kReusedCode = 0.25;

/// When a candidate pair is accepted. J3 and J5 are the Jaccard similarities of the sets of token 3-grams and 5-grams.
/// content: what readers call the same. Of the 3-grams, each weighed by its rarity in the corpus (`common`), and less
/// where numbers differ, .45 must be in both texts, and J3 >= .40; or, counted alike and less likewise, .80; or they
/// differ in single words all over (bridges.h).
/// content_rule.h has the definition. Tokens are token::marked_hash() of each. origin: same origin. J3 >= .40 where
/// both texts have >= 50 distinct 2-grams, else J3 >= .55. jaccard: J5 >= threshold. none: always. origin with
/// templates also asks for the same numbers: texts of one template share nearly all their words and tell different
/// things. A number counts at its two places, the two tokens before it and the two behind it (any number stands for any
/// other there); of the numbers at places that both texts have, 7 of 10 must be the same. Texts without a common place
/// pass. docs/design/templates.md tells why. Tokens are token::marked_hash() of each then. code: of source code, tokens
/// being token::marked_code_hash() of each; code_rule.h says what is compared and asked, least_code how much of it. A
/// text shorter than n tokens has one n-gram, its whole sequence, which equals no n-gram of another length. A text
/// without tokens has none: it is similar to nothing (similarity 0), not even to another such text.
struct Rule {
  enum class Kind { kContent, kOrigin, kJaccard, kNone, kCode };
  Kind kind = Kind::kContent;
  double threshold = 0.8;           // of kJaccard, 0 < threshold <= 1
  bool templates = false;           // of kOrigin
  double least_code = kReusedCode;  // of kCode: from which similarity on longer texts are accepted, above 0, at most 1
  const Commonness* common = nullptr;  // of kContent: of the corpus; must outlive all that compares by the rule
  /// Whether it is the same rule, whatever it knows of a corpus.
  bool operator==(const Rule& other) const {
    return kind == other.kind && threshold == other.threshold && templates == other.templates &&
           least_code == other.least_code;
  }
};
/// Returns whether the rule looks at numbers, and wants tokens that are token::marked_hash().
[[nodiscard]] inline bool looks_at_numbers(const Rule& rule) {
  return rule.kind == Rule::Kind::kContent || rule.templates;
}
/// Returns whether the rule compares two short texts by their characters instead (short_texts.h).
[[nodiscard]] inline bool looks_at_characters(const Rule& rule) {
  return rule.kind == Rule::Kind::kContent || rule.kind == Rule::Kind::kOrigin;
}
/// Reads "content", "origin", "code", "code:0.6", "none" or "jaccard:0.8"; templates is false. Errors:
/// kInvalidArgument.
[[nodiscard]] Result<Rule> rule_from_string(std::string_view text);
/// Returns what follows --verify on a command line for this rule: the form that rule_from_string reads back as the same
/// rule, and " --templates" behind it where that is asked for.
[[nodiscard]] std::string to_string(const Rule& rule);

struct Verdict {
  bool similar = false;
  bool exact = true;     // false: the pair was dismissed early, and `similarity` bounds its Jaccard similarity (for
                         // kContent J3, not content_similarity()) from above; or `similarity` is an estimate
  float similarity = 0;  // what the rule looked at, 0..1: content_similarity(), or a Jaccard similarity; for kNone J3
  bool other_numbers = false;  // with templates: similar enough, but refused for the numbers
  bool operator==(const Verdict&) const = default;
};

/// Numbers at places that both texts have, and how many of them are the same; each number has two places.
struct NumberMatch {
  uint64_t same = 0;
  uint64_t placed = 0;
  bool operator==(const NumberMatch&) const = default;
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
  /// Returns the verdict; of a pair that is not similar, `similarity` may be a bound (see Verdict::exact).
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

/// Returns what origin with templates looks at besides, by the definition itself. Slow likewise.
[[nodiscard]] NumberMatch compare_numbers(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

/// Returns the similarity from which on `rule` accepts two such texts. As slow.
[[nodiscard]] double asked_similarity(const Rule& rule, const std::vector<uint32_t>& a, const std::vector<uint32_t>& b);

}  // namespace neardup::verify
