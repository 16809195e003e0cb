#include "neardup/cli/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/join/bands.h"
#include "neardup/simhash/fingerprinter.h"
#include "neardup/simhash/weight_names.h"

namespace neardup::cli {
namespace {

using verify::Rule;

void add_verdict(Explained& explained, const Rule& rule) {
  for (const RuleVerdict& known : explained.verdicts) {
    if (known.rule == rule) return;
  }
  explained.verdicts.push_back(
      {rule, verify::compare_tokens(rule, explained.texts[0].tokens, explained.texts[1].tokens)});
}

void compare(Explained& explained, const Rule& rule) {
  const ExplainedText& a = explained.texts[0];
  const ExplainedText& b = explained.texts[1];
  explained.exact = a.explanation.checksum == b.explanation.checksum;
  explained.jaccard3 = verify::compare_tokens({Rule::Kind::kOrigin}, a.tokens, b.tokens).similarity;
  explained.jaccard5 = verify::compare_tokens({Rule::Kind::kJaccard}, a.tokens, b.tokens).similarity;
  add_verdict(explained, rule);
  add_verdict(explained, {Rule::Kind::kOrigin});
  add_verdict(explained, {Rule::Kind::kJaccard, 0.8});
  explained.diff = report::diff_words(a.source.text, b.source.text);
}

}  // namespace

Result<std::unique_ptr<Explained>> explain_texts(std::vector<NamedText> texts, const simhash::Recipe& recipe,
                                                 const std::shared_ptr<const feature::Idf>& idf, const Rule& rule) {
  NEARDUP_ASSIGN(auto fingerprinter, simhash::Fingerprinter::create(recipe, idf));
  auto explained = std::make_unique<Explained>();
  explained->recipe = recipe;
  simhash::Print print;
  for (NamedText& text : texts) {
    fingerprinter.fingerprint(text.text, print);
    auto explanation = fingerprinter.explain(text.text);
    if (!print.has_features) print.signature.clear();
    explained->texts.push_back({std::move(text), std::move(explanation), print.tokens, print.signature});
  }
  if (explained->texts.size() == 2) compare(*explained, rule);
  return explained;
}

std::optional<SignatureMatch> match_signatures(const Explained& explained) {
  if (explained.texts.size() != 2) return std::nullopt;
  const auto& a = explained.texts[0].signature;
  const auto& b = explained.texts[1].signature;
  const simhash::MinHashSpec& spec = explained.recipe.minhash;
  const auto bands = join::make_bands(spec.num_values, spec.bands, spec.rows);
  if (a.empty() || b.empty() || !bands) return std::nullopt;
  SignatureMatch match{.num_equal = fingerprint::count_equal(a, b), .num_bands = bands->size()};
  for (const join::Band& band : *bands) {
    match.bands_met += std::all_of(band.begin(), band.end(), [&](uint16_t i) { return a[i] == b[i]; }) ? 1 : 0;
  }
  match.similarity = fingerprint::estimated_jaccard(match.num_equal, a.size());
  match.standard_error = fingerprint::jaccard_error(match.similarity, a.size());
  return match;
}

Result<std::shared_ptr<const feature::Idf>> idf_of_texts(const std::vector<NamedText>& texts, simhash::Recipe& recipe) {
  simhash::Recipe counting = recipe;  // the tokens matter, not the fingerprints
  counting.fingerprints.assign(1, {});
  counting.idf = "none";
  NEARDUP_ASSIGN(auto fingerprinter, simhash::Fingerprinter::create(counting, nullptr));
  feature::IdfBuilder builder;
  for (const NamedText& text : texts) fingerprinter.count_tokens(text.text, builder);
  auto idf = builder.build();
  recipe.idf_id = idf->id();
  return idf;
}

std::vector<int> differing_bits(fingerprint::Fingerprint a, fingerprint::Fingerprint b) {
  std::vector<int> bits;
  for (uint64_t rest = a ^ b; rest != 0; rest &= rest - 1) bits.push_back(std::countr_zero(rest));
  return bits;
}

std::string spec_text(const simhash::FingerprintSpec& spec) {
  std::string text = fmt::format("{}-grams of tokens, weight {}", spec.ngram, simhash::weight_name(spec.weight));
  if (spec.top_n > 0) text += fmt::format(", the {} heaviest", spec.top_n);
  return text;
}

}  // namespace neardup::cli
