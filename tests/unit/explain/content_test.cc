// What the rule content looks at, of texts whose common parts are known.
#include "neardup/explain/content.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "neardup/verify/definition.h"
#include "tests/unit/explain/explained_pair.h"

namespace neardup::explain {
namespace {

ContentMatch content_of(const std::string& a, const std::string& b) {
  const SeenText seen_a(a), seen_b(b);
  return match_content(seen_a.content(), seen_b.content(), nullptr);
}

TEST(ContentMatch, OfEqualTextsIsAllAndNothingAlone) {
  const std::string text = counted_words("w", 40);
  const ContentMatch match = content_of(text, text);
  EXPECT_DOUBLE_EQ(match.share, 1);
  EXPECT_DOUBLE_EQ(match.jaccard3, 1);
  EXPECT_DOUBLE_EQ(match.similarity, 1);
  EXPECT_EQ(match.num_common, 38U) << "3-grams of 40 different words";
  EXPECT_FALSE(match.has_corpus);
  for (const ContentSide& side : match.only) {
    EXPECT_TRUE(side.runs.empty());
    EXPECT_EQ(side.num_runs + side.num_numbers, 0U);
  }
}

TEST(ContentMatch, TheEndOfATitleIsNoWord) {
  const std::string text = counted_words("w", 40);
  const auto page = [&](const std::string& title) {
    return "<html><head><title>" + title + "</title></head><body><p>" + text + "</body></html>";
  };
  const ContentMatch match = content_of(page("one title"), page("another title"));
  ASSERT_EQ(match.only[0].runs.size(), 1U);
  EXPECT_EQ(match.only[0].runs[0].text, "one");
  EXPECT_EQ(match.only[1].runs[0].text, "another");
  const ContentMatch beside_text = content_of(page("one title"), "one title " + text);
  ASSERT_EQ(beside_text.only[0].runs.size(), 1U);
  EXPECT_EQ(beside_text.only[0].runs[0].text, "one title") << "other words follow";
}

TEST(ContentMatch, OfStrangersIsNothing) {
  const ContentMatch match = content_of(counted_words("w", 40), counted_words("v", 30));
  EXPECT_EQ(match.similarity, 0);
  EXPECT_EQ(match.num_common, 0U);
  ASSERT_EQ(match.only[0].runs.size(), 1U);
  EXPECT_EQ(match.only[0].runs[0].text, counted_words("w", 40));
  EXPECT_EQ(match.only[0].runs[0].num_tokens, 40U);
  EXPECT_NEAR(match.only[0].runs[0].weight + match.only[1].runs[0].weight, 1, 1e-9);
}

TEST(ContentMatch, OfNothingIsNothing) {
  const ContentMatch match = content_of("", "");
  EXPECT_EQ(match.share, 0);
  EXPECT_EQ(match.jaccard3, 0);
  EXPECT_FALSE(match.why.empty());
  EXPECT_EQ(content_of("", counted_words("w", 5)).only[1].num_runs, 1U);
}

TEST(ContentMatch, WithoutACorpusTheShareIsJaccardOfThreeGrams) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 50; ++round) {
    std::string a, b;
    for (int i = 0; i < 60; ++i) {
      const std::string word = counted_words("w", 1, static_cast<int>(random() % 30)) + " ";
      a += word;
      b += random() % 8 == 0 ? counted_words("v", 1, static_cast<int>(random() % 30)) + " " : word;
    }
    const SeenText seen_a(a), seen_b(b);
    const ContentMatch match = match_content(seen_a.content(), seen_b.content(), nullptr);
    const double expected =
        verify::compare_tokens({verify::Rule::Kind::kOrigin}, seen_a.tokens, seen_b.tokens).similarity;
    EXPECT_NEAR(match.jaccard3, expected, 1e-6);
    EXPECT_NEAR(match.share, expected, 1e-6);
    EXPECT_GE(match.similarity, 0);
    EXPECT_LE(match.similarity, 1);
  }
}

