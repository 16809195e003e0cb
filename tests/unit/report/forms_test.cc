// One report in three forms: what docs/formats/results.md says of report.json, and that figures are the same
// everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>

#include "neardup/base/sizes.h"
#include "neardup/report/line_chart.h"
#include "neardup/report/numbers.h"
#include "neardup/report/render.h"
#include "neardup/report/sections.h"
#include "neardup/report/tally.h"
#include "neardup/report/warnings.h"
#include "tests/unit/report/page_check.h"
#include "tests/unit/report/sample_report.h"

namespace neardup::report {
namespace {

using OrderedJson = nlohmann::ordered_json;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string results_page() {
  std::ifstream stream(std::string(NEARDUP_TEST_DATA) + "/../../docs/formats/results.md");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(ReportJson, EveryMemberIsInTheDocumentedFormat) {
  const std::string page = results_page();
  ASSERT_FALSE(page.empty());
  const OrderedJson report = OrderedJson::parse(to_json(sample_report()));
  for (const auto& [name, value] : report.items()) EXPECT_TRUE(has(page, "`" + name + "`")) << name;
  for (const char* object : {"total", "pairs", "settings", "run", "short_texts", "duplicate_ids"})
    for (const auto& [name, value] : report[object].items())
      EXPECT_TRUE(has(page, "`" + name + "`")) << object << "." << name;
  EXPECT_EQ(report["format"], 1);
}

TEST(ReportJson, KeysHaveAFixedOrder) {
  const auto names_of = [](const Report& report) {
    std::vector<std::string> names;
    const OrderedJson json = OrderedJson::parse(to_json(report));
    for (const auto& [name, value] : json.items()) names.push_back(name);
    return names;
  };
  EXPECT_EQ(names_of(sample_report()), names_of(Report()));
  EXPECT_EQ(names_of(Report()).front(), "neardup");
  EXPECT_EQ(names_of(Report()).back(), "run");
}

Report random_report(std::mt19937_64& random) {
  Report report = sample_report();
  report.by_input.clear();
  for (size_t i = random() % 9; i > 0; --i)
    report.by_input.push_back(
        sample_tally("source " + std::to_string(i), random() % 3000, random() % 50, random() % 4000, random() % 20));
  report.total = sum_of(report.by_input, "total");
  report.num_clusters = random() % 1000;
  report.num_too_short = random() % 2 * random() % 100;
  report.num_references = random() % 2 * random() % 100;
  report.seconds = static_cast<double>(random() % 100'000) / 100;
  for (uint64_t& count : report.similarity_histogram) count = random() % 100;
  if (random() % 2 == 0) report.num_values = 128, report.num_bands = 64, report.band_rows = 4;
  return report;
}

TEST(ReportForms, SayTheSameFigures) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    const Report report = random_report(random);
    const OrderedJson json = OrderedJson::parse(to_json(report));
    EXPECT_EQ(json["total"]["read"], report.total.read);
    EXPECT_EQ(json["total"]["removed_exact"].get<uint64_t>() + json["total"]["removed_near"].get<uint64_t>(),
              removed(report.total));
    EXPECT_EQ(json["by_input"].size(), report.by_input.size());
    EXPECT_EQ(json["settings"]["family"], report.num_values > 0 ? "minhash" : "simhash");
    EXPECT_EQ(json["settings"]["distance"].is_null(), report.num_values > 0);
    EXPECT_EQ(json["warnings"].size(), all_warnings(report).size());
    const std::string text = to_text(report), html = to_html(report);
    for (const uint64_t figure : {report.total.read, report.total.kept, removed(report.total)})
      EXPECT_TRUE(has(text, human_count(figure))) << figure << "\n" << text;
    EXPECT_EQ(check_page(html).error, "");
    EXPECT_TRUE(has(html, percent(removed(report.total), report.total.read)));
  }
}

TEST(ReportForms, DependOnTheReportAlone) {
  const Report report = sample_report();
  EXPECT_EQ(to_json(report), to_json(report));
  EXPECT_EQ(to_html(report), to_html(report));
  EXPECT_EQ(to_text(report), to_text(report));
}

TEST(ReportJson, UnknownDistancesAreNullAndKnownOnesNumbers) {
  Report report;
  report.examples = {sample_pair("a", "b", "x", "y", kUnknownDistance, 0.5), sample_pair("a", "c", "x", "y", 0, 1),
                     sample_pair("a", "d", "x", "y", 64, 0.25)};
  const OrderedJson examples = OrderedJson::parse(to_json(report))["examples"];
  EXPECT_TRUE(examples[0]["distance"].is_null());
  EXPECT_EQ(examples[1]["distance"], 0);
  EXPECT_EQ(examples[2]["distance"], 64);
  EXPECT_EQ(examples[1]["kind"], "exact");
}

TEST(ReportJson, FiguresHaveFourDecimals) {
  Report report;
  report.examples = {sample_pair("a", "b", "x", "y", 3, 1.0 / 3)};
  report.thresholds = {{0.44999999, "texts of few words"}};
  const OrderedJson json = OrderedJson::parse(to_json(report));
  EXPECT_EQ(json["examples"][0]["similarity"], 0.3333);
  EXPECT_EQ(json["thresholds"][0]["similarity"], 0.45);
  EXPECT_EQ(json["similarity_bin"], 0.05);
}

TEST(ReportJson, ARecipeThatIsNoJsonIsAString) {
  Report report;
  report.recipe_json = "{\"a\":1}";
  EXPECT_TRUE(OrderedJson::parse(to_json(report))["settings"]["recipe"].is_object());
  report.recipe_json = "{broken";
  EXPECT_EQ(OrderedJson::parse(to_json(report))["settings"]["recipe"], "{broken");
}

TEST(ReportJson, WhatWasNotAskedForIsNull) {
  Report report;
  OrderedJson settings = OrderedJson::parse(to_json(report))["settings"];
  EXPECT_TRUE(settings["within"].is_null());
  EXPECT_TRUE(settings["size_within"].is_null());
  report.within_key = "host", report.size_within = 0.25;
  settings = OrderedJson::parse(to_json(report))["settings"];
  EXPECT_EQ(settings["within"], "host");
  EXPECT_EQ(settings["size_within"], 0.25);
}

TEST(ReportText, LinesAreAlignedAndEndWithoutSpaces) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 10; ++round) {
    Report report = random_report(random);
    report.by_input.push_back(sample_tally("図書館の名前\x1b[31m", 7, 0, 0, 0));
    const std::string text = to_text(report);
    EXPECT_FALSE(has(text, " \n"));
    EXPECT_FALSE(has(text, "\x1b"));
    EXPECT_FALSE(has(text, "\t"));
    std::set<size_t> ends;  // of the column of read documents
    for (const char* name : {"\n  read  ", "\n  kept  ", "\n  removed  "}) {
      const size_t begin = text.find(name) + 1;
      const std::string line = text.substr(begin, text.find('\n', begin) - begin);
      ends.insert(line.find_first_of(' ', line.find_first_of("0123456789")));
    }
    EXPECT_EQ(ends.size(), 1U) << text;
  }
}

