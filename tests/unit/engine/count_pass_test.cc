#include "neardup/engine/read/count_pass.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/engine/read/phrase_training.h"
#include "neardup/feature/idf_merge.h"
#include "neardup/recipe/recipe_tokens.h"

namespace neardup::engine {
namespace {

class CountPass : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("neardup_count_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
    std::mt19937 random(11);
    std::ofstream out(path("in.jsonl"), std::ios::binary);
    for (int i = 0; i < 300; ++i) {
      std::string text = "new york";
      for (int word = 0; word < 40; ++word) text += " w" + std::to_string(random() % (1 + random() % 900));
      out << R"({"id":")" << i << R"(","text":")" << text << "\"}\n";
      if (i == 7) out << "not json\n";
    }
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  [[nodiscard]] CountInput input(int num_threads, uint64_t memory_bytes) const {
    const std::vector<std::string> arguments = {path("in.jsonl")};
    CountInput input;
    input.inputs = *corpus::discover(arguments, {});
    input.read.batch_bytes = 4096;
    input.recipe = *recipe::find_recipe("paper");
    input.memory_bytes = memory_bytes;
    input.num_threads = num_threads;
    return input;
  }
  /// The names of all files that are there.
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  std::filesystem::path folder_;
};

constexpr uint64_t kPlenty = uint64_t{1} << 30;
constexpr uint64_t kHardlyAny = 1000;  // less than an empty table: every batch goes to a file

TEST_F(CountPass, DictionaryDoesNotDependOnThreadsAndMemory) {
  const auto one = train_idf(input(1, kPlenty), 1, path("one"));
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ(one->documents, 300U);
  EXPECT_EQ(one->rejected, 1U);
  EXPECT_EQ(one->num_spills, 0U);
  for (const int num_threads : {1, 3}) {
    const auto little = train_idf(input(num_threads, kHardlyAny), 1, path("little"));
    ASSERT_TRUE(little) << little.error().message;
    EXPECT_GT(little->num_spills, 5U);
    EXPECT_EQ(*read_file(path("little")), *read_file(path("one")));
  }
  EXPECT_EQ(files(), (std::vector<std::string>{"in.jsonl", "little", "one"}));
}

TEST_F(CountPass, RareTokensAreLeftOutOfTheWhole) {
  ASSERT_TRUE(train_idf(input(2, kPlenty), 3, path("one")));
  ASSERT_TRUE(train_idf(input(2, kHardlyAny), 3, path("little")));
  EXPECT_EQ(*read_file(path("little")), *read_file(path("one")));
  EXPECT_LT((*feature::Idf::load(path("one")))->num_entries(), (*feature::Idf::load(path("one")))->num_tokens());
}

TEST_F(CountPass, ShardsMergeToTheWhole) {
  ASSERT_TRUE(train_idf(input(2, kPlenty), 1, path("whole")));
  std::vector<std::string> parts;
  uint64_t num_documents = 0;
  for (int i = 0; i < 3; ++i) {
    CountInput part = input(2, kPlenty);
    part.shard_index = i;
    part.shard_count = 3;
    parts.push_back(path("part" + std::to_string(i)));
    num_documents += train_idf(part, 1, parts.back())->documents;
  }
  EXPECT_EQ(num_documents, 300U);
  ASSERT_TRUE(feature::merge_idf_files(parts, path("merged")));
  EXPECT_EQ(*read_file(path("merged")), *read_file(path("whole")));
}

TEST_F(CountPass, RejectedRecordsAreNamedWithFileAndLine) {
  CountInput all = input(2, kPlenty);
  std::vector<uint64_t> lines;
  all.on_rejected = [&](std::string_view file, uint64_t line, std::string_view message) {
    EXPECT_EQ(file, path("in.jsonl"));
    EXPECT_FALSE(message.empty());
    lines.push_back(line);
  };
  ASSERT_TRUE(train_idf(all, 1, path("out")));
  EXPECT_EQ(lines, std::vector<uint64_t>{9});
}

TEST_F(CountPass, StoppedWorkLeavesNothing) {
  std::atomic<bool> stop = true;
  CountInput all = input(1, kHardlyAny);
  all.context.cancel = &stop;
  EXPECT_EQ(train_idf(all, 1, path("out")).error().code, Code::kCancelled);
  EXPECT_EQ(files(), std::vector<std::string>{"in.jsonl"});
}

TEST_F(CountPass, PhrasesDoNotDependOnThreadsAndMemory) {
  const feature::PhraseOptions options{.min_count = 20, .least_score = 500};
  ASSERT_TRUE(train_phrases(input(1, kPlenty), options, path("one")));
  const auto little = train_phrases(input(3, kHardlyAny), options, path("little"));
  ASSERT_TRUE(little) << little.error().message;
  EXPECT_EQ(*read_file(path("little")), *read_file(path("one")));
  EXPECT_EQ(files(), (std::vector<std::string>{"in.jsonl", "little", "one"}));
  EXPECT_EQ((*feature::Phrases::load(path("one")))->size(), 1U);
}

TEST_F(CountPass, FilesOfOthersBesideTheOutputAreNotTouched) {
  for (const std::string name : {"out.words", "out.pairs", "out.counts", "out.tmp"}) {
    ASSERT_TRUE(create_directories(path(name)));
    ASSERT_TRUE(write_file_atomically(path(name + "/note.txt"), "mine"));
  }
  const auto before = files();
  std::atomic<bool> stop = true;
  CountInput stopped = input(2, kHardlyAny);
  stopped.context.cancel = &stop;
  EXPECT_FALSE(train_phrases(stopped, {.min_count = 20}, path("out")));
  EXPECT_EQ(files(), before);
  ASSERT_TRUE(train_phrases(input(2, kHardlyAny), {.min_count = 20}, path("out")));
  ASSERT_TRUE(train_idf(input(2, kHardlyAny), 1, path("out")));
  for (const std::string name : {"out.words", "out.pairs", "out.counts", "out.tmp"})
    EXPECT_EQ(*read_file(path(name + "/note.txt")), "mine");
  EXPECT_EQ(files().size(), before.size() + 1) << "the output alone is new";
}

TEST_F(CountPass, PhrasesAreOneTokenOfTheRecipe) {
  ASSERT_TRUE(train_phrases(input(2, kPlenty), {.min_count = 20}, path("p")));
  recipe::Recipe recipe = *recipe::find_recipe("paper");
  const std::string plain = recipe::tokens_json(recipe);
  ASSERT_TRUE(recipe::use_phrases(recipe, path("p")));
  EXPECT_NE(recipe::tokens_json(recipe), plain);
  recipe.fingerprints = {{.ngram = 1}};
  recipe.idf = "none";
  auto fingerprinter = recipe::Fingerprinter::create(recipe, nullptr);
  ASSERT_TRUE(fingerprinter);
  EXPECT_EQ(fingerprinter->token_hashes("in new york again").size(), 3U);
  const recipe::Explanation explanation = fingerprinter->explain("in new york again");
  recipe::TextFingerprint text_fingerprint;
  fingerprinter->fingerprint("in new york again", text_fingerprint);
  EXPECT_EQ(text_fingerprint.tokens.size(), 4U);
  EXPECT_EQ(explanation.fingerprints.at(0).features.size(), 3U);
  EXPECT_EQ(explanation.fingerprints.at(0).fingerprint, text_fingerprint.fingerprints.at(0));
  recipe::Recipe other = *recipe::find_recipe("short");
  EXPECT_EQ(recipe::use_phrases(other, path("p")).error().code, Code::kMismatch);
}

}  // namespace
}  // namespace neardup::engine
