// One text or two explained: what holds for every pair, by whatever route, and the pages made of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <random>

#include "neardup/engine/match/short_texts.h"
#include "tests/unit/explain/explained_pair.h"
#include "tests/unit/report/page_check.h"

namespace neardup::explain {
namespace {

using engine::PairRoute;
using nlohmann::json;

const std::string kLong = counted_words("w", 120);
const std::string kLongEdited = counted_words("w", 60) + " edited " + counted_words("w", 59, 61);
const std::string kStranger = counted_words("s", 120);

engine::DedupOptions simhash_options() {
  engine::DedupOptions options;
  options.family = engine::FamilyChoice::kSimHash;
  return options;
}

struct RouteCase {
  const char* name;
  std::string a, b;
  engine::FamilyChoice family;
  PairRoute route;
  const char* verdict;
};

class ExplainRoute : public ::testing::TestWithParam<RouteCase> {
 protected:
  [[nodiscard]] std::unique_ptr<Explained> explained() const {
    engine::DedupOptions options;
    options.family = GetParam().family;
    return explained_of({GetParam().a, GetParam().b}, options);
  }
};

TEST_P(ExplainRoute, IsTheDecisionAndItsName) {
  const auto found = explained();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->decision.route, GetParam().route);
  EXPECT_EQ(found->verdict.name, GetParam().verdict);
  EXPECT_EQ(found->decision.is_removed, found->verdict.name == "exact" || found->verdict.name == "near");
  EXPECT_FALSE(found->verdict.reasons.empty());
  EXPECT_EQ(found->family,
            GetParam().family == engine::FamilyChoice::kSimHash ? recipe::Family::kSimHash : recipe::Family::kMinHash);
}

TEST_P(ExplainRoute, TheRuleAskedForComesFirstAndEachOnce) {
  const auto found = explained();
  ASSERT_TRUE(found);
  ASSERT_GE(found->verdicts.size(), 3U);
  EXPECT_EQ(found->verdicts[0].rule.kind, verify::Rule::Kind::kContent);
  for (size_t i = 0; i < found->verdicts.size(); ++i)
    for (size_t j = 0; j < i; ++j) EXPECT_FALSE(found->verdicts[i].rule == found->verdicts[j].rule);
  for (const RuleVerdict& rule : found->verdicts) {
    EXPECT_GE(rule.verdict.similarity, 0);
    EXPECT_LE(rule.verdict.similarity, 1);
  }
  EXPECT_LE(found->jaccard5, found->jaccard3 + 1e-9) << "longer runs are less often common";
}

TEST_P(ExplainRoute, TheDifferencePutTogetherIsBothTexts) {
  const auto found = explained();
  ASSERT_TRUE(found);
  std::string a, b;
  for (const diff::DiffPiece& piece : found->diff) a += piece.a, b += piece.b;
  EXPECT_EQ(a, found->texts[0].compared);
  EXPECT_EQ(b, found->texts[1].compared);
}

TEST_P(ExplainRoute, EveryPageIsWholeAndSaysTheVerdict) {
  const auto found = explained();
  ASSERT_TRUE(found);
  for (const Style& style : {Style{}, Style{.top = 0, .bits = true, .details = true}, Style{.top = 1, .color = true}}) {
    const std::string page = explain_page(*found, style);
    EXPECT_NE(page.find(found->verdict.title), std::string::npos);
    for (const std::string& reason : found->verdict.reasons) EXPECT_NE(page.find(reason), std::string::npos) << reason;
    EXPECT_NE(page.find(recipe::recipe_id(found->recipe)), std::string::npos);
    EXPECT_EQ(page.find('\x1b') != std::string::npos, style.color);
    EXPECT_EQ(report::check_page(explain_html(*found, style)).error, "");
  }
}

TEST_P(ExplainRoute, JsonHoldsTheDecision) {
  const auto found = explained();
  ASSERT_TRUE(found);
  const std::string text = explain_json(*found);
  EXPECT_EQ(std::ranges::count(text, '\n'), 1) << "one object and a line feed";
  const json object = json::parse(text);
  EXPECT_EQ(object["decision"]["route"], engine::name_of(GetParam().route));
  EXPECT_EQ(object["decision"]["removed"], found->decision.is_removed);
  EXPECT_EQ(object["decision"]["verdict"], found->verdict.name);
  EXPECT_EQ(object["documents"].size(), 2U);
  EXPECT_EQ(object.contains("content"), found->content.has_value());
}

using engine::FamilyChoice;
INSTANTIATE_TEST_SUITE_P(
    Each, ExplainRoute,
    ::testing::Values(
        RouteCase{"equal", kLong, kLong, FamilyChoice::kMinHash, PairRoute::kExact, "exact"},
        RouteCase{"equal_but_for_case", kLong, "  " + std::string("W") + kLong.substr(1), FamilyChoice::kMinHash,
                  PairRoute::kExact, "exact"},
        RouteCase{"edited", kLong, kLongEdited, FamilyChoice::kMinHash, PairRoute::kMinHash, "near"},
        RouteCase{"strangers", kLong, kStranger, FamilyChoice::kMinHash, PairRoute::kMinHash, "not_similar"},
        RouteCase{"edited_simhash", kLong, kLongEdited, FamilyChoice::kSimHash, PairRoute::kSimHash, "near"},
        RouteCase{"strangers_simhash", kLong, kStranger, FamilyChoice::kSimHash, PairRoute::kSimHash, "not_similar"},
        RouteCase{"short_equal_but_for_a_letter", "the quick brown fox jumps over the lazy dog tonight",
                  "the quick brown fox jumps over the lazy dog tonigth", FamilyChoice::kMinHash, PairRoute::kCharacters,
                  "near"},
        RouteCase{"short_strangers", "the quick brown fox jumps over the dog",
                  "an entirely different sentence about the weather", FamilyChoice::kMinHash, PairRoute::kCharacters,
                  "not_similar"},
        RouteCase{"nothing_in_one", "...", kLong, FamilyChoice::kMinHash, PairRoute::kTooShort, "too_short"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(ExplainTexts, OneTextHasNoDecision) {
  const auto found = explained_of({kLong});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->texts.size(), 1U);
  EXPECT_TRUE(found->diff.empty());
  EXPECT_TRUE(found->verdicts.empty());
  EXPECT_FALSE(is_by_characters(*found));
  EXPECT_EQ(found->texts[0].signature.size(), static_cast<size_t>(found->recipe.minhash.num_values));
  EXPECT_EQ(report::check_page(explain_html(*found, {})).error, "");
  EXPECT_EQ(json::parse(explain_json(*found))["documents"].size(), 1U);
  EXPECT_EQ(explain_page(*found, {}).find("Difference"), std::string::npos);
}

TEST(ExplainTexts, FingerprintsAreThoseOfTheFingerprinter) {
  engine::DedupOptions options = simhash_options();
  const auto idf = engine::idf_of_texts({kLong, kLongEdited}, options.recipe);
  ASSERT_TRUE(idf);
  const auto found = explain_these({kLong, kLongEdited}, options, *idf);
  ASSERT_TRUE(found);
  auto fingerprinter = recipe::Fingerprinter::create((*found)->recipe, *idf);
  ASSERT_TRUE(fingerprinter) << fingerprinter.error().message;
  for (const ExplainedText& text : (*found)->texts) {
    recipe::TextFingerprint made;
    fingerprinter->fingerprint(text.source.text, made);
    ASSERT_EQ(text.explanation.fingerprints.size(), made.fingerprints.size());
    for (size_t i = 0; i < made.fingerprints.size(); ++i)
      EXPECT_EQ(text.explanation.fingerprints[i].fingerprint, made.fingerprints[i]);
    EXPECT_EQ(text.explanation.checksum, made.checksum);
  }
}

TEST(ExplainTexts, DistancesOfTheDecisionAreThoseOfTheFingerprints) {
  const auto found = explained_of({kLong, kLongEdited}, simhash_options());
  ASSERT_TRUE(found);
  const auto &a = found->texts[0].explanation.fingerprints, &b = found->texts[1].explanation.fingerprints;
  ASSERT_EQ(found->decision.distances.size(), a.size());
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_EQ(found->decision.distances[i], std::popcount(a[i].fingerprint ^ b[i].fingerprint));
}

TEST(ExplainTexts, TheSignatureMatchCountsEqualValues) {
  const auto found = explained_of({kLong, kLongEdited});
  ASSERT_TRUE(found && found->match);
  const auto &a = found->texts[0].signature, &b = found->texts[1].signature;
  size_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(found->match->equal[i], a[i] == b[i]);
    equal += a[i] == b[i];
  }
  EXPECT_EQ(found->match->num_equal, equal);
  EXPECT_EQ(found->match->num_bands_met, static_cast<size_t>(std::ranges::count(found->match->bands, true)));
  EXPECT_NEAR(found->match->jaccard, found->jaccard3, 0.2);
}

TEST(ExplainTexts, ShortTextsAreSignedByTheirCharacters) {
  const auto found = explained_of({"a few words of one sentence here", "a few words of one sentence there"});
  ASSERT_TRUE(found);
  ASSERT_TRUE(is_by_characters(*found));
  EXPECT_EQ(signed_as(*found), engine::short_text_spec());
  EXPECT_EQ(found->texts[0].signature.size(), static_cast<size_t>(signed_as(*found).num_values));
  EXPECT_FALSE(found->content) << "content decides by characters here";
}

TEST(ExplainTexts, TheVerdictDoesNotDependOnTheOrder) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 12; ++round) {
    const std::string a = counted_words("w", 20 + static_cast<int>(random() % 60));
    const std::string b = counted_words("w", 10, static_cast<int>(random() % 30)) + " " +
                          counted_words("w", 20 + static_cast<int>(random() % 60));
    const auto ab = explained_of({a, b}), ba = explained_of({b, a});
    ASSERT_TRUE(ab && ba);
    EXPECT_EQ(ab->verdict.name, ba->verdict.name);
    EXPECT_EQ(ab->decision.verdict, ba->decision.verdict);
    EXPECT_EQ(ab->jaccard3, ba->jaccard3);
  }
}