TEST(ReportText, OfManySourcesTheRestIsOneLine) {
  Report report = sample_report();
  report.by_input.clear();
  for (int i = 0; i < 9; ++i) report.by_input.push_back(sample_tally("s" + std::to_string(i), 10, 1, 9, 0));
  const std::string text = to_text(report);
  EXPECT_TRUE(has(text, "s4")) << text;
  EXPECT_FALSE(has(text, "s5")) << text;
  EXPECT_TRUE(has(text, "and 4 more    80       40")) << text;
}

struct FactCase {
  const char* name;
  uint64_t Report::*figure;
  const char* words;
};

class ReportFact : public ::testing::TestWithParam<FactCase> {};

TEST_P(ReportFact, IsSaidOnlyWhereThereIsOne) {
  Report report = sample_report();
  report.*GetParam().figure = 0;
  EXPECT_FALSE(has(to_text(report), GetParam().words));
  report.*GetParam().figure = 1234;
  EXPECT_TRUE(has(to_text(report), std::string(GetParam().words))) << to_text(report);
  EXPECT_TRUE(has(to_text(report), "1,234 documents"));
}

INSTANTIATE_TEST_SUITE_P(Each, ReportFact,
                         ::testing::Values(FactCase{"references", &Report::num_references, "only read"},
                                           FactCase{"too_short", &Report::num_too_short,
                                                    "looked for equal texts only"}),
                         [](const auto& param) { return std::string(param.param.name); });

struct WarningCase {
  const char* name;
  uint64_t read, part;  // of so many documents so many
  bool warns;
};

class RemovedShare : public ::testing::TestWithParam<WarningCase> {};

TEST_P(RemovedShare, WarnsFromMoreThanNineTenthsOfTwentyOn) {
  Report report;
  report.recipe_id = "id";
  report.total = sample_tally("total", GetParam().read - GetParam().part, 0, GetParam().part, 0);
  const auto warnings = all_warnings(report);
  EXPECT_EQ(std::ranges::any_of(warnings, [](const std::string& text) { return has(text, "documents were removed"); }),
            GetParam().warns);
}

