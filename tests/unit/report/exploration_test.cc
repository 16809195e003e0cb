// The data behind the threshold of the page: what is in it, that nothing in it is markup, and what is left out.
#include "neardup/report/exploration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "neardup/report/figures.h"
#include "neardup/report/render.h"
#include "neardup/report/shortened.h"
#include "tests/unit/report/decoded.h"
#include "tests/unit/report/page_check.h"
#include "tests/unit/report/sample_report.h"

namespace neardup::report::exploration_test {
namespace {

using Json = nlohmann::json;

std::string data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"explore-data\">";
  const size_t from = page.find(begin);
  if (from == page.npos) return "";
  return page.substr(from + begin.size(), page.find("</script>", from) - from - begin.size());
}

// Three documents: b like a, c with the text of b; from a store comes s, and d is like it.
Exploration small_exploration() {
  Exploration exploration;
  exploration.documents = {
      {"s", kNoSource, 10, 0, 0}, {"a", 0, 20, 1, 0}, {"b", 1, 30, 2, 4}, {"c", 1, 40, 2, 0}, {"d", 2, 50, 4, 0}};
  exploration.pairs = {{1, 2, 0.7F, 31}, {0, 4, 0.9999F, static_cast<uint16_t>(kUnknownDistance)}};
  return exploration;
}

Report explored(Exploration exploration) {
  Report report = sample_report();
  report.exploration = std::move(exploration);
  return report;
}

bool is_built_without() { return exploration_assets().script.empty(); }

TEST(Exploration, TheDataIsWhatWasExplored) {
  if (is_built_without()) GTEST_SKIP() << "NEARDUP_WEB=OFF";
  Exploration exploration = small_exploration();
  exploration.has_all_pairs = true;
  exploration.left_out.count_near(0.29F);
  exploration.explain = "neardup explain --input 'a b'";
  const Json data = Json::parse(data_of(to_html(explored(exploration))));
  EXPECT_EQ(data["ids"], Json({"s", "a", "b", "c", "d"}));
  EXPECT_EQ(decoded(data["documents"]),
            (std::vector<uint32_t>{kNoSource, 10, 0, 0, 0, 20, 1, 0, 1, 30, 2, 4, 1, 40, 2, 0, 2, 50, 4, 0}));
  EXPECT_EQ(decoded(data["pairs"]), (std::vector<uint32_t>{1, 2, 7000U << 16 | 31, 0, 4, 9999U << 16 | 0xFFFF}));
  EXPECT_EQ(data["hasAllPairs"], true);
  EXPECT_EQ(data["hasTooManyPairs"], false);
  EXPECT_EQ(data["areComponents"], false);
  EXPECT_EQ(data["explain"], exploration.explain);
  EXPECT_EQ(data["sources"].size(), 3U);
  EXPECT_EQ(data["sources"][0]["near"], 1900);
  EXPECT_EQ(data["total"]["kept"], 9021);
  EXPECT_EQ(data["threshold"], 0.4);
  EXPECT_EQ(data["numExamples"], 7);
  EXPECT_EQ(data["leftOut"]["near"], 1);
  EXPECT_EQ(data["leftOut"]["nearBySimilarity"][29], 1) << "a float just below a hundredth is one";
}

TEST(Exploration, SimilaritiesAreNeverRoundedUpToAThreshold) {
  if (is_built_without()) GTEST_SKIP() << "NEARDUP_WEB=OFF";
  for (int hundredth = 0; hundredth <= 100; ++hundredth) {
    Exploration exploration = small_exploration();
    const auto exactly = static_cast<float>(hundredth / 100.0);
    exploration.pairs = {{1, 2, exactly, 0}, {1, 2, exactly - 2e-5F, 0}};
    const Json data = Json::parse(data_of(to_html(explored(exploration))));
    const std::vector<uint32_t> pairs = decoded(data["pairs"]);
    EXPECT_EQ(pairs[2] >> 16, static_cast<uint32_t>(hundredth) * 100);
    EXPECT_EQ(pairs[5] >> 16, static_cast<uint32_t>(std::max(0, hundredth * 100 - 1)));
  }
  Exploration exploration = small_exploration();
  exploration.pairs = {{1, 2, NAN, 0}, {1, 2, INFINITY, 0}, {1, 2, -1, 0}};
  const std::vector<uint32_t> pairs = decoded(Json::parse(data_of(to_html(explored(exploration))))["pairs"]);
  EXPECT_EQ(pairs[2] >> 16, 0U);
  EXPECT_EQ(pairs[5] >> 16, 10000U);
  EXPECT_EQ(pairs[8] >> 16, 0U);
}

TEST(Exploration, NothingInItIsMarkup) {
  if (is_built_without()) GTEST_SKIP() << "NEARDUP_WEB=OFF";
  for (std::string text :
       {std::string("</script><script>alert(1)</script>"), std::string("<!--<script>"),
        std::string("<img src=x onerror=alert(1)>"), std::string("\0\x1b[2J\r\n\x7f\xff\xfe\xed\xa0\x80", 12),
        std::string("\u202E\u2066\u2028\u2029\uFEFF"), std::string("\\\"\\u003c/script>"), std::string(100000, '<'),
        std::string()}) {
    Exploration exploration = small_exploration();
    for (ExploredDocument& document : exploration.documents) document.id = text;
    exploration.explain = text;
    Report report = explored(exploration);
    for (Tally& source : report.by_input) source.name = text;
    report.verify = text;
    const std::string page = to_html(report);
    PageCheck check = check_page(page);
    EXPECT_EQ(check.error, "") << text;
    EXPECT_EQ(check.num_tags["script"], 2) << "the data and the script";
    const std::string data = data_of(page);
    EXPECT_EQ(data.find('<'), data.npos);
    ASSERT_TRUE(Json::accept(data)) << data.substr(0, 200);
    const std::string id = Json::parse(data)["ids"][0];
    EXPECT_LE(id.size(), 400U) << "an id is cut";
    EXPECT_EQ(id.find("\u202E"), id.npos) << "what is not seen is named";
  }
}

TEST(Exploration, APageWithoutDuplicatesSaysSo) {
  if (is_built_without()) GTEST_SKIP() << "NEARDUP_WEB=OFF";
  const std::string page = to_html(explored({}));
  EXPECT_NE(page.find("No document was removed, so there is no threshold to move."), page.npos);
  EXPECT_EQ(data_of(page), "");
  EXPECT_LT(page.size(), 100000U) << "and is not the larger for it";
}

TEST(Exploration, LimitsKeepTheLargestSetsWholeAndCountTheRest) {
  Exploration exploration;
  for (uint32_t i = 0; i < 10; ++i) exploration.documents.push_back({std::to_string(i), 0, 1, i, 0});
  exploration.documents[3].same_as = 0;
  exploration.pairs = {{0, 1, 0.8F, 1}, {4, 5, 0.6F, 1}, {4, 6, 0.7F, 1}, {2, 7, 0.55F, 1}, {8, 9, 0.5F, 1}};
  const Exploration few = within_limits(exploration, {.documents = 7, .pairs = 100});
  std::vector<std::string> ids;
  for (const ExploredDocument& document : few.documents) ids.push_back(document.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"0", "1", "3", "4", "5", "6"}));
  EXPECT_EQ(few.documents[2].same_as, 0U);
  ASSERT_EQ(few.pairs.size(), 3U);
  EXPECT_EQ(few.pairs[2].better, 3U) << "numbers are those of the documents that are left";
  EXPECT_EQ(few.pairs[2].worse, 5U);
  EXPECT_EQ(few.left_out.clusters, 2U);
  EXPECT_EQ(few.left_out.largest, 2U);
  EXPECT_EQ(few.left_out.kept, 2U);
  EXPECT_EQ(few.left_out.near, 2U);
  EXPECT_EQ(few.left_out.near_by_similarity[55], 1U);
  EXPECT_EQ(within_limits(exploration, {.documents = 10, .pairs = 5}).documents.size(), 10U) << "there is room for all";
  EXPECT_TRUE(within_limits(exploration, {.documents = 0, .pairs = 0}).documents.empty());
}