TEST(ExplainTexts, TemplatesCountNumbersAtTheirPlaces) {
  engine::DedupOptions options;
  options.verify = *verify::rule_from_string("origin");
  options.verify.templates = true;
  const std::string head = counted_words("h", 40), tail = counted_words("t", 40);
  const auto found = explained_of({head + " on day 17 of " + tail, head + " on day 18 of " + tail}, options);
  ASSERT_TRUE(found && found->numbers);
  EXPECT_GT(found->numbers->placed, 0U);
  EXPECT_EQ(found->numbers->same, 0U);
  EXPECT_TRUE(found->decision.verdict.other_numbers);
  EXPECT_NE(explain_page(*found, {}).find(numbers_line(*found->numbers)), std::string::npos);
}

TEST(ExplainTexts, ErrorsAreThoseOfTheFingerprinter) {
  engine::DedupOptions options = simhash_options();
  options.recipe = *recipe::find_recipe("paper");
  const auto no_idf = explain_these({kLong}, options);
  ASSERT_FALSE(no_idf);
  EXPECT_EQ(no_idf.error().code, Code::kInvalidArgument);
  options.recipe = *recipe::find_recipe("minhash");
  EXPECT_FALSE(explain_these({kLong}, options)) << "no fingerprints to show";
}

TEST(DiffPage, EqualWordsAreSaidToBe) {
  EXPECT_EQ(diff_page({}, {}), "  the words are the same\n");
  EXPECT_EQ(diff_page(diff::diff_words("one two", "one  two\n"), {}), "  the words are the same\n");
}