TEST(ContentMatch, ARunIsWhatNoCommonThreeGramCovers) {
  const std::string head = counted_words("h", 20), tail = counted_words("t", 20);
  const ContentMatch match = content_of(head + " one two three four " + tail, head + " five " + tail);
  ASSERT_EQ(match.only[0].runs.size(), 1U);
  EXPECT_EQ(match.only[0].runs[0].text, "one two three four");
  EXPECT_EQ(match.only[0].runs[0].num_tokens, 4U);
  ASSERT_EQ(match.only[1].runs.size(), 1U);
  EXPECT_EQ(match.only[1].runs[0].text, "five");
  EXPECT_GT(match.only[0].runs[0].weight, match.only[1].runs[0].weight);
}

// Islands of strange words in a common text: runs of growing length, so the last ones weigh most.
std::string with_islands(int count) {
  std::string text = counted_words("c", 10);
  for (int i = 0; i < count; ++i)
    text += " " + counted_words("i", 1 + i, 100 * (i + 1)) + " " + counted_words("c", 10, 10 * (i + 1));
  return text;
}

TEST(ContentMatch, RunsAreTheHeaviestFirstAndAtMostSix) {
  const ContentMatch match = content_of(with_islands(9), counted_words("c", 100));
  EXPECT_EQ(match.only[0].num_runs, 9U);
  ASSERT_EQ(match.only[0].runs.size(), kMostRuns);
  EXPECT_EQ(match.only[0].runs[0].num_tokens, 9U);
  EXPECT_TRUE(std::ranges::is_sorted(match.only[0].runs, std::ranges::greater(), &ContentRun::weight));
}

TEST(ContentMatch, EveryNgramOfAnIslandIsInItsRun) {
  for (int count = 1; count <= static_cast<int>(kMostRuns); ++count) {
    const SeenText with(with_islands(count)), without(counted_words("c", 100));
    const ContentMatch match = match_content(with.content(), without.content(), nullptr);
    ASSERT_EQ(match.only[0].num_runs, static_cast<uint64_t>(count));
    double sum = 0;
    for (const ContentRun& run : match.only[0].runs) sum += run.weight;
    const double in_either = static_cast<double>(match.num_common) / match.jaccard3;
    EXPECT_NEAR(sum * in_either, static_cast<double>(with.tokens.size() - 2 - match.num_common), 1e-6);
  }
}

TEST(ContentMatch, NumbersOfOneTextAloneInItsOrder) {
  const std::string words = counted_words("w", 30);
  const ContentMatch match = content_of("1999 " + words + " 7 and 12 and 7", words + " 7 and 8");
  EXPECT_EQ(match.only[0].numbers, (std::vector<std::string>{"1999", "12", "7"})) << "the second 7 has no partner";
  EXPECT_EQ(match.only[1].numbers, std::vector<std::string>{"8"});
  EXPECT_EQ(match.numbers.fewer, 2U);
  EXPECT_EQ(match.numbers.common, 1U);
}

TEST(ContentMatch, OfManyNumbersTwelveAreNamedAndAllCounted) {
  std::string text = counted_words("w", 10);
  for (int i = 100; i < 130; ++i) text += " " + std::to_string(i);
  const ContentMatch match = content_of(text, counted_words("w", 10));
  EXPECT_EQ(match.only[0].numbers.size(), kMostNumbers);
  EXPECT_EQ(match.only[0].numbers[0], "100");
  EXPECT_EQ(match.only[0].num_numbers, 30U);
}

struct WhyCase {
  const char* name;
  std::string a, b;
  const char* words;
};

class ContentWhy : public ::testing::TestWithParam<WhyCase> {};

TEST_P(ContentWhy, ASentenceSaysIt) {
  const ContentMatch match = content_of(GetParam().a, GetParam().b);
  std::string all;
  for (const std::string& sentence : match.why) {
    EXPECT_TRUE(sentence.ends_with('.') || sentence.ends_with("does.")) << sentence;
    all += sentence + "\n";
  }
  EXPECT_NE(all.find(GetParam().words), std::string::npos) << all;
}

