// Online equals offline: a Deduplicator gives each document the verdict that `dedup --keep first` gives it in the same
// order, where both weigh n-grams by the same counts. On every corpus of the repository.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "neardup/base/json.h"
#include "neardup/corpus/corpus.h"
#include "neardup/corpus/each_batch.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/neardup.h"
#include "tests/own_path.h"
#include "tests/promise/engine/made_corpus.h"

namespace neardup {
namespace {

using Texts = std::vector<std::string>;

Texts texts_of(const std::string& path) {
  const auto inputs = corpus::discover(std::vector{path}, {});
  EXPECT_TRUE(inputs) << inputs.error().message;
  Texts texts;
  const Status status =
      corpus::for_each_batch(*inputs, {}, {}, [&texts](const corpus::Batch& batch, uint64_t) -> Result<bool> {
        for (const corpus::Document& document : batch.documents)
          if (!document.not_utf8) texts.emplace_back(document.text);
        return true;
      });
  EXPECT_TRUE(status) << status.error().message;
  return texts;
}

// As the lines of duplicates.jsonl tell it.
struct Line {
  std::string kind, duplicate_of;
  int distance = 0;
  double similarity = 1;
  bool operator==(const Line&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Line& line) {
  return out << line.kind << " of '" << line.duplicate_of << "', distance " << line.distance << ", similarity "
             << line.similarity;
}

using Lines = std::map<std::string, Line>;

std::string id_of(size_t number) { return "d" + std::to_string(number); }

class SameVerdicts : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    texts_ = GetParam() == "made" ? engine::made_texts(3, 1500) : texts_of(GetParam());
    ASSERT_FALSE(texts_.empty());
    std::ofstream out(folder_ + "/in.jsonl", std::ios::binary);
    for (size_t i = 0; i < texts_.size(); ++i) {
      std::string line = R"({"id":")" + id_of(i) + R"(","text":)";
      append_json_string(line, texts_[i]);
      out << line << "}\n";
    }
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] Lines offline(const Matching& matching) const {
    const auto counts = dedup_files(
        {.inputs = {folder_ + "/in.jsonl"}, .output = folder_ + "/out", .matching = matching, .overwrite = true});
    EXPECT_TRUE(counts) << counts.error().message;
    Lines fates;
    for (const auto& line : engine::read_jsonl(folder_ + "/out/duplicates.jsonl"))
      fates[line["id"]] = {line["kind"], line["duplicate_of"], line["distance"], line["similarity"]};
    return fates;
  }

  [[nodiscard]] Lines online(const Matching& matching) const {
    auto seen = Deduplicator::create(matching);
    EXPECT_TRUE(seen) << seen.error().message;
    Lines fates;
    for (size_t i = 0; i < texts_.size(); ++i) {
      const Result<Arrival> arrival = seen->add(id_of(i), texts_[i]);
      EXPECT_TRUE(arrival) << arrival.error().message;
      if (arrival->is_new()) continue;
      fates[id_of(i)] = {arrival->kind == Arrival::Kind::kExact ? "exact" : "near", arrival->duplicate_of,
                         arrival->distance, engine::shown_similarity(static_cast<float>(arrival->similarity))};
    }
    return fates;
  }

  void expect_same(const Matching& as_offline, const Matching& as_online) {
    const Lines expected = offline(as_offline), found = online(as_online);
    EXPECT_GT(expected.size(), least_duplicates()) << "a corpus without duplicates proves little";
    for (const auto& [id, fate] : expected) {
      const auto at = found.find(id);
      if (at == found.end())
        ADD_FAILURE() << id << ": dedup says " << fate << ", the Deduplicator new";
      else
        EXPECT_EQ(at->second, fate) << id;
    }
    for (const auto& [id, fate] : found)
      EXPECT_TRUE(expected.contains(id)) << id << ": the Deduplicator says " << fate << ", dedup keeps it";
  }
  void expect_same(const Matching& matching) { expect_same(matching, matching); }

  // Five pages and single sentences in many languages repeat nothing.
  [[nodiscard]] size_t least_duplicates() const { return texts_.size() > 500 ? 10 : 0; }

  std::string folder_;
  Texts texts_;
};

// The counts that dedup learns from the corpus, which it leaves beside its results.
TEST_P(SameVerdicts, ByTheCountsOfTheRun) {
  const Lines learnt = offline({});
  const std::string counts = folder_ + "/counts.bin";
  std::filesystem::copy_file(folder_ + "/out/commonness.bin", counts);
  EXPECT_EQ(online({.commonness_file = counts}), learnt);
}

TEST_P(SameVerdicts, ByCountsOfNothing) {
  expect_same({.commonness_file = "none"});
  expect_same({.commonness_file = "none"}, {});
}

TEST_P(SameVerdicts, BySimHashThatLearnsNothing) {
  expect_same({.recipe = *find_recipe("grams"), .commonness_file = "none"});
}

TEST_P(SameVerdicts, ByOtherRules) {
  for (const char* verify : {"origin", "jaccard:0.5", "none"}) {
    SCOPED_TRACE(verify);
    expect_same({.verify = verify});
    expect_same({.recipe = *find_recipe("grams"), .verify = verify, .distance = 6});
  }
}

TEST_P(SameVerdicts, ByOtherRecipes) {
  for (const char* recipe : {"lines", "chinese"}) {
    SCOPED_TRACE(recipe);
    expect_same({.recipe = *find_recipe(recipe), .commonness_file = "none"});
  }
}

std::string corpus(const std::string& path) { return NEARDUP_TEST_DATA "/" + path; }

INSTANTIATE_TEST_SUITE_P(Corpora, SameVerdicts,
                         ::testing::Values("made", corpus("../../examples/corpus/peps"),
                                           corpus("../../examples/corpus/laws"), corpus("judged/documents.jsonl.zst"),
                                           corpus("languages.jsonl"), corpus("pages")),
                         [](const auto& param) {
                           std::string name = std::filesystem::path(param.param).stem().stem().string();
                           return name == "documents" ? std::string("judged") : name;
                         });

}  // namespace
}  // namespace neardup
