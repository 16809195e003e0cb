// Documents in memory meet the fate that they meet in files.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "neardup/cluster/keep_rule.h"
#include "neardup/engine/run/dedup.h"
#include "neardup/engine/run/dedup_documents.h"
#include "neardup/report/render.h"
#include "tests/own_path.h"
#include "tests/promise/engine/family_run.h"

namespace neardup::engine {
namespace {

class Rows : public FamilyRun {
 protected:
  /// Of the texts that FamilyRun writes to files from `first` on, against the first `num_references` of them.
  RowFates fates_of(const DedupOptions& options, size_t first = 0, size_t num_references = 0,
                    report::Report* report = nullptr) const {
    const std::vector<std::string> in_texts(texts_.begin() + static_cast<std::ptrdiff_t>(first), texts_.end());
    const auto text_row = [](const std::string& text) { return corpus::TextRow{"", text}; };
    const corpus::RowsOf rows(in_texts, text_row);
    const std::vector<std::string> old(texts_.begin(), texts_.begin() + static_cast<std::ptrdiff_t>(num_references));
    const corpus::RowsOf references(old, text_row);
    const std::string work = folder_ + "/work";
    std::filesystem::create_directories(work);
    auto fates = dedup_documents(rows, num_references == 0 ? nullptr : &references, options, {}, work, report);
    EXPECT_TRUE(fates) << fates.error().message;
    EXPECT_TRUE(std::filesystem::is_empty(work)) << "work files are left";
    return fates ? *fates : RowFates{};
  }
};

/// "kind duplicate_of cluster similarity" of each removed document.
std::map<std::string, std::string> removed_by_files(const std::string& output) {
  std::map<std::string, std::string> removed;
  for (const auto& json : read_jsonl(output + "/duplicates.jsonl"))
    removed[json["id"]] = json["kind"].get<std::string>() + " " + json["duplicate_of"].get<std::string>() + " " +
                          json["cluster"].dump() + " " + json["distance"].dump();
  return removed;
}

std::map<std::string, std::string> removed_by_rows(const RowFates& fates, size_t first = 0) {
  std::map<std::string, std::string> removed;
  for (size_t i = 0; i < fates.rows.size(); ++i) {
    const RowFate& fate = fates.rows[i];
    if (fate.kind == RowFate::Kind::kKept) continue;
    removed["d" + std::to_string(first + i)] = (fate.kind == RowFate::Kind::kExact ? "exact d" : "near d") +
                                               std::to_string(fate.duplicate_of + (fate.of_reference ? 0 : first)) +
                                               " " + std::to_string(fate.cluster) + " " +
                                               (fate.distance ? std::to_string(*fate.distance) : "null");
  }
  return removed;
}

TEST_P(Rows, MeetTheFateOfTheSameDocumentsInFiles) {
  for (const ClusterKind cluster : {ClusterKind::kStar, ClusterKind::kComponents}) {
    DedupOptions o = options("out");
    o.overwrite = true;
    o.write_pairs = false;  // with it, components know the distance of more pairs
    o.cluster = cluster;
    const report::Report report = run(o);
    const RowFates fates = fates_of(o);
    EXPECT_EQ(removed_by_rows(fates), removed_by_files(o.output));
    EXPECT_GT(fates.num_near, 0U);
    EXPECT_EQ(fates.num_kept, report.total.kept);
    EXPECT_EQ(fates.num_exact, report.total.exact);
    EXPECT_EQ(fates.num_near, report.total.near);
  }
}

TEST_P(Rows, AreReducedAgainstReferences) {
  DedupOptions o = options("out");
  o.inputs = {folder_ + "/in/b.jsonl"};
  o.references = {folder_ + "/in/a.jsonl"};
  run(o);
  const RowFates fates = fates_of(o, 400, 400);
  EXPECT_EQ(removed_by_rows(fates, 400), removed_by_files(o.output));
  EXPECT_TRUE(std::ranges::any_of(fates.rows, [](const RowFate& fate) { return fate.of_reference; }));
}

TEST_P(Rows, AreTheSameForAnyThreadsAndBatches) {
  DedupOptions o = options("out");
  const auto one = removed_by_rows(fates_of(o));
  o.num_threads = 3;
  o.read.batch_bytes = 1;
  EXPECT_EQ(removed_by_rows(fates_of(o)), one);
}

TEST_P(Rows, ThatAreTooLongAreRejectedAndCounted) {
  texts_[5] = std::string(20000, 'x');
  DedupOptions o = options("out");
  o.read.max_record_bytes = 10000;
  const RowFates fates = fates_of(o);
  EXPECT_EQ(fates.rows[5].kind, RowFate::Kind::kRejected);
  EXPECT_EQ(fates.rows[5].duplicate_of, 5U);
  EXPECT_EQ(fates.num_rejected, 1U);
  EXPECT_EQ(fates.num_kept + fates.num_exact + fates.num_near + fates.num_rejected, texts_.size());
  texts_.erase(texts_.begin() + 5);  // the others fare as if it were not there
  const RowFates without = fates_of(o);
  EXPECT_EQ(without.num_kept, fates.num_kept);
}

// But for what names files, and the run itself.
nlohmann::json figures_of(std::string json) {
  nlohmann::json report = nlohmann::json::parse(json);
  for (const char* other : {"run", "by_input", "examples", "largest_clusters", "warnings", "settings", "duplicate_ids"})
    report.erase(other);
  return report;
}

TEST_P(Rows, HaveTheReportOfTheSameDocumentsInFiles) {
  DedupOptions o = options("out");
  o.write_pairs = false;
  const auto of_files = dedup(o, {});
  ASSERT_TRUE(of_files) << of_files.error().message;
  report::Report of_rows;
  fates_of(o, 0, 0, &of_rows);
  EXPECT_EQ(figures_of(report::to_json(of_rows)), figures_of(report::to_json(*of_files)));
  const auto& [a, b] = std::pair(of_rows.exploration, of_files->exploration);
  ASSERT_EQ(a.documents.size(), b.documents.size());
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (size_t i = 0; i < a.documents.size(); ++i) {
    EXPECT_EQ(a.documents[i].same_as, b.documents[i].same_as);
    EXPECT_EQ(a.documents[i].example, b.documents[i].example);
    const auto row = std::stoull(a.documents[i].id.substr(std::string("rows:").size())) - 1;
    EXPECT_EQ("d" + std::to_string(row), b.documents[i].id);
  }
  ASSERT_EQ(of_rows.examples.size(), of_files->examples.size());
  for (size_t i = 0; i < of_rows.examples.size(); ++i) {
    EXPECT_EQ(of_rows.examples[i].kept_text, of_files->examples[i].kept_text);
    EXPECT_EQ(of_rows.examples[i].removed_text, of_files->examples[i].removed_text);
    EXPECT_EQ(of_rows.examples[i].command, "") << "no file has them";
  }
}

TEST_P(Rows, MayBeNoneAndMayBeEmpty) {
  texts_.clear();
  EXPECT_TRUE(fates_of(options("out")).rows.empty());
  texts_ = {"", "", "", ""};
  const RowFates fates = fates_of(options("out"));
  EXPECT_EQ(fates.rows.size(), 4U);
}

std::vector<RowFate::Kind> kinds_of(const std::vector<corpus::TextRow>& documents, const DedupOptions& options) {
  const corpus::RowsOf rows(documents, [](const corpus::TextRow& row) { return row; });
  const std::string work = own_path("work");
  std::filesystem::create_directories(work);
  const auto fates = dedup_documents(rows, nullptr, options, {}, work);
  EXPECT_TRUE(fates) << fates.error().message;
  std::vector<RowFate::Kind> kinds;
  if (fates) std::ranges::transform(fates->rows, std::back_inserter(kinds), &RowFate::kind);
  return kinds;
}

constexpr std::string_view kText = "the ferry to the island leaves at noon and comes back at six in the evening";
using enum RowFate::Kind;

TEST(RowsWithMore, ThatHoldNothingAreRejectedInTheirPlaces) {
  EXPECT_EQ(kinds_of({{.is_missing = true}, {.text = kText}, {.text = kText, .is_missing = true}, {.text = kText}}, {}),
            (std::vector{kRejected, kKept, kRejected, kExact}));
}

TEST(RowsWithMore, AreKeptByTheirField) {
  DedupOptions options;
  options.keep = *cluster::keep_rule_from_string("max:rank");
  EXPECT_EQ(kinds_of({{.text = kText, .value = "1"}, {.text = kText, .value = "3"}, {.text = kText}}, options),
            (std::vector{kExact, kKept, kExact}));
}

TEST(RowsWithMore, AreComparedWithinTheirCategory) {
  DedupOptions options;
  options.read.within_key = "site";
  EXPECT_EQ(kinds_of({{.text = kText, .within = "a"}, {.text = kText, .within = "b"}, {.text = kText, .within = "a"}},
                     options),
            (std::vector{kKept, kKept, kExact}));
}

INSTANTIATE_TEST_SUITE_P(Families, Rows, ::testing::Values(FamilyChoice::kSimHash, FamilyChoice::kMinHash),
                         family_name);

}  // namespace
}  // namespace neardup::engine
