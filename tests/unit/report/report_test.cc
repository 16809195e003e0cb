#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "neardup/report/figures.h"
#include "neardup/report/render.h"
#include "neardup/report/tally.h"
#include "neardup/report/warnings.h"
#include "tests/unit/report/page_check.h"
#include "tests/unit/report/sample_report.h"

namespace neardup::report::report_test {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kHuge = std::numeric_limits<uint64_t>::max();

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

bool warns_of(const Report& report, std::string_view part) {
  auto warnings = all_warnings(report);
  return std::any_of(warnings.begin(), warnings.end(), [&](const std::string& text) { return contains(text, part); });
}

/// All strings of a report set to `text`.
Report filled_with(const std::string& text) {
  Report report = sample_report();
  for (std::string* field : {&report.version, &report.command, &report.started, &report.recipe_json, &report.recipe_id,
                             &report.verify, &report.keep, &report.cluster, &report.mode, &report.group_key}) {
    *field = text;
  }
  for (auto* tallies : {&report.by_input, &report.by_group})
    for (Tally& tally : *tallies) tally.name = text;
  for (ClusterExample& cluster : report.largest_clusters) cluster = {cluster.size, text, text, text, {text, text}};
  for (PairExample& pair : report.examples) {
    pair = {text, text, text + " end", "start " + text, text, 3, 0.5};
  }
  for (auto& [reason, count] : report.rejections) reason = text;
  for (Stage& stage : report.stages) stage.name = text;
  report.warnings = {text};
  report.duplicate_id_examples = {text};
  return report;
}

Report huge_report() {
  Report report = sample_report();
  report.total = {"total", kHuge, kHuge - 3, 1, 1, 1, kHuge, kHuge};
  report.by_input = {report.total, report.total};
  report.num_clusters = report.num_candidates = report.num_verified = report.num_similar = kHuge;
  report.num_too_short = report.num_duplicate_ids = report.num_references = report.peak_memory_bytes = kHuge;
  report.distance_histogram.fill(kHuge);
  report.similarity_histogram.fill(kHuge);
  report.cluster_sizes = {{2, kHuge}, {kHuge, 1}};
  report.distance = report.num_threads = std::numeric_limits<int>::max();
  report.seconds = std::numeric_limits<double>::infinity();
  report.stages = {{"read", 1e300, kHuge, kHuge}, {"join", std::nan(""), 1, 1}, {"write", -5, 1, 1}};
  report.examples[0].distance = kUnknownDistance;
  report.examples[0].similarity = std::nan("");
  return report;
}

TEST(ToJson, FiguresAreThoseOfTheReport) {
  Report report = sample_report();
  Json json = Json::parse(to_json(report));
  EXPECT_EQ(json["neardup"], "0.1.0");
  EXPECT_EQ(json["total"]["read"], 15897);
  EXPECT_EQ(json["total"]["kept"], 9021);
  EXPECT_EQ(json["total"]["removed_exact"], 1204);
  EXPECT_EQ(json["total"]["removed_near"], 5669);
  EXPECT_EQ(json["total"]["rejected"], 3);
  EXPECT_EQ(json["total"]["bytes_removed"], report.total.bytes_removed);
  EXPECT_EQ(json["clusters"], 2310);
  EXPECT_EQ(json["pairs"]["candidates"], 48211);
  EXPECT_EQ(json["by_input"].size(), 3u);
  EXPECT_EQ(json["by_input"][0]["name"], report.by_input[0].name);
  EXPECT_EQ(json["by_input"][0]["removed_near"], 1900);
  EXPECT_EQ(json["by_group"]["key"], "language");
  EXPECT_EQ(json["distance_histogram"].get<std::vector<uint64_t>>(),
            std::vector<uint64_t>(report.distance_histogram.begin(), report.distance_histogram.end()));
  EXPECT_EQ(json["similarity_histogram"].size(), 20u);
  EXPECT_EQ(json["similarity_bin"], 0.05);
  EXPECT_EQ(json["thresholds"],
            Json::parse(R"([{"similarity":0.4,"of":""},{"similarity":0.55,"of":"texts of few words"}])"));
  EXPECT_EQ(json["just_above_threshold"], (Json{{"within", 0.06}, {"documents", 148}}));
  EXPECT_EQ(json["cluster_sizes"][7], (Json{{"size", 612}, {"clusters", 1}}));
  EXPECT_EQ(json["examples"][0]["similarity"], 0.7421);
  EXPECT_EQ(json["settings"]["recipe"]["version"], 1);
  EXPECT_EQ(json["rejections"][0], (Json{{"reason", "broken JSON"}, {"documents", 2}}));
  EXPECT_EQ(json["run"]["stages"][2]["items"], 48211);
}

TEST(ToHtml, SignaturesHaveAChartOfTheirDistances) {
  Report report = sample_report();
  report.num_values = 128;
  report.distance_histogram.fill(0);
  report.values_histogram = {0, 0, 5, 31, 4711, 20};
  const std::string page = to_html(report);
  EXPECT_NE(page.find("<figcaption>Near-duplicates by distance</figcaption>"), std::string::npos);
  EXPECT_NE(page.find("of 128 values of the signatures"), std::string::npos);
  EXPECT_NE(page.find("32: 4,711; "), std::string::npos) << "4 sixteenths of 128";
  EXPECT_NE(page.find(">64</text>"), std::string::npos) << "the right edge of eight steps";
  EXPECT_EQ(Json::parse(to_json(report))["values_histogram"].size(), 16U);
}

TEST(ToJson, WhatDiffersBetweenRunsIsUnderRun) {
  Report report = sample_report(), other = sample_report();
  other.command += " --threads 7", other.started = "2027", other.seconds = 9, other.peak_memory_bytes = 1,
                                   other.num_threads = 7;
  for (Stage& stage : other.stages) stage.seconds *= 3;
  Json json = Json::parse(to_json(report)), other_json = Json::parse(to_json(other));
  EXPECT_NE(json, other_json);
  json.erase("run"), other_json.erase("run");
  EXPECT_EQ(json.dump(), other_json.dump());
}

TEST(ToJson, UnknownAndImpossibleFiguresAreNull) {
  Json json = Json::parse(to_json(huge_report()));
  EXPECT_TRUE(json["examples"][0]["distance"].is_null());
  EXPECT_TRUE(json["examples"][0]["similarity"].is_null());
  EXPECT_TRUE(json["run"]["seconds"].is_null());
  EXPECT_EQ(json["total"]["read"], kHuge);
}

TEST(AllForms, HostileTextStaysText) {
  for (std::string text : {std::string("<script>alert(1)</script>"), std::string("\"><img src=x onerror=alert(1)>"),
                           std::string("</style></script></pre><!--"), std::string("' onmouseover='x"),
                           std::string("\0\x1b[2J\r\n\x7f\xff\xfe\xed\xa0\x80", 12), std::string("{0} {} %s %n"),
                           std::string("\u202E\u2066\uFEFF\u200B"), std::string(5000, '<'), std::string()}) {
    Report report = filled_with(text);
    PageCheck page = check_page(to_html(report));
    EXPECT_EQ(page.error, "") << text;
    EXPECT_EQ(page.num_tags["script"], 1) << text;
    EXPECT_TRUE(Json::accept(to_json(report))) << text;
    std::string summary = to_text(report);
    bool has_control =
        std::any_of(summary.begin(), summary.end(), [](char c) { return (c >= 0 && c < 32 && c != '\n') || c == 127; });
    EXPECT_FALSE(has_control) << text;
  }
}

TEST(AllForms, HostileTextIsShown) {
  PageCheck page = check_page(to_html(filled_with("<script>alert(1)</script>")));
  EXPECT_TRUE(contains(page.text, "<script>alert(1)</script>"));
}

TEST(AllForms, EmptyReport) {
  Report report;
  EXPECT_EQ(check_page(to_html(report)).error, "");
  Json json = Json::parse(to_json(report));
  EXPECT_EQ(json["total"]["read"], 0);
  EXPECT_EQ(json["warnings"].size(), 1u);
  EXPECT_TRUE(contains(to_text(report), "No documents were read"));
  EXPECT_FALSE(contains(to_html(report), "nan"));
}

TEST(AllForms, HugeNumbers) {
  Report report = huge_report();
  PageCheck page = check_page(to_html(report));
  EXPECT_EQ(page.error, "");
  EXPECT_TRUE(contains(page.text, "18,446,744,073,709,551,615"));
  EXPECT_TRUE(contains(to_text(report), "18,446,744,073,709,551,615"));
  EXPECT_FALSE(contains(page.text, "nan") || contains(page.text, "inf%"));
}

TEST(ToHtml, SaysTheHeadlineInOneSentence) {
  PageCheck page = check_page(to_html(sample_report()));
  EXPECT_EQ(page.error, "");
  EXPECT_TRUE(contains(page.text, "Read 15,897 documents, kept 9,021."));
  EXPECT_TRUE(contains(page.text, "Removed 6,873 (43.2 %): 1,204 equal texts and 5,669 near-duplicates"));
  EXPECT_TRUE(contains(page.text, "and 608 more"));
  EXPECT_EQ(page.num_tags["article"], 7);
  EXPECT_EQ(page.num_tags["figure"], 3);
}

TEST(ToHtml, LoadsNothingFromElsewhere) {
  std::string page = to_html(sample_report());
  for (std::string_view outside : {"http://", "https://", "url(", "@import", "<link", "<img", "src="}) {
    size_t texts = outside == "src=" ? page.find("src=x onerror") : page.npos;  // the hostile sample id, escaped
    EXPECT_EQ(page.find(outside), texts) << outside;
  }
  EXPECT_TRUE(contains(page, "default-src 'none'"));
}

TEST(ToHtml, MarksWordsOfExamples) {
  std::string page = to_html(sample_report());
  EXPECT_TRUE(contains(page, "<ins>ninety passengers</ins>"));
  EXPECT_TRUE(contains(page, "<del>up to 120 people</del>"));
  EXPECT_TRUE(contains(page, "<ins>五</ins>"));
  EXPECT_TRUE(contains(page, "characters the same"));
  EXPECT_TRUE(contains(page, "The words shown are the same in both."));
}

TEST(ToHtml, LongTablesEndWithTheirSum) {
  Report report = sample_report();
  report.by_input.assign(53, sample_tally("part", 5, 1, 2, 0));
  PageCheck page = check_page(to_html(report));
  EXPECT_EQ(page.error, "");
  EXPECT_TRUE(contains(page.text, "and 3 more"));
  EXPECT_EQ(page.num_tags["tfoot"], 1);
}

TEST(ToHtml, ALargeExampleIsCut) {
  Report report;
  std::string a, b;
  for (int i = 0; i < 2000; ++i)
    a += "word" + std::to_string(i) + " ", b += (i % 9 == 0 ? "other" : "word") + std::to_string(i) + " ";
  report.examples = {sample_pair("a", "b", a, b, 3, 0.7)};
  std::string page = to_html(report);
  EXPECT_EQ(check_page(page).error, "");
  EXPECT_TRUE(contains(page, "more changes further on"));
  report.examples = {sample_pair("a", "b", "one", "two", 3, 0.7)};
  EXPECT_LT(page.size(), to_html(report).size() + a.size()) << "of two texts less is shown than one is long";
}

// Equal to the recipe, but of other bytes: cut at the same number of bytes one has more words than the other.
TEST(ToHtml, ACutIsNoDifference) {
  std::string a, b;
  for (int i = 0; i < 900; ++i) a += "wörd" + std::to_string(i) + " ", b += "word" + std::to_string(i) + " ";
  Report report;
  report.fold_word = [](std::string_view word) {
    std::string folded(word);
    if (const size_t at = folded.find("ö"); at != folded.npos) folded.replace(at, 2, "o");
    return folded;
  };
  PairExample pair = sample_pair("a", "b", a.substr(0, 6000), b.substr(0, 6000), 0, 1);
  pair.kind = "exact";
  pair.kept_is_cut = pair.removed_is_cut = true;
  report.examples = {pair};
  const std::string cut = to_html(report);
  EXPECT_EQ(check_page(cut).error, "");
  const std::string example = cut.substr(cut.find("<article"));
  EXPECT_FALSE(contains(example, "<ins>") || contains(example, "<del>"));
  EXPECT_TRUE(contains(example, "the texts go on; their beginnings are compared"));
  report.examples[0].kept_is_cut = report.examples[0].removed_is_cut = false;  // texts that end there do differ
  EXPECT_TRUE(contains(to_html(report).substr(cut.find("<article")), "<del>"));
}

TEST(ToHtml, WhereAllWasRejectedNothingIsSaidOfDuplicates) {
  Report report;
  report.total.read = report.total.rejected = 3;
  const std::string page = to_html(report);
  EXPECT_TRUE(contains(page, "every record was rejected"));
  EXPECT_FALSE(contains(page, "No document had a duplicate"));
}

TEST(ToHtml, PairsAndClustersHaveAnchors) {
  const std::string page = to_html(sample_report());
  EXPECT_TRUE(contains(page, "id=\"pair-1\"") && contains(page, "href=\"#pair-1\""));
  EXPECT_TRUE(contains(page, "id=\"cluster-1\""));
  Report report = sample_report();
  report.examples[0].command = "neardup explain 'a<b' c";
  EXPECT_TRUE(contains(to_html(report), "<code>neardup explain &#39;a&lt;b&#39; c</code>"));
  EXPECT_TRUE(contains(page, "<time>2026-11-21T10:20:30Z</time>"));
}

TEST(ToHtml, MoreOfABandIsFolded) {
  Report report;
  for (int i = 0; i < 9; ++i) report.examples.push_back(sample_pair("a", "b", "one two", "one three", 3, 0.71));
  report.examples.push_back(sample_pair("a", "b", "one two", "one three", 3, 0.8));
  const std::string page = to_html(report);
  const PageCheck check = check_page(page);
  EXPECT_EQ(check.error, "");
  EXPECT_TRUE(contains(check.text, "7 more examples of similarity .70 to .79")) << check.text;
  EXPECT_TRUE(contains(page, "id=\"pair-10\""));
}

TEST(ToText, AlignsAndNamesTheMain) {
  std::string text = to_text(sample_report());
  EXPECT_TRUE(contains(text, "  kept                   9,021   56.7 %  33.9 MB\n")) << text;
  EXPECT_TRUE(contains(text, "clusters      2,310, the largest of 612 documents (kept: news/2026/ferry-1)")) << text;
  EXPECT_TRUE(contains(text, "warning: One cluster holds 612 documents")) << text;
  EXPECT_FALSE(contains(text, " \n"));
}

TEST(ToText, AShardHasOnlyRead) {
  Report report;
  report.total.name = "shard 0/4";
  report.total.read = 1234;
  report.num_threads = 2;
  std::string text = to_text(report);
  EXPECT_TRUE(contains(text, "1,234")) << text;
  EXPECT_FALSE(contains(text, "kept") || contains(text, "warning") || contains(text, "clusters")) << text;
}

TEST(Warnings, NoneForAQuietRun) {
  Report report = sample_report();
  report.by_input = {sample_tally("a", 500, 2, 20, 0), sample_tally("b", 500, 2, 20, 0)};
  report.total = sum_of(report.by_input, "total");
  report.by_group.clear(), report.rejections.clear();
  report.num_duplicate_ids = 0, report.num_too_short = 3;
  report.cluster_sizes = {{2, 44}};
  EXPECT_TRUE(all_warnings(report).empty());
}

TEST(Warnings, AClusterWithReferencesIsNoMoreThanAll) {
  Report report = sample_report();
  report.cluster_sizes = {{report.total.read + 1, 1}};  // its kept document is of --reference
  EXPECT_TRUE(warns_of(report, "documents, 100 % of all")) << all_warnings(report).front();
}

TEST(Warnings, EachCauseHasOne) {
  Report report = sample_report();
  EXPECT_TRUE(warns_of(report, "One cluster holds 612"));
  EXPECT_TRUE(warns_of(report, "More than 90 % was removed of 1 source: crawl/2026-10/part-00007"));
  EXPECT_TRUE(warns_of(report, "2 documents have the id of an earlier document"));
  EXPECT_FALSE(warns_of(report, "do not add up"));
  report.total.kept -= 1;
  EXPECT_TRUE(warns_of(report, "do not add up"));
  report.verify = "none";
  EXPECT_TRUE(warns_of(report, "Verification is off"));
  report.total = sample_tally("total", 5, 0, 95, 0);
  EXPECT_TRUE(warns_of(report, "95.0 % of all documents were removed"));
  report.total = sample_tally("total", 90, 0, 0, 10);
  EXPECT_TRUE(warns_of(report, "were rejected"));
  report.num_too_short = 50;
  EXPECT_TRUE(warns_of(report, "too short for a fingerprint"));
}

TEST(Warnings, RejectionsNameTheirReasons) {
  Report report;
  report.total = sample_tally("total", 90, 0, 0, 10);
  report.rejections = {{"invalid_json", 1}, {"missing_text", 9}};
  EXPECT_TRUE(warns_of(report,
                       "10.0 % of all documents (10) were rejected: 9 missing_text, "
                       "1 invalid_json; rejected.jsonl names each."));
  EXPECT_TRUE(contains(to_text(report), "9 missing_text, 1 invalid_json"));
  EXPECT_FALSE(warns_of(report, "--text-key")) << "most have a text";
  report.rejections = {{"a", 1}, {"b", 2}, {"c", 3}, {"d", 3}, {"e", 1}};
  EXPECT_TRUE(warns_of(report, ": 3 c, 3 d, 2 b, and 2 more reasons;"));
}

TEST(Warnings, WhereAllWasRejectedHoweverFew) {
  Report report;
  report.total = sample_tally("total", 0, 0, 0, 2);
  report.rejections = {{"missing_text", 2}};
  EXPECT_TRUE(warns_of(report,
                       "(2) were rejected: 2 missing_text; rejected.jsonl names each. Name the "
                       "field that holds the text with --text-key."));
  report.rejections = {{"invalid_json", 2}};
  EXPECT_TRUE(warns_of(report, "2 invalid_json"));
  EXPECT_FALSE(warns_of(report, "--text-key"));
  report.rejected_example = "a.jsonl:1: no closing brace";
  EXPECT_TRUE(warns_of(report, "names each. For example a.jsonl:1: no closing brace."));
  report.total = sample_tally("total", 14, 0, 0, 1);
  EXPECT_FALSE(warns_of(report, "rejected")) << "a few of a few";
}

TEST(Warnings, EachOnce) {
  Report report = sample_report();
  report.warnings = {"twice", "twice"};
  auto warnings = all_warnings(report);
  EXPECT_EQ(std::count(warnings.begin(), warnings.end(), "twice"), 1);
  EXPECT_EQ(warnings[0], "twice");
}

TEST(Bars, ClusterSizesInPowersOfTwo) {
  Report report;
  report.cluster_sizes = {{2, 5}, {3, 1}, {4, 2}, {5, 1}, {16, 3}, {17, 1}};
  std::vector<std::pair<std::string, uint64_t>> bars;
  for (const Bar& bar : cluster_size_bars(report)) bars.emplace_back(bar.label, bar.count);
  EXPECT_EQ(bars, (decltype(bars){{"2", 5}, {"4", 3}, {"8", 1}, {"16", 3}, {"32", 1}}));
}

TEST(Bars, DistancesReachWhatWasSearchedAndWhatOccurs) {
  Report report;
  report.distance = 3;
  EXPECT_EQ(distance_bars(report).size(), 4u);
  report.distance_histogram[9] = 1;
  EXPECT_EQ(distance_bars(report).size(), 10u);
}

TEST(ToHtml, DrawsTheThresholdsIntoTheHistogram) {
  Report report = sample_report();  // its bars begin at .40
  const std::string page = to_html(report);
  EXPECT_TRUE(contains(page, "<title>taken from 0.40</title><line class=\"mark\" x1=\"0.00%\"")) << page;
  EXPECT_TRUE(
      contains(page, "<title>taken from 0.55 for texts of few words</title><line class=\"mark\" x1=\"25.00%\""));
  EXPECT_TRUE(contains(page, "dashed: what the rule takes, 0.40, 0.55 for texts of few words"));
  report.thresholds.clear();
  EXPECT_FALSE(contains(to_html(report), "line class=\"mark\""));
}

TEST(ToHtml, SaysWhatTheRuleAsks) {
  Report report = sample_report();
  report.verify = "content";
  EXPECT_TRUE(contains(to_html(report), "would a reader call the two the same?"));
}

TEST(Bars, SimilaritiesBeginAtTheThreshold) {
  Report report;
  report.thresholds = {{0.44, ""}};
  EXPECT_EQ(similarity_bars(report).front().label, ".40");
  report.similarity_histogram[3] = 1;  // chains of components reach below
  EXPECT_EQ(similarity_bars(report).front().label, ".15");
}

TEST(Bars, SimilaritiesBeginWhereTheyOccur) {
  Report report;
  EXPECT_EQ(similarity_bars(report).front().label, ".50");
  report.similarity_histogram[8] = 1;
  EXPECT_EQ(similarity_bars(report).front().label, ".40");
  EXPECT_EQ(similarity_bars(report).back().label, ".95");
}

}  // namespace
}  // namespace neardup::report::report_test
