// When a candidate pair is accepted.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace neardup::verify