INSTANTIATE_TEST_SUITE_P(Limits, RemovedShare,
                         ::testing::Values(WarningCase{"few", 19, 19, false},
                                           WarningCase{"all_of_twenty", 20, 20, true},
                                           WarningCase{"nine_tenths", 20, 18, false},
                                           WarningCase{"one_more", 20, 19, true},
                                           WarningCase{"of_a_million", 1'000'000, 900'001, true}),
                         [](const auto& param) { return std::string(param.param.name); });

struct ClusterCase {
  const char* name;
  uint64_t size, read;
  bool warns;
};

class LargestCluster : public ::testing::TestWithParam<ClusterCase> {};

TEST_P(LargestCluster, WarnsFromFiftyAndMoreThanAHundredthOn) {
  Report report;
  report.recipe_id = "id";
  report.total = sample_tally("total", GetParam().read, 0, 0, 0);
  report.cluster_sizes = {{2, 3}, {GetParam().size, 1}};
  const auto warnings = all_warnings(report);
  EXPECT_EQ(std::ranges::any_of(warnings, [](const std::string& text) { return has(text, "One cluster holds"); }),
            GetParam().warns);
}

INSTANTIATE_TEST_SUITE_P(Limits, LargestCluster,
                         ::testing::Values(ClusterCase{"small", 49, 100, false}, ClusterCase{"fifty", 50, 100, true},
                                           ClusterCase{"a_hundredth", 50, 5000, false},
                                           ClusterCase{"just_more", 51, 5000, true}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(AllWarnings, NothingReadIsSaid) {
  const auto warnings = all_warnings({});
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0], "No documents were read. Check the inputs and the text key.");
}

TEST(AllWarnings, NamesOfManySourcesAreThreeAndANumber) {
  Report report = sample_report();
  report.by_input.clear();
  for (int i = 0; i < 8; ++i) report.by_input.push_back(sample_tally("s" + std::to_string(i), 1, 0, 99, 0));
  report.total = sum_of(report.by_input, "total");
  const auto warnings = all_warnings(report);
  EXPECT_TRUE(std::ranges::any_of(warnings, [](const std::string& text) {
    return has(text, "of 8 sources: s0 (99 of 100), s1 (99 of 100), s2 (99 of 100), and 5 more.");
  }));
}

TEST(SplitBar, PartsStandSideBySideAndFillIt) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 100; ++round) {
    const Tally tally = sample_tally("x", 1 + random() % 50, random() % 50, random() % 50, random() % 50);
    const std::string bar = split_bar(tally);
    EXPECT_EQ(check_page("<!DOCTYPE html>\n<p>" + bar + "</p>").error, "");
    double at = 0;
    for (size_t from = 0; (from = bar.find(" x=\"", from)) != bar.npos; ++from) {
      EXPECT_NEAR(std::strtod(bar.c_str() + from + 4, nullptr), at, 0.03) << bar;
      at += std::strtod(bar.c_str() + bar.find("width=\"", from) + 7, nullptr);
    }
    EXPECT_NEAR(at, 100, 0.05) << bar;
  }
  EXPECT_FALSE(has(split_bar({}), "<rect"));
}

TEST(LineChartOfAny, IsWholeForAnyNumberOfPositionsAndValues) {
  std::mt19937_64 random(4);
  for (size_t positions = 0; positions < 60; positions += 7) {
    LineChart chart{.title = "<T>", .axis = "\"k\"", .labels = {}, .curves = {{"<c>", "a", {}}}};
    for (size_t i = 0; i < positions; ++i) {
      chart.labels.push_back(std::to_string(i));
      chart.curves[0].values.push_back(random() % 5 == 0 ? std::nan("")
                                                         : static_cast<double>(random() % 300) / 100 - 1);
    }
    const std::string figure = line_chart(chart);
    EXPECT_EQ(check_page("<!DOCTYPE html>\n" + figure).error, "");
    EXPECT_FALSE(has(figure, "nan"));
    size_t ticks = 0;
    for (size_t from = 0; (from = figure.find("class=\"tick\"", from)) != figure.npos; ++from) ++ticks;
    EXPECT_LE(ticks, 18U) << "labels have room";
    for (size_t from = 0; (from = figure.find("cy=\"", from)) != figure.npos; ++from) {
      const double y = std::strtod(figure.c_str() + from + 4, nullptr);
      EXPECT_TRUE(y >= 8 && y <= 224) << "within the frame: " << y;
    }
  }
}

TEST(PageOfAReport, EachSectionOfTheMenuIsThere) {
  const std::string page = to_html(sample_report());
  size_t links = 0;
  for (size_t from = 0; (from = page.find("href=\"#", from)) != page.npos; ++from, ++links) {
    const std::string anchor = page.substr(from + 7, page.find('"', from + 7) - from - 7);
    EXPECT_TRUE(has(page, "id=\"" + anchor + "\"")) << anchor;
  }
  EXPECT_GT(links, 5U);
}

TEST(PageOfAReport, NoIdStandsTwice) {
  const std::string page = to_html(sample_report());
  std::set<std::string> ids;
  for (size_t from = 0; (from = page.find(" id=\"", from)) != page.npos; ++from) {
    const std::string id = page.substr(from + 5, page.find('"', from + 5) - from - 5);
    EXPECT_TRUE(ids.insert(id).second) << id;
  }
  EXPECT_FALSE(ids.empty());
}

}  // namespace
}  // namespace neardup::report
