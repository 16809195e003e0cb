// A corpus that is reduced against a store has the results that it has against the store's documents as a file of
// references, in their order, where both weigh n-grams by the same counts; and it becomes part of the store. On every
// corpus of the repository.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "neardup/api/options_of.h"
#include "neardup/base/json.h"
#include "neardup/engine/online/text_store.h"
#include "neardup/engine/run/dedup.h"
#include "tests/own_path.h"
#include "tests/promise/api/corpora.h"

namespace neardup {
namespace {

std::string bytes_of_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

constexpr auto kOverwrite = std::filesystem::copy_options::overwrite_existing;

class StoreOfTexts : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    texts_ = texts_of_corpus(GetParam());
    ASSERT_GT(texts_.size(), 2U);
    for (size_t part = 0; part < 3; ++part) write_part(part);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_ + "/" + name; }
  [[nodiscard]] std::string input(size_t part) const { return path("in" + std::to_string(part) + ".jsonl"); }

  // Every third text, so that copies fall into different parts.
  void write_part(size_t part) const {
    std::ofstream out(input(part), std::ios::binary);
    for (size_t i = part; i < texts_.size(); i += 3) write_document(out, id_of(i));
  }

  // A run over a part; `more` names its references or store.
  template <class More>
  report::Report run(const engine::DedupOptions& base, size_t part, const std::string& output, const More& more) const {
    engine::DedupOptions options = base;
    options.inputs = {input(part)};
    options.output = path(output);
    options.overwrite = true;
    more(options);
    const auto report = engine::dedup(options, {});
    EXPECT_TRUE(report) << report.error().message;
    return report.value_or(report::Report());
  }

  void expect_same(const std::string& a, const std::string& b, size_t part) const {
    const std::string kept = "/kept/in" + std::to_string(part) + ".jsonl";
    for (const std::string& name : {std::string("/duplicates.jsonl"), std::string("/clusters.jsonl"), kept})
      EXPECT_EQ(bytes_of_file(path(a) + name), bytes_of_file(path(b) + name)) << a << " and " << b << name;
  }

  void write_document(std::ofstream& out, const std::string& id) const {
    std::string line = R"({"id":")" + id + R"(","text":)";
    append_json_string(line, texts_[std::stoul(id.substr(1))]);
    out << line << "}\n";
  }

  // Options of a run whose references are the store's new documents as a file, in their order.
  void refer_to_file(engine::DedupOptions& options) const {
    const auto store = engine::TextStore::open(path("store"));
    ASSERT_TRUE(store) << store.error().message;
    std::ofstream out(path("stored.jsonl"), std::ios::binary);
    ASSERT_TRUE((*store)->store().for_each(0, SIZE_MAX, [&](const store::Record& record) {
      if (record.fate.kind == store::Kind::kNew) write_document(out, std::string(record.id));
    }));
    options.references = {path("stored.jsonl")};
    options.distance = (*store)->settings().matching.distance;
    options.contained = (*store)->settings().matching.contained;
    if (options.verify.kind != verify::Rule::Kind::kContent) return;
    const bool has_counts = std::filesystem::exists(path("store/own-commonness.bin"));
    if (has_counts) std::filesystem::copy_file(path("store/own-commonness.bin"), path("counts.bin"), kOverwrite);
    options.commonness_file = has_counts ? path("counts.bin") : "none";
  }
  void refer_to_store(engine::DedupOptions& options) const { options.references = {path("store")}; }

