// explain: one document or two in words and figures: features, votes, fingerprints, similarity, verdict, differences.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "neardup/diff/diff.h"
#include "neardup/engine/chosen_families.h"
#include "neardup/engine/match/pair_decision.h"
#include "neardup/explain/content.h"
#include "neardup/explain/verdict.h"
#include "neardup/feature/idf.h"
#include "neardup/recipe/explain.h"
#include "neardup/recipe/spec.h"
#include "neardup/verify/rule.h"
#include "neardup/verify/verdict.h"

namespace neardup::explain {

/// A text and what to call it.
struct NamedText {
  std::string name;
  std::string text;
  std::string within = {};  // value of the --within field, where one is asked for
};

struct ExplainedText {
  NamedText source;
  std::string compared;             // what of it is compared: engine::shown_text()
  recipe::Explanation explanation;  // with fingerprints where SimHash is shown
  std::vector<uint32_t> tokens;
  std::vector<uint16_t> signature;   // where MinHash is shown and the text has features; is_by_characters(): of these
  std::vector<uint32_t> short_text;  // TextFingerprint::short_text, of two texts
};

struct RuleVerdict {
  verify::Rule rule;
  verify::Verdict verdict;
  bool by_characters = false;  // both texts are short, and the rule looks at their characters
};

struct Explained {
  recipe::Recipe recipe;
  recipe::Family family = recipe::Family::kMinHash;  // that dedup takes
  std::vector<ExplainedText> texts;                  // one or two
  // Of two texts:
  engine::PairDecision decision;  // what dedup makes of them
  VerdictText verdict;
  double jaccard3 = 0, jaccard5 = 0;           // of the sets of token 3-grams and 5-grams
  std::vector<RuleVerdict> verdicts;           // the rule asked for first
  std::optional<verify::NumberMatch> numbers;  // at their places, where that rule looks at these
  std::optional<ContentMatch> content;         // where that rule is content, and decides
  // Of the signatures of tokens, where MinHash is shown; of short texts those of characters, by which dedup finds them.
  std::optional<engine::SignatureMatch> match;
  std::vector<diff::DiffPiece> diff;  // of the texts that were compared: views into them
};

/// `options`: recipe, family, distance, IDF file, rule, within_key and size_within as dedup is given them,
/// verify.common as it learns it; where that is null all n-grams weigh the same. Requires: one or two texts. Errors:
/// those of Fingerprinter::create, and of settle_family().
[[nodiscard]] Result<std::unique_ptr<Explained>> explain_texts(std::vector<NamedText> texts,
                                                               const engine::DedupOptions& options,
                                                               const engine::ShownFamilies& shown,
                                                               const std::shared_ptr<const feature::Idf>& idf);

/// Returns whether two texts are short ones that dedup compares by their characters.
[[nodiscard]] bool is_by_characters(const Explained& explained);
/// Returns how the signatures of explained.match are made: those of the recipe, or of short texts.
[[nodiscard]] recipe::MinHashSpec signed_as(const Explained& explained);

/// How much of it is shown.
struct Style {
  size_t top = 20;       // features; 0 = all
  bool bits = false;     // what made each bit
  bool details = false;  // all features, votes, signatures and the whole difference
  bool color = false;
};
/// The page for people: the verdict first, one or two screens without details.
[[nodiscard]] std::string explain_page(const Explained& explained, const Style& style);
/// The same and more as an HTML page, whole without network and script.
[[nodiscard]] std::string explain_html(const Explained& explained, const Style& style);
/// One JSON object with everything, and a line feed.
[[nodiscard]] std::string explain_json(const Explained& explained);
/// The difference of the two texts: changes with some text around; "[-removed-]" and "{+added+}", or in colours.
/// Without style.details about a screen of it. Harmless to the terminal.
[[nodiscard]] std::string diff_page(const std::vector<diff::DiffPiece>& pieces, const Style& style);

/// Returns sentences about what of the document was looked at, and what was masked, dropped and stemmed; none where all
/// of it was taken as it is.
[[nodiscard]] std::vector<std::string> extraction_lines(const recipe::Explanation& explanation);

/// Returns "of 26 places of numbers that both texts have, 2 hold the same (--templates asks for 7 of 10)".
[[nodiscard]] std::string numbers_line(const verify::NumberMatch& match);
/// Returns "similar", "not similar" or why not.
[[nodiscard]] std::string verdict_text(const verify::Verdict& verdict);

/// Returns the bits in which `a` and `b` differ, ascending.
[[nodiscard]] std::vector<int> differing_bits(fingerprint::Fingerprint a, fingerprint::Fingerprint b);
/// Returns "2-grams, weight binary".
[[nodiscard]] std::string spec_text(const recipe::FingerprintSpec& spec);

}  // namespace neardup::explain