TEST(Exploration, LimitsHoldForAnyGraphAndLoseNothing) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Exploration exploration;
    const uint32_t count = random() % 40 + 1;
    for (uint32_t i = 0; i < count; ++i) exploration.documents.push_back({std::to_string(i), i % 3, 1, i, 0});
    for (uint32_t i = 1; i < count; ++i)
      if (random() % 2 == 0) exploration.pairs.push_back({static_cast<uint32_t>(random()) % i, i, 0.5F, 0});
    const ExplorationLimits limits = {random() % 50, random() % 30};
    const Exploration result = within_limits(exploration, limits);
    EXPECT_LE(result.documents.size(), limits.documents);
    EXPECT_LE(result.pairs.size(), limits.pairs);
    const LeftOut& left_out = result.left_out;
    EXPECT_EQ(result.documents.size() + left_out.kept + left_out.exact + left_out.near, count);
    for (const ExploredPair& pair : result.pairs) {
      ASSERT_LT(pair.better, pair.worse);
      ASSERT_LT(pair.worse, result.documents.size());
    }
    size_t tied = 0;  // no pair of a document that is there is lost
    std::set<std::string> there;
    for (const ExploredDocument& document : result.documents) there.insert(document.id);
    for (const ExploredPair& pair : exploration.pairs)
      tied += there.contains(std::to_string(pair.better)) || there.contains(std::to_string(pair.worse));
    EXPECT_EQ(tied, result.pairs.size());
  }
}

