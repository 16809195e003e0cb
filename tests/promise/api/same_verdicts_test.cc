// Online equals offline: a Deduplicator, and a store of texts through restarts, give each document the verdict that
// `dedup --keep first` gives it in the same order, where both weigh n-grams by the same counts. On every corpus of the
// repository.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "neardup/api/options_of.h"
#include "neardup/base/json.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/online/text_store.h"
#include "neardup/engine/online/verdict_json.h"
#include "neardup/neardup.h"
#include "tests/own_path.h"
#include "tests/promise/api/corpora.h"
#include "tests/promise/engine/made_corpus.h"

namespace neardup {
namespace {

using Texts = std::vector<std::string>;

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

std::string name_of(Arrival::Kind kind) {
  if (kind == Arrival::Kind::kContained) return "contained";
  return kind == Arrival::Kind::kExact ? "exact" : "near";
}

using Lines = std::map<std::string, Line>;

class SameVerdicts : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    texts_ = texts_of_corpus(GetParam());
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
    EXPECT_EQ(stored(matching), fates) << "in a store";
    return fates;
  }

  // In batches of different sizes; closed and opened again on the way, with and without a checkpoint.
  [[nodiscard]] Lines stored(const Matching& matching) const { return stored(*options_of(matching)); }
  [[nodiscard]] Lines stored(const engine::DedupOptions& options) const {
    const std::string folder = folder_ + "/store";
    std::filesystem::remove_all(folder);
    auto store = engine::TextStore::create(folder, {.matching = options});
    EXPECT_TRUE(store) << store.error().message;
    Lines fates;
    for (size_t begin = 0, round = 1; begin < texts_.size(); ++round) {
      const size_t end = std::min(begin + 1 + round * 37 % 200, texts_.size());
      add_to(**store, begin, end, fates);
      begin = end;
      if (round % 4 == 0) {
        EXPECT_TRUE((*store)->store().checkpoint());
      }
      if (round % 5 != 0) continue;
      store->reset();
      store = engine::TextStore::open(folder);
      EXPECT_TRUE(store) << store.error().message;
    }
    return fates;
  }

  void add_to(engine::TextStore& store, size_t begin, size_t end, Lines& fates) const {
    std::vector<std::string> ids;
    for (size_t i = begin; i < end; ++i) ids.push_back(id_of(i));
    std::vector<engine::ArrivingText> arriving;
    for (size_t i = begin; i < end; ++i) arriving.push_back({.id = ids[i - begin], .text = texts_[i]});
    const auto verdicts = store.check_and_insert(arriving);
    ASSERT_TRUE(verdicts) << verdicts.error().message;
    for (size_t i = 0; i < verdicts->size(); ++i) {
      const engine::TextVerdict& verdict = (*verdicts)[i];
      EXPECT_FALSE(verdict.is_estimate || verdict.is_repeated);
      if (verdict.kind == store::Kind::kNew) continue;
      fates[ids[i]] = {std::string(engine::name_of(verdict.kind)), verdict.duplicate_of,
                       static_cast<int>(verdict.distance), engine::shown_similarity(verdict.similarity)};
    }
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

TEST_P(SameVerdicts, ByCountsOfNothing) { expect_same({.commonness_file = "none"}); }

// By what came before: a store says what a Deduplicator says.
TEST_P(SameVerdicts, OfStoreAndDeduplicatorThatLearn) { EXPECT_GE(online({}).size(), least_duplicates()); }

TEST_P(SameVerdicts, BySimHashThatLearnsNothing) {
  expect_same({.recipe = *find_recipe("grams"), .commonness_file = "none"});
}

TEST_P(SameVerdicts, ByOtherRules) {
  for (const char* verify : {"origin", "jaccard:0.5", "none"}) {
    SCOPED_TRACE(verify);
    expect_same({.verify = verify});
    expect_same({.recipe = *find_recipe("grams"), .verify = verify, .distance = 10});
  }
}

TEST_P(SameVerdicts, ByOtherRecipes) {
  for (const char* recipe : {"lines", "chinese"}) {
    SCOPED_TRACE(recipe);
    expect_same({.recipe = *find_recipe(recipe), .commonness_file = "none"});
  }
}

// Who is contained in what came before: a store says what a Deduplicator says.
TEST_P(SameVerdicts, OfStoreAndDeduplicatorOfWhoIsContained) {
  engine::DedupOptions options = *options_of({.commonness_file = "none"});
  options.contained = .6;
  auto seen = Deduplicator::create({.commonness_file = "none"}, *options.contained);
  ASSERT_TRUE(seen) << seen.error().message;
  Lines expected;
  for (size_t i = 0; i < texts_.size(); ++i) {
    const Result<Arrival> arrival = seen->add(id_of(i), texts_[i]);
    ASSERT_TRUE(arrival) << arrival.error().message;
    if (arrival->is_new()) continue;
    expected[id_of(i)] = {name_of(arrival->kind), arrival->duplicate_of, arrival->distance,
                          engine::shown_similarity(static_cast<float>(arrival->similarity))};
  }
  EXPECT_EQ(stored(options), expected);
}

INSTANTIATE_TEST_SUITE_P(Corpora, SameVerdicts, ::testing::ValuesIn(all_corpora()), name_of_corpus);

}  // namespace
}  // namespace neardup