const std::string kCommon = counted_words("c", 60);
INSTANTIATE_TEST_SUITE_P(
    Each, ContentWhy,
    ::testing::Values(
        WhyCase{"nothing_common", kCommon, counted_words("x", 60), "Other substance: counted alike, 0.000 of"},
        WhyCase{"the_same", kCommon + " " + counted_words("a", 10), kCommon, "the rule calls that the same"},
        WhyCase{"no_corpus", kCommon, kCommon, "no corpus says which are common"},
        WhyCase{"numbers_of_one", kCommon + " 17", kCommon, "Only one of them has numbers"},
        WhyCase{"one_number_kept", kCommon + " 17", kCommon + " 17 18",
                "The one number of the text that has fewer is in"},
        WhyCase{"all_numbers_kept", kCommon + " 17 18", kCommon + " 17 18 19",
                "All 2 numbers of the one that has fewer"},
        WhyCase{"one_number_lost", kCommon + " 17", kCommon + " 18", "is not in the other: that takes"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(ContentMatch, OtherNumbersTakeSimilarityAway) {
  const std::string words = counted_words("c", 80);
  const double same = content_of(words + " 1 2 3 4 5 6", words + " 1 2 3 4 5 6 x").similarity;
  const double other = content_of(words + " 1 2 3 4 5 6", words + " 7 8 9 10 11 12 x").similarity;
  EXPECT_LT(other, same);
}

TEST(ContentMatch, IsTheSameFromBothSides) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 20; ++round) {
    const std::string a = with_islands(static_cast<int>(random() % 8)) + " " + std::to_string(random() % 9);
    const std::string b = with_islands(static_cast<int>(random() % 8)) + " " + std::to_string(random() % 9);
    const ContentMatch ab = content_of(a, b), ba = content_of(b, a);
    EXPECT_EQ(ab.similarity, ba.similarity);
    EXPECT_EQ(ab.num_common, ba.num_common);
    EXPECT_EQ(ab.only[0].num_runs, ba.only[1].num_runs);
    EXPECT_EQ(ab.only[1].numbers, ba.only[0].numbers);
    EXPECT_EQ(ab.why, ba.why);
  }
}

TEST(ContentPage, AFewRunsAndWithDetailsAll) {
  const ContentMatch match = content_of(with_islands(9), counted_words("c", 100));
  const std::string few = content_page(match, false), all = content_page(match, true);
  EXPECT_NE(few.find("and 6 runs that weigh less"), std::string::npos) << few;
  EXPECT_NE(all.find("and 3 runs that weigh less"), std::string::npos) << all;
  EXPECT_GT(std::ranges::count(all, '\n'), std::ranges::count(few, '\n'));
  for (size_t begin = 0; begin < few.size(); begin = few.find('\n', begin) + 1)
    EXPECT_TRUE(few.substr(begin).starts_with("  ")) << "indented by two";
}

TEST(ContentPage, IsHarmlessWhateverTheTextHolds) {
  const std::string page =
      content_page(content_of("<b>bold \x1b[31m</b> & " + counted_words("a", 9), counted_words("b", 9)), true);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  const std::string html = content_html(content_of("<b>bold</b> & " + counted_words("a", 9), counted_words("b", 9)));
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_TRUE(html.starts_with("<section>") && html.ends_with("</section>\n"));
}

TEST(ContentJson, HoldsWhatTheMatchHolds) {
  const ContentMatch match = content_of(with_islands(3) + " 17", counted_words("c", 40) + " 18 19");
  std::string json = "{\"first\":1";
  append_content_json(json, match);
  const nlohmann::json parsed = nlohmann::json::parse(json + "}")["content"];
  EXPECT_NEAR(parsed["similarity"], match.similarity, 1e-9);
  EXPECT_NEAR(parsed["share"], match.share, 1e-9);
  EXPECT_EQ(parsed["numbers"]["fewer"], match.numbers.fewer);
  EXPECT_EQ(parsed["common_ngrams"], match.num_common);
  EXPECT_TRUE(parsed["corpus_texts"].is_null());
  EXPECT_TRUE(parsed["frequent_ngrams"].is_null());
  EXPECT_EQ(parsed["only_a"]["runs"].size(), match.only[0].runs.size());
  EXPECT_EQ(parsed["only_a"]["runs"][0]["text"], match.only[0].runs[0].text);
  EXPECT_EQ(parsed["only_b"]["numbers"], (std::vector<std::string>{"18", "19"}));
  EXPECT_EQ(parsed["why"].size(), match.why.size());
}

}  // namespace
}  // namespace neardup::explain
