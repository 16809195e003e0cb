// The page of similar files: whole, safe, and with the data that its script works on.
#include "neardup/report/similar_page.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/unit/report/decoded.h"
#include "tests/unit/report/page_check.h"

namespace neardup::report::similar_page_test {
namespace {

using Json = nlohmann::json;

SimilarReport sample_similar(const std::string& text = "src/b.c") {
  SimilarReport report;
  report.num_read = 9;
  report.read_bytes = 12345;
  report.num_pairs = 5;
  report.num_equal = 1;
  report.num_groups = 1;
  report.largest_group = 3;
  report.num_skipped = 2;
  report.skipped = {{"looks binary " + text, 2, text}};
  report.threshold = 0.25;
  report.settings = {"--reference " + text};
  report.pair_flags = {"--anchor " + text, "--fold code"};
  report.files = {{"src/a.c", 100, false}, {text, uint64_t{5} << 32, true}, {text, 7, false}};
  report.pairs = {{0, 2, 1, 1, ShareBasis::kEqual},
                  {0, 1, 0.5F, 0.9999F, ShareBasis::kEstimate},
                  {1, 2, 0.29F, 0, ShareBasis::kExact}};
  report.left_out[25] = 2;
  PassageTexts texts;
  const std::string shared = "shared " + text;
  texts.add(1, 0, "int\n" + shared, 1, shared, {{{4, 4 + shared.size()}, {0, shared.size()}}});
  report.texts = texts.take_texts();
  report.compared = texts.take_pairs();
  return report;
}

std::string element(const std::string& page, const std::string& id) {
  const std::string begin = "<script type=\"application/json\" id=\"" + id + "\">";
  const size_t from = page.find(begin);
  if (from == page.npos) return "";
  return page.substr(from + begin.size(), page.find("</script>", from) - from - begin.size());
}

bool is_without_scripts() { return similar_assets().script.empty(); }

TEST(SimilarPage, TellsItsFiguresAndFirstPairsWithoutScripts) {
  const std::string page = similar_html(sample_similar());
  const PageCheck check = check_page(page);
  EXPECT_EQ(check.error, "");
  EXPECT_NE(check.text.find("5 pairs of files."), check.text.npos);
  EXPECT_NE(check.text.find("Read 9 files of 12.3 kB"), check.text.npos);
  EXPECT_NE(check.text.find("A pair is listed where 25 % of one file is in the other."), check.text.npos);
  EXPECT_NE(page.find("<td>50.0 %</td><td>99.9 %</td><td>estimate</td>"), page.npos)
      << "what is not whole does not look so";
  EXPECT_NE(page.find("<td>100.0 %</td><td>100.0 %</td><td>equal</td>"), page.npos);
  EXPECT_NE(check.text.find("2 files"), check.text.npos);
  EXPECT_EQ(page.find("://"), page.find("http://www.w3.org") == page.npos ? page.npos : page.find("://"));
  EXPECT_EQ(page, similar_html(sample_similar())) << "the same report gives the same page";
}

TEST(SimilarPage, TheDataIsWhatWasFound) {
  if (is_without_scripts()) GTEST_SKIP() << "NEARDUP_WEB=OFF";
  const std::string page = similar_html(sample_similar());
  const Json data = Json::parse(element(page, "similar-data"));
  EXPECT_EQ(data["names"], Json({"src/a.c", "src/b.c", "src/b.c"}));
  EXPECT_EQ(decoded(data["files"]), (std::vector<uint32_t>{100, 0, 0, 0, 5, 1, 7, 0, 0}));
  EXPECT_EQ(decoded(data["pairs"]), (std::vector<uint32_t>{0, 2, 10000U << 16 | 10000, 2, 0, 1, 5000U << 16 | 9999,
                                                           1 << 2, 1, 2, 2900U << 16, 1}));
  EXPECT_EQ(data["leftOut"].size(), 101U);
  EXPECT_EQ(data["leftOut"][25], 2);
  EXPECT_EQ(data["flags"], Json({"--anchor src/b.c", "--fold code"}));
  EXPECT_EQ(data["threshold"], 0.25);
  EXPECT_EQ(data["hasReferences"], false);
  const Json texts = Json::parse(element(page, "similar-texts"));
  EXPECT_EQ(texts["texts"][0], Json({{"lines", 2}, {"parts", Json::array({Json::array({1, "int\nshared src/b.c"})})}}));
  EXPECT_EQ(texts["compared"][0]["a"], 0);
  EXPECT_EQ(texts["compared"][0]["b"], 1);
  EXPECT_EQ(texts["compared"][0]["more"], 0);
  EXPECT_EQ(texts["compared"][0]["passages"], Json::array({{{"bytes", 14}, {"a", {0, 4, 18}}, {"b", {0, 0, 14}}}}));
}

TEST(SimilarPage, PercentagesAreRoundedAsInTheLinesOfTheCommand) {
  if (is_without_scripts()) GTEST_SKIP() << "NEARDUP_WEB=OFF";
  SimilarReport report = sample_similar();
  for (int i = 1; i < 4000; ++i)
    report.pairs.push_back({0, 1, static_cast<float>(i) / 4000, static_cast<float>(i) / 4096, ShareBasis::kExact});
  const std::vector<uint32_t> numbers = decoded(Json::parse(element(similar_html(report), "similar-data"))["pairs"]);
  ASSERT_EQ(numbers.size(), 4 * report.pairs.size());
  for (size_t i = 0; i < report.pairs.size(); ++i)
    for (const auto& [share, packed] : {std::pair(report.pairs[i].a_in_b, numbers[4 * i + 2] >> 16),
                                        std::pair(report.pairs[i].b_in_a, numbers[4 * i + 2] & 0xFFFF)}) {
      const uint32_t tenths = (packed + 5) / 10;  // as shareWords() of the page rounds
      ASSERT_EQ(fmt::format("{}.{}", tenths / 10, tenths % 10), fmt::format("{:.1f}", 100 * double{share})) << share;
    }
}

TEST(SimilarPage, NothingInItIsMarkup) {
  for (const std::string& text :
       {std::string("</script><script>alert(1)</script>"), std::string("<!--<script>"), std::string("<script>"),
        std::string("<img src=x onerror=alert(1)>"), std::string("\0\x1b[2J\r\n\x7f\xff\xfe\xed\xa0\x80", 12),
        std::string("\u202E\u2066\u2028\u2029\uFEFF"), std::string("\\\"\\u003c/script>"), std::string(100000, '<'),
        std::string()}) {
    const std::string page = similar_html(sample_similar(text));
    const PageCheck check = check_page(page);
    EXPECT_EQ(check.error, "") << text.substr(0, 50);
    EXPECT_EQ(page.find("\u202E"), page.npos) << "what is not seen is named";
    if (is_without_scripts()) continue;
    EXPECT_EQ(check.num_tags.at("script"), 3) << "the data, the texts and the script";
    for (const char* id : {"similar-data", "similar-texts"}) {
      const std::string data = element(page, id);
      EXPECT_EQ(data.find('<'), data.npos);
      EXPECT_TRUE(Json::accept(data)) << data.substr(0, 200);
    }
  }
}

TEST(SimilarPage, WithoutPairsItSaysSo) {
  SimilarReport report;
  report.num_read = 3;
  const std::string page = similar_html(report);
  EXPECT_EQ(check_page(page).error, "");
  EXPECT_NE(page.find("No pair was found, so there is nothing to show."), page.npos);
  EXPECT_EQ(page.find("<script"), page.npos);
}

TEST(SimilarPage, EqualFilesLeaveHalfOfTheRoom) {
  const auto room = [](uint64_t equal, uint64_t other) {
    const PairRoom room = room_for_pairs(equal, other, 10);
    return std::pair(room.equal, room.other);
  };
  EXPECT_EQ(room(3, 4), std::pair(uint64_t{3}, uint64_t{4}));
  EXPECT_EQ(room(100, 100), std::pair(uint64_t{5}, uint64_t{5}));
  EXPECT_EQ(room(100, 2), std::pair(uint64_t{8}, uint64_t{2}));
  EXPECT_EQ(room(2, 100), std::pair(uint64_t{2}, uint64_t{8}));
  EXPECT_EQ(room(0, 100), std::pair(uint64_t{0}, uint64_t{10}));
}

}  // namespace
}  // namespace neardup::report::similar_page_test
