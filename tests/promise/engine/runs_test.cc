// One run is as another: for any number of threads and shards, stopped and resumed; and none replaces another unasked.
#include <gtest/gtest.h>

#include <atomic>

#include "neardup/engine/read/idf_pass.h"
#include "neardup/recipe/recipe_tokens.h"
#include "neardup/verify/rule.h"
#include "tests/promise/engine/family_run.h"

namespace neardup::engine {
namespace {

class Runs : public FamilyRun {};

TEST_P(Runs, DeterministicForAnyNumberOfThreads) {
  std::map<std::string, std::string> expected;
  for (const int threads : {1, 2, 3, 8}) {
    DedupOptions o = options("out" + std::to_string(threads));
    o.num_threads = threads;
    run(o);
    if (expected.empty()) expected = read_results(o.output);
    EXPECT_EQ(read_results(o.output), expected) << threads << " threads";
  }
  EXPECT_TRUE(expected.contains("kept/a.jsonl"));
  EXPECT_TRUE(expected.contains("pairs.jsonl"));
  EXPECT_TRUE(expected.contains("commonness.bin"));
}

TEST_P(Runs, DeterministicForAnyNumberOfShards) {
  DedupOptions whole = options("whole");
  whole.references = {folder_ + "/in/a.jsonl"};
  whole.inputs = {folder_ + "/in/b.jsonl"};
  run(whole);
  for (const int count : {1, 2, 5, 40}) {
    DedupOptions o = whole;
    o.output = folder_ + "/shards" + std::to_string(count);
    o.shard_count = count;
    o.write_pairs = false;  // what is decided later is no matter of the shards
    o.verify = *verify::rule_from_string(count == 2 ? "jaccard:0.8" : "none");
    for (int i = count - 1; i >= 0; --i) {
      o.shard_index = i;
      run(o);
    }
    o.shard_index.reset();
    o.merge_shards = true;
    o.write_pairs = true;
    o.verify = whole.verify;
    run(o);
    EXPECT_EQ(read_results(o.output), read_results(whole.output)) << count << " shards";
  }
}

TEST_P(Runs, ShardsMayStartAtTheSameMoment) {
  DedupOptions whole = options("whole");
  run(whole);
  DedupOptions o = options("shards");
  o.shard_count = 6;
  const Status status = parallel_for(6, 6, [&](size_t i, int) -> Status {
    DedupOptions shard = o;
    shard.shard_index = static_cast<int>(i);
    if (auto report = dedup(shard, {}); !report) return fail(report.error().code, report.error().message);
    return {};
  });
  ASSERT_TRUE(status) << status.error().message;
  o.merge_shards = true;
  run(o);
  EXPECT_EQ(read_results(o.output), read_results(whole.output));
}

TEST_P(Runs, AMissingShardIsNamed) {
  DedupOptions o = options("out");
  o.shard_count = 2;
  o.shard_index = 0;
  run(o);
  o.shard_index.reset();
  o.merge_shards = true;
  const auto report = dedup(o, {});
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().message.find("--shard 1/2"), std::string::npos) << report.error().message;
}

TEST_P(Runs, OtherRunsAreNeverOverwrittenUnasked) {
  DedupOptions o = options("out");
  run(o);
  EXPECT_EQ(dedup(o, {}).error().code, Code::kMismatch);
  DedupOptions other = o;
  other.distance = 3;
  if (GetParam() == FamilyChoice::kMinHash) {
    other.distance.reset();
    other.family = FamilyChoice::kSimHash;
  }
  other.resume = true;
  const auto mixed = dedup(other, {});
  ASSERT_FALSE(mixed);
  EXPECT_NE(mixed.error().message.find(other.distance ? "--distance" : "--family"), std::string::npos)
      << mixed.error().message;
  o.resume = true;
  EXPECT_EQ(run(o).total.read, texts_.size()) << "a complete run is told again, not done again";
}

TEST_P(Runs, WhatIsReadIsNeverAmongWhatIsReplaced) {
  DedupOptions o = options("out");
  run(o);
  const auto before = read_results(o.output);
  o.overwrite = true;
  for (const std::string& input : {o.output + "/kept/a.jsonl", o.output, folder_}) {
    DedupOptions again = o;
    again.inputs = {input};
    EXPECT_EQ(dedup(again, {}).error().code, Code::kInvalidArgument) << input;
    again.inputs = {folder_ + "/in"};
    again.references = {input};
    EXPECT_EQ(dedup(again, {}).error().code, Code::kInvalidArgument) << input;
  }
  EXPECT_EQ(read_results(o.output), before);
}

TEST_P(Runs, OverwriteKeepsOldResultsUntilItHasBetterOnes) {
  DedupOptions o = options("out");
  run(o);
  const auto before = read_results(o.output);
  std::ofstream(folder_ + "/in/a.jsonl", std::ios::app) << "no json\n";
  o.overwrite = true;
  o.strict = true;
  const auto stopped = dedup(o, {});
  ASSERT_FALSE(stopped);
  EXPECT_NE(stopped.error().message.find("a.jsonl':401:"), std::string::npos) << stopped.error().message;
  EXPECT_EQ(read_results(o.output), before);
  o.strict = false;
  o.write_pairs = false;
  run(o);
  EXPECT_FALSE(std::filesystem::exists(o.output + "/pairs.jsonl")) << "left over from the run that was replaced";
}

TEST_P(Runs, FoldersOfOthersAreNotTouched) {
  DedupOptions o = options("out");
  std::filesystem::create_directories(o.output + "/kept");
  std::ofstream(o.output + "/kept/note.txt") << "mine";
  o.overwrite = true;
  EXPECT_EQ(dedup(o, {}).error().code, Code::kMismatch);
  EXPECT_TRUE(std::filesystem::exists(o.output + "/kept/note.txt"));
}

TEST_P(Runs, AnotherDictionaryBehindTheSameNameIsAnotherRun) {
  DedupOptions o = options("out");
  if (o.family == FamilyChoice::kMinHash) GTEST_SKIP() << "signatures need no dictionary";
  const auto inputs = *corpus::discover(o.inputs, {});
  ASSERT_TRUE((*learn_idf(inputs, o.read, o.recipe, {1}, {}))->save(folder_ + "/words.idf"));
  o.idf_file = folder_ + "/words.idf";
  o.shard_count = 2;
  o.shard_index = 0;
  run(o);
  feature::IdfBuilder other;
  other.add(std::vector<uint64_t>{1, 2, 3});
  ASSERT_TRUE(other.build({.tokens = recipe::tokens_json(o.recipe)})->save(folder_ + "/words.idf"));
  o.shard_index = 1;
  const auto mixed = dedup(o, {});
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().code, Code::kMismatch);
}

