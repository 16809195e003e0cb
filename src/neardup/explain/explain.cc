#include "neardup/explain/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>

#include "neardup/base/sizes.h"
#include "neardup/engine/match/short_texts.h"
#include "neardup/engine/read/family.h"
#include "neardup/engine/write/shown_text.h"
#include "neardup/explain/changed_words.h"
#include "neardup/recipe/fingerprinter.h"
#include "neardup/recipe/weight_names.h"
#include "neardup/verify/definition.h"
#include "neardup/verify/short_texts.h"

namespace neardup::explain {
namespace {

using verify::Rule;

void add_verdict(Explained& explained, const Rule& rule) {
  for (const RuleVerdict& known : explained.verdicts) {
    if (known.rule == rule) return;
  }
  const ExplainedText &a = explained.texts[0], &b = explained.texts[1];
  const bool by_characters = verify::looks_at_characters(rule) && !a.short_text.empty() && !b.short_text.empty();
  explained.verdicts.push_back({rule,
                                by_characters ? verify::compare_short_texts(rule, a.short_text, b.short_text)
                                              : verify::compare_tokens(rule, a.tokens, b.tokens),
                                by_characters});
}

void compare(Explained& explained, const Rule& rule) {
  const ExplainedText& a = explained.texts[0];
  const ExplainedText& b = explained.texts[1];
  explained.jaccard3 = verify::compare_tokens({Rule::Kind::kOrigin}, a.tokens, b.tokens).similarity;
  explained.jaccard5 = verify::compare_tokens({Rule::Kind::kJaccard}, a.tokens, b.tokens).similarity;
  if (rule.templates) explained.numbers = verify::compare_numbers(a.tokens, b.tokens);
  const bool decides = explained.decision.route == engine::PairRoute::kMinHash ||
                       explained.decision.route == engine::PairRoute::kSimHash;
  if (rule.kind == Rule::Kind::kContent && decides)
    explained.content = match_content({a.explanation, a.tokens}, {b.explanation, b.tokens}, rule.common);
  add_verdict(explained, rule);
  add_verdict(explained, {Rule::Kind::kOrigin});
  add_verdict(explained, {Rule::Kind::kJaccard, 0.8});
  explained.diff =
      diff::diff_words(a.compared, b.compared, diff::kDefaultDiffSteps, engine::fold_word_of(explained.recipe));
}

// What dedup makes of the two, fingerprinted as it does it.
Status decide(Explained& explained, engine::DedupOptions options, const std::shared_ptr<const feature::Idf>& idf) {
  NEARDUP_TRY(engine::settle_family(options, explained.family));
  NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(options.recipe, idf));
  recipe::TextFingerprint fingerprints[2];
  for (size_t i = 0; i < 2; ++i) {
    fingerprinter.fingerprint(explained.texts[i].source.text, fingerprints[i]);
    explained.texts[i].short_text = fingerprints[i].short_text;
  }
  const bool same_within = explained.texts[0].source.within == explained.texts[1].source.within;
  NEARDUP_ASSIGN(explained.decision, engine::decide_pair(fingerprints[0], fingerprints[1], options, same_within));
  explained.verdict =
      verdict_text(explained.decision, options, explained.texts[0].explanation, explained.texts[1].explanation);
  return {};
}

}  // namespace