TEST(DiffPage, MarksWhatOnlyOneHas) {
  const std::string page = diff_page(diff::diff_words("one two three four", "one 2 three four"), {});
  EXPECT_NE(page.find("one [-two-] {+2+} three four"), std::string::npos) << page;
  const std::string colored = diff_page(diff::diff_words("one two three", "one 2 three"), {.color = true});
  EXPECT_NE(colored.find("\x1b[31mtwo\x1b[0m"), std::string::npos);
  EXPECT_NE(colored.find("\x1b[32m2\x1b[0m"), std::string::npos);
}

TEST(DiffPage, LongEqualStretchesAndChangesLoseTheirMiddle) {
  const std::string page = diff_page(diff::diff_words(kLong + " a " + kStranger, kLong + " b " + kStranger), {});
  EXPECT_NE(page.find("equal characters ..."), std::string::npos) << page;
  const std::string change = diff_page(diff::diff_words("x", "x " + kStranger), {});
  EXPECT_NE(change.find(" more ... "), std::string::npos) << change;
  EXPECT_EQ(diff_page(diff::diff_words("x", "x " + kStranger), {.details = true}).find(" more ... "),
            std::string::npos);
}

TEST(DiffPage, ChangesBeyondAScreenAreCounted) {
  std::string a, b;
  for (int i = 0; i < 100; ++i) {
    a += counted_words("same", 9, 9 * i) + " old" + std::to_string(i) + "\n";
    b += counted_words("same", 9, 9 * i) + " new" + std::to_string(i) + "\n";
  }
  const auto pieces = diff::diff_words(a, b);
  const std::string page = diff_page(pieces, {}), whole = diff_page(pieces, {.details = true});
  const auto changes = [](const std::string& text) {
    size_t count = 0;
    for (size_t at = 0; (at = text.find("[-", at)) != std::string::npos; ++at) ++count;
    for (size_t at = 0; (at = text.find("{+", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  EXPECT_EQ(changes(whole), 200U);
  const std::string rest = "  ... and " + std::to_string(200 - changes(page)) + " more changes\n";
  EXPECT_TRUE(page.ends_with(rest)) << page;
}

TEST(DiffPage, WordsThatOnlyFoldingMadeEqualAreCounted) {
  const auto lower = [](std::string_view word) {
    std::string folded(word);
    std::ranges::transform(folded, folded.begin(), [](unsigned char c) { return std::tolower(c); });
    return folded;
  };
  const std::string page = diff_page(diff::diff_words("One Two", "one two", diff::kDefaultDiffSteps, lower), {});
  EXPECT_NE(page.find("2 words differently written, the same to the recipe"), std::string::npos) << page;
}

}  // namespace
}  // namespace neardup::explain