TEST(Shortened, ExamplesOfTheWholeRangeStayAndDocumentsPointToThem) {
  Report report = explored(small_exploration());
  for (uint32_t i = 0; i < 5; ++i) report.exploration.documents[i].example = i;  // 0 is none
  const std::vector<PairExample> all = report.examples;                          // seven
  const Report few = shortened(report, {.exploration = {}, .examples = 3, .clusters = 1});
  ASSERT_EQ(few.examples.size(), 3U);
  EXPECT_EQ(few.examples[0].kept_id, all[0].kept_id);
  EXPECT_EQ(few.examples[1].kept_id, all[2].kept_id);
  EXPECT_EQ(few.examples[2].kept_id, all[4].kept_id);
  EXPECT_EQ(few.largest_clusters.size(), 1U);
  std::vector<uint32_t> numbers;
  for (const ExploredDocument& document : few.exploration.documents) numbers.push_back(document.example);
  EXPECT_EQ(numbers, (std::vector<uint32_t>{0, 1, 0, 2, 0}));
  EXPECT_EQ(shortened(report).examples.size(), all.size()) << "there is room for all";
  EXPECT_TRUE(shortened(report, {.exploration = {}, .examples = 0, .clusters = 0}).examples.empty());
}

TEST(Shortened, NewIdsTakeTheirPlacesAndNoneOfTheOldIsLeft) {
  Report report = explored(small_exploration());
  for (PairExample& example : report.examples) example.kept_text = example.removed_text = "a text";
  int count = 0;
  for_each_id(report, [&](std::string& id) { id = "new" + std::to_string(++count); });
  EXPECT_EQ(count, 2 + 4 + 14 + 5 + 2) << "of clusters, their members, examples, documents, repeated ids";
  const std::string page = to_html(report);
  for (const char* old : {"news/2026/ferry-1", "mirror/8812", "post-17"}) EXPECT_EQ(page.find(old), page.npos) << old;
  if (!is_built_without()) EXPECT_EQ(Json::parse(data_of(page))["ids"][0], "new21");
}

TEST(OfAProgram, ThePageNamesNoFileThatIsNotThere) {
  Report report = explored(small_exploration());
  report.has_files = false;
  std::string page = to_html(report);
  page = page.substr(0, page.rfind("<script>"));
  for (const char* file : {"clusters.jsonl", "rejected.jsonl", "duplicates.jsonl", "report.json"})
    EXPECT_EQ(page.find(file), page.npos) << file;
}

}  // namespace
}  // namespace neardup::report::exploration_test
