// A report as a real run would give it, in our own words: several scripts, long and short names, every section filled.
#pragma once

#include <string>

#include "neardup/report/figures.h"

namespace neardup::report {

inline PairExample sample_pair(std::string kept_id, std::string removed_id, std::string kept, std::string removed_text,
                               int distance, double similarity) {
  PairExample pair;
  pair.kept_id = std::move(kept_id);
  pair.removed_id = std::move(removed_id);
  pair.kept_text = std::move(kept);
  pair.removed_text = std::move(removed_text);
  pair.kind = similarity == 1 && distance == 0 ? "exact" : "near";
  pair.distance = distance;
  pair.similarity = similarity;
  return pair;
}

inline std::string sample_article() {
  return "The harbour office opens a second ferry line\n\n"
         "From the first Monday of May a second ferry crosses the bay every twenty minutes. The boats\n"
         "carry ninety passengers and thirty bicycles each, and a ticket costs as much as a bus ride.\n"
         "People who live on the far side have asked for this line since the bridge was closed for\n"
         "repairs two winters ago.\n\n"
         "The town paid for the boats with the money that a third lane on the bridge would have cost.\n"
         "\"We counted the cars for a year,\" the harbour master said, \"and most of them carried one\n"
         "person and no luggage.\" The first boat leaves at five in the morning, the last one shortly\n"
         "after midnight.\n\n"
         "In bad weather the crossing takes a little longer; in a storm buses run around the bay.\n";
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  size_t position = text.find(from);
  return position == std::string::npos ? text : text.replace(position, from.size(), to);
}

inline std::vector<PairExample> sample_examples() {
  std::string article = sample_article();
  std::string reprint = replaced(article, "ninety passengers", "up to 120 people");
  reprint = replaced(reprint, "shortly\nafter midnight", "at half past eleven");
  reprint = replaced(reprint, "in a storm buses run around the bay", "in a storm there is no service");
  std::vector<PairExample> pairs;
  pairs.push_back(sample_pair("news/2026/ferry-1", "mirror/8812", article, reprint, 6, 0.7421));
  pairs.push_back(sample_pair("zh/0007", "zh/0391",
                              "市图书馆从五月起每天晚上开到十点，周末也不例外。读者可以在网上预约座位，也可以借阅电子书"
                              "。馆长说，新的自习室有两百个座位。",
                              "市圖書館從六月起每天晚上開到九點，周末也不例外。读者可以在网上预约座位，也可以借阅电子书"
                              "。馆长说，新的自习室有三百个座位。",
                              9, 0.5512));
  pairs.push_back(
      sample_pair("ar/12", "ar/77", "تفتح المكتبة العامة أبوابها كل مساء حتى الساعة العاشرة ابتداء من شهر مايو.",
                  "تفتح المكتبة العامة أبوابها كل مساء حتى الساعة التاسعة ابتداء من شهر يونيو.", 4, 0.6203));
  pairs.push_back(sample_pair("ja/3", "ja/4", "図書館は五月から毎晩十時まで開いています。席はウェブで予約できます。",
                              "図書館は六月から毎晩九時まで開いています。席はウェブで予約できます。", 3, 0.6811));
  pairs.push_back(
      sample_pair("th/3", "th/9", "ห้องสมุดเปิดทุกวันถึงสี่ทุ่มตั้งแต่เดือนพฤษภาคม", "ห้องสมุดเปิดทุกวันถึงสามทุ่มตั้งแต่เดือนมิถุนายน", 5, 0.6));
  pairs.push_back(sample_pair(
      "<script>alert(1)</script>", "\"><img src=x onerror=alert(2)>",
      "A text with <b>tags</b> & entities &lt; and a bell \a, an override \u202E here.",
      std::string("A text with <i>tags</i> & entities &lt; and bad bytes \xff\xfe and a zero ") + '\0' + ".", 2, 0.8));
  pairs.push_back(sample_pair("copy/1", "copy/2", article, article, 0, 1));
  return pairs;
}

inline Tally sample_tally(std::string name, uint64_t kept, uint64_t exact, uint64_t near, uint64_t rejected) {
  Tally tally;
  tally.name = std::move(name);
  tally.read = kept + exact + near + rejected;
  tally.kept = kept, tally.exact = exact, tally.near = near, tally.rejected = rejected;
  tally.bytes_read = tally.read * 3755;
  tally.bytes_removed = (exact + near) * 3755;
  return tally;
}

inline void add_figures(Report& report) {
  report.total = sample_tally("total", 9021, 1204, 5669, 3);
  report.num_clusters = 2310;
  report.num_candidates = 48211, report.num_verified = 31877, report.num_similar = 9120;
  report.num_too_short = 412;
  report.num_duplicate_ids = 2;
  report.duplicate_id_examples = {"post-17", "post-18"};
  report.by_input = {sample_tally("crawl/2026-10/part-00007.jsonl.zst", 21, 300, 1900, 1),
                     sample_tally("crawl/2026-10/part-00001.jsonl.zst", 4000, 400, 2369, 0),
                     sample_tally("archive/\u65b0\u805e/part-00000.jsonl", 5000, 504, 1400, 2)};
  report.group_key = "language";
  report.by_group = {sample_tally("en", 5021, 804, 4669, 3), sample_tally("zh", 4000, 400, 1000, 0)};
  report.distance_histogram = {310, 402, 611, 702, 688, 640, 590, 507, 461, 402, 356};
  report.similarity_histogram = {0, 0, 0, 0, 0, 0, 0, 0, 120, 140, 177, 230, 260, 322, 410, 490, 580, 720, 980, 1240};
  report.thresholds = {{0.4, ""}, {0.55, "texts of few words"}};
  report.just_above = 0.06, report.num_just_above = 148;
  report.cluster_sizes = {{2, 1100}, {3, 500}, {4, 290}, {6, 300}, {11, 90}, {30, 27}, {70, 2}, {612, 1}};
  report.rejections = {{"broken JSON", 2}, {"the field \"text\" is missing", 1}};
}

inline void add_settings(Report& report) {
  report.version = "0.1.0";
  report.command = "neardup dedup crawl/ archive/ -o clean --group-key language --keep longest";
  report.started = "2026-11-21T10:20:30Z";
  report.recipe_id = "d41f0c2a";
  report.recipe_json =
      R"({"version":1,"normalise":"nfkc-casefold","fingerprints":[{"tokens":"words","weights":"tf-idf"},{"tokens":"2-grams","weights":"one"}]})";
  report.distance = 10;
  report.verify = "origin", report.keep = "longest", report.cluster = "star", report.mode = "remove";
  report.stages = {{"read", 0.8124, 59700000, 15897},
                   {"exact", 0.011, 0, 15897},
                   {"join", 0.0302, 0, 48211},
                   {"verify", 0.3001, 0, 31877},
                   {"write", 0.2, 59700000, 15897}};
  report.seconds = 1.3537;
  report.peak_memory_bytes = 141000000;
  report.num_threads = 2;
}

inline Report sample_report() {
  Report report;
  add_figures(report);
  add_settings(report);
  report.examples = sample_examples();
  report.largest_clusters = {
      {612, "0", "news/2026/ferry-1", sample_article().substr(0, 240), {"mirror/8812", "mirror/8813", "mirror/9001"}},
      {70, "14", "zh/0007", report.examples[1].kept_text, {"zh/0391"}}};
  return report;
}

}  // namespace neardup::report