TEST_P(Runs, ADictionaryIsKnownByItsContents) {
  DedupOptions o = options("out");
  if (o.family == FamilyChoice::kMinHash) GTEST_SKIP() << "signatures need no dictionary";
  const auto inputs = *corpus::discover(o.inputs, {});
  const auto idf = *learn_idf(inputs, o.read, o.recipe, {1}, {});
  o.shard_count = 2;
  for (const int shard : {0, 1}) {
    o.idf_file = folder_ + "/words" + std::to_string(shard) + ".idf";
    ASSERT_TRUE(idf->save(o.idf_file));
    o.shard_index = shard;
    run(o);
  }
}

TEST_P(Runs, CommonnessOfTheSameDocumentsGivesTheSameResults) {
  DedupOptions o = options("learnt");
  run(o);
  const auto expected = read_results(o.output);
  o.commonness_file = o.output + "/commonness.bin";
  o.output = folder_ + "/given";
  run(o);
  EXPECT_EQ(read_results(o.output), expected);
}

// A form with other entries: two alone are alike, and many show that it is a form.
TEST_P(Runs, CommonnessOfAnotherRunTellsWhatIsAForm) {
  std::mt19937_64 random(5);
  const std::vector<std::string> form = made_words(random, 150);
  std::vector<std::string> texts;
  for (int i = 0; i < 30; ++i) texts.push_back(join_words(form) + " " + join_words(made_words(random, 40)));
  write_jsonl(folder_ + "/many/a.jsonl", texts);
  write_jsonl(folder_ + "/two/a.jsonl", {texts[0], texts[1]});
  DedupOptions many = options("many_out"), two = options("two_out"), told = options("told_out");
  many.inputs = {folder_ + "/many"};
  two.inputs = told.inputs = {folder_ + "/two"};
  told.commonness_file = many.output + "/commonness.bin";
  if (GetParam() == FamilyChoice::kSimHash) many.distance = two.distance = told.distance = 16;
  EXPECT_EQ(run(many).total.near, 0U);
  EXPECT_EQ(run(two).total.near, 1U);
  EXPECT_EQ(run(told).total.near, 0U);
  EXPECT_EQ(*read_file(told.output + "/commonness.bin"), *read_file(many.output + "/commonness.bin"));
}

TEST_P(Runs, CommonnessIsKnownByItsContents) {
  DedupOptions o = options("first");
  run(o);
  const std::string copy = folder_ + "/copy.bin", other = folder_ + "/other.bin";
  std::filesystem::copy_file(o.output + "/commonness.bin", copy);
  verify::Commonness table(1, 1);
  table.add(std::vector<uint32_t>{1, 2, 3});
  table.settle();
  ASSERT_TRUE(table.save(other));
  DedupOptions given = o;
  given.output = folder_ + "/given";
  given.commonness_file = o.output + "/commonness.bin";
  run(given);
  given.resume = true;
  given.commonness_file = copy;
  EXPECT_EQ(run(given).total.read, texts_.size()) << "the same counts behind another name are the same run";
  for (const std::string& file : {other, std::string()}) {
    given.commonness_file = file;
    const auto mixed = dedup(given, {});
    ASSERT_FALSE(mixed) << file;
    EXPECT_EQ(mixed.error().code, Code::kMismatch);
    EXPECT_NE(mixed.error().message.find("--commonness"), std::string::npos) << mixed.error().message;
  }
}

TEST_P(Runs, ADamagedCommonnessIsRefused) {
  DedupOptions o = options("out");
  o.commonness_file = folder_ + "/damaged.bin";
  EXPECT_EQ(dedup(o, {}).error().code, Code::kNotFound);
  std::ofstream(o.commonness_file) << "NDUPCMN\n and no more";
  EXPECT_EQ(dedup(o, {}).error().code, Code::kCorruption);
  EXPECT_FALSE(std::filesystem::exists(o.output)) << "a mistyped name leaves no folder behind";
}

TEST_P(Runs, AStoppedRunGoesOnToTheSameBytes) {
  DedupOptions whole = options("whole");
  run(whole);
  for (const uint64_t stop_after : {1, 50, 300, 650, 100000}) {
    StopRun stopper(stop_after);
    DedupOptions o = options("stopped" + std::to_string(stop_after));
    const auto first = dedup(o, stopper.context());
    if (!first) {
      EXPECT_EQ(first.error().code, Code::kCancelled);
      o.resume = true;
      run(o);
    }
    EXPECT_EQ(read_results(o.output), read_results(whole.output)) << "stopped after " << stop_after;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Runs, ::testing::Values(FamilyChoice::kSimHash, FamilyChoice::kMinHash),
                         family_name);

}  // namespace
}  // namespace neardup::engine