  // The first part makes the store, the second comes to it, the third is reduced against both.
  void expect_as_files(const engine::DedupOptions& options) const {
    std::filesystem::remove_all(path("store"));
    const auto into_store = [this](engine::DedupOptions& o) { o.into = path("store"); };
    const auto to_file = [this](engine::DedupOptions& o) { refer_to_file(o); };
    const auto to_store = [this](engine::DedupOptions& o) { refer_to_store(o); };
    engine::DedupOptions unnamed;  // recipe and rule are the store's
    unnamed.keep = options.keep;
    unnamed.size_within = options.size_within;
    run(options, 0, "first", into_store);
    run(options, 1, "as_file", to_file);
    run(unnamed, 1, "as_store", to_store);
    expect_same("as_store", "as_file", 1);
    const report::Report added = run(unnamed, 1, "into", into_store);
    expect_same("into", "as_file", 1);
    EXPECT_EQ(added.store->num_added, added.total.kept);
    if (texts_.size() > 500) {
      EXPECT_GT(added.store->num_repeated, 10U) << "little is proved where little is repeated";
    }
    const report::Report again = run(unnamed, 1, "again", into_store);
    expect_same("again", "into", 1);
    EXPECT_EQ(again.store->num_added, 0U);
    EXPECT_EQ(again.store->num_known, again.total.kept);
    run(options, 2, "as_file", to_file);
    run(unnamed, 2, "as_store", to_store);
    expect_same("as_store", "as_file", 2);
  }

  // Every third text.
  void fill_one_by_one(const engine::DedupOptions& matching) const {
    auto store = engine::TextStore::create(path("store"), {.matching = matching});
    ASSERT_TRUE(store) << store.error().message;
    for (size_t i = 0; i < texts_.size(); i += 3) {
      const std::string id = id_of(i);
      const engine::ArrivingText arriving{.id = id, .text = texts_[i]};
      ASSERT_TRUE((*store)->check_and_insert({&arriving, 1}));
    }
  }

  std::string folder_;
  std::vector<std::string> texts_;
};

TEST_P(StoreOfTexts, ByTheCountsOfTheRunThatMadeIt) { expect_as_files({}); }

TEST_P(StoreOfTexts, ByOtherRules) {
  for (const char* verify : {"origin", "jaccard:0.5", "none"}) {
    SCOPED_TRACE(verify);
    engine::DedupOptions options;
    options.verify = *verify::rule_from_string(verify);
    options.verify_is_given = true;
    expect_as_files(options);
  }
}

TEST_P(StoreOfTexts, BySimHash) {
  engine::DedupOptions options;
  options.recipe = *recipe::find_recipe("grams");
  options.family = engine::FamilyChoice::kSimHash;
  expect_as_files(options);
}

TEST_P(StoreOfTexts, WithOtherKeepingAndSizes) {
  engine::DedupOptions options;
  options.keep = *cluster::keep_rule_from_string("longest");
  expect_as_files(options);
  options.size_within = .05;
  expect_as_files(options);
}

// A store that others filled document by document also knows who was removed: that one counts for nothing.
TEST_P(StoreOfTexts, FilledOneByOne) {
  fill_one_by_one(*options_of({.commonness_file = "none"}));
  run({}, 1, "as_store", [this](auto& o) { refer_to_store(o); });
  run({}, 1, "as_file", [this](auto& o) { refer_to_file(o); });
  expect_same("as_store", "as_file", 1);
}

// Quotes too, of texts of the run and of the store.
TEST_P(StoreOfTexts, WithWhoIsContained) {
  engine::DedupOptions options = *options_of({.commonness_file = "none"});
  options.contained = .5;
  fill_one_by_one(options);
  for (const size_t part : {1, 2}) {
    run(options, part, "as_file", [this](auto& o) { refer_to_file(o); });
    engine::DedupOptions unnamed;  // the share is the store's, too
    const report::Report report = run(unnamed, part, "as_store", [this](auto& o) { refer_to_store(o); });
    expect_same("as_store", "as_file", part);
    if (GetParam().find("judged") != std::string::npos) {
      EXPECT_GT(report.total.contained, 0U) << "little is proved where nobody quotes";
    }
  }
  engine::DedupOptions into;
  into.inputs = {input(1)};
  into.output = path("into");
  into.into = path("store");
  const auto refused = engine::dedup(into, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kUnsupported) << refused.error().message;
}

INSTANTIATE_TEST_SUITE_P(Corpora, StoreOfTexts, ::testing::ValuesIn(all_corpora()), name_of_corpus);

}  // namespace
}  // namespace neardup