Result<std::unique_ptr<Explained>> explain_texts(std::vector<NamedText> texts, const engine::DedupOptions& options,
                                                 const engine::ShownFamilies& shown,
                                                 const std::shared_ptr<const feature::Idf>& idf) {
  auto explained = std::make_unique<Explained>();
  explained->recipe = options.recipe;
  explained->family = engine::family_of_run(options);
  NEARDUP_TRY(
      recipe::take_family(explained->recipe, shown.simhash ? recipe::Family::kSimHash : recipe::Family::kMinHash));
  explained->recipe.minhash = options.recipe.minhash;  // which is shown beside
  recipe::Recipe signing = options.recipe;
  NEARDUP_TRY(recipe::take_family(signing, recipe::Family::kMinHash));
  signing.mark_numbers = true;
  NEARDUP_ASSIGN(auto fingerprinter, recipe::Fingerprinter::create(explained->recipe, idf));
  NEARDUP_ASSIGN(auto signer, recipe::Fingerprinter::create(signing, nullptr));
  recipe::TextFingerprint text_fingerprint;
  for (NamedText& text : texts) {
    signer.fingerprint(text.text, text_fingerprint);
    auto explanation = fingerprinter.explain(text.text);
    const bool is_signed = shown.minhash && text_fingerprint.has_features;
    std::string compared = engine::shown_text(options.recipe, text.text);
    explained->texts.push_back({std::move(text),
                                std::move(compared),
                                std::move(explanation),
                                text_fingerprint.tokens,
                                is_signed ? text_fingerprint.signature : std::vector<uint16_t>(),
                                {}});
  }
  if (explained->texts.size() != 2) return explained;
  NEARDUP_TRY(decide(*explained, options, idf));
  compare(*explained, options.verify);
  if (is_by_characters(*explained)) {
    for (ExplainedText& text : explained->texts) text.signature = engine::short_text_signature(text.short_text);
    explained->match = explained->decision.match;
    return explained;
  }
  const std::vector<uint16_t>&a = explained->texts[0].signature, &b = explained->texts[1].signature;
  if (a.empty() || b.empty()) return explained;
  NEARDUP_ASSIGN(explained->match, engine::match_signatures(options.recipe.minhash, a, b));
  return explained;
}

bool is_by_characters(const Explained& explained) {
  return explained.texts.size() == 2 && explained.decision.route == engine::PairRoute::kCharacters;
}

recipe::MinHashSpec signed_as(const Explained& explained) {
  return is_by_characters(explained) ? engine::short_text_spec() : explained.recipe.minhash;
}

std::vector<std::string> extraction_lines(const recipe::Explanation& explanation) {
  constexpr size_t kShown = 3;
  std::vector<std::string> lines;
  if (explanation.is_page) {
    lines.push_back(fmt::format("a page in {}: {} bytes of main text in {} bytes", explanation.encoding,
                                human_count(explanation.extracted_bytes), human_count(explanation.given_bytes)));
  } else if (explanation.is_manual) {
    lines.push_back(fmt::format("the source of a manual page: {} bytes of what man shows in {} bytes",
                                human_count(explanation.extracted_bytes), human_count(explanation.given_bytes)));
  } else if (!explanation.encoding.empty() && explanation.encoding != "UTF-8") {
    lines.push_back(fmt::format("text in {}", explanation.encoding));
  }
  if (explanation.preamble_bytes > 0)
    lines.push_back(fmt::format("preamble left out: {} bytes", human_count(explanation.preamble_bytes)));
  if (explanation.quoted_lines > 0)
    lines.push_back(fmt::format("quoted lines left out: {}", human_count(explanation.quoted_lines)));
  std::map<std::string_view, std::vector<std::string>> by_kind;
  for (const recipe::MaskedText& part : explanation.masked) by_kind[part.kind].push_back(part.text);
  for (auto& [kind, texts] : by_kind) {
    const size_t count = texts.size();
    texts.resize(std::min(count, kShown));
    lines.push_back(fmt::format("masked {}: {} ({}{})", kind, human_count(count), fmt::join(texts, ", "),
                                count > kShown ? ", ..." : ""));
  }
  for (std::string& line : changed_words_lines(explanation.normalized, explanation.tokens))
    lines.push_back(std::move(line));
  return lines;
}

std::string numbers_line(const verify::NumberMatch& match) {
  if (match.placed == 0) return "no number has a place that both texts have: --templates refuses nothing";
  return fmt::format("of {} places of numbers that both texts have, {} hold the same (--templates asks for 7 of 10)",
                     human_count(match.placed), human_count(match.same));
}

std::string verdict_text(const verify::Verdict& verdict) {
  if (verdict.other_numbers) return "not similar: other numbers";
  return verdict.similar ? "similar" : "not similar";
}

std::vector<int> differing_bits(fingerprint::Fingerprint a, fingerprint::Fingerprint b) {
  std::vector<int> bits;
  for (uint64_t rest = a ^ b; rest != 0; rest &= rest - 1) bits.push_back(std::countr_zero(rest));
  return bits;
}

std::string spec_text(const recipe::FingerprintSpec& spec) {
  std::string text = fmt::format("{}-grams of tokens, weight {}", spec.ngram, recipe::weight_name(spec.weight));
  if (spec.top_n > 0) text += fmt::format(", the {} heaviest", spec.top_n);
  return text;
}

}  // namespace neardup::explain
