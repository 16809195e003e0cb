// How many texts are compared does not grow with the square of those that share a frame, and copies of one of them are
// found all the same.
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>

#include "tests/promise/engine/made_corpus.h"

namespace neardup::engine {
namespace {

using Random = std::mt19937_64;

std::string letters(Random& random, size_t size) {
  std::string word;
  while (word.size() < size) word += static_cast<char>('a' + random() % 26);
  return word;
}

std::string some_words(Random& random, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) text += letters(random, 6) + " ";
  return text;
}

// The pieces of frame `number`, with words of its own between them.
std::string filled_in(uint64_t number, size_t words, Random& random) {
  Random frame(number);
  std::string text;
  for (int piece = 0; piece < 3; ++piece) text += some_words(frame, words / 3) + some_words(random, 2);
  return text;
}

std::vector<std::string> texts_of(size_t count, const std::function<std::string(size_t, Random&)>& text) {
  Random random(5);
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) texts.push_back(text(i, random));
  return texts;
}

// Each differs from the one before in a few words.
std::vector<std::string> revisions(size_t count) {
  Random random(6);
  std::vector<std::string> words;
  for (int i = 0; i < 60; ++i) words.push_back(letters(random, 6));
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    for (int edit = 0; edit < 3; ++edit) words[random() % words.size()] = letters(random, 6);
    texts.push_back(join_words(words));
  }
  return texts;
}

class Frames : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }

  report::Report run(const std::vector<std::string>& texts, DedupOptions options = {}) {
    write_jsonl(folder_ + "/in/a.jsonl", texts);
    options.inputs = {folder_ + "/in"};
    options.output = folder_ + "/out" + std::to_string(++num_runs_);
    output_ = options.output;
    options.recipe = *recipe::find_recipe("default");
    const auto report = dedup(options, {});
    EXPECT_TRUE(report) << report.error().message;
    return *report;
  }
  double compared_each(const std::vector<std::string>& texts) {
    return static_cast<double>(run(texts).num_verified) / static_cast<double>(texts.size());
  }
  std::string removed() const { return *read_file(output_ + "/duplicates.jsonl"); }

  std::string folder_ = ::testing::TempDir() + "neardup_frames_" + std::to_string(getpid());
  std::string output_;
  int num_runs_ = 0;
};

TEST_F(Frames, FewTextsAreComparedWhateverTheyShare) {
  using Text = std::function<std::string(size_t, Random&)>;
  const std::pair<const char*, Text> zoo[] = {
      {"one frame", [](size_t, Random& random) { return filled_in(1, 45, random); }},
      {"a long frame", [](size_t, Random& random) { return filled_in(1, 45, random) + some_words(random, 40); }},
      {"a hundred frames", [](size_t i, Random& random) { return filled_in(i % 100, 45, random); }},
      {"frames of frames",
       [](size_t i, Random& random) { return filled_in(1, 30, random) + filled_in(i % 20, 24, random); }},
      {"short", [](size_t i, Random&) { return "order number " + std::to_string(i) + " shipped"; }},
      {"one text",
       [](size_t i, Random& random) { return filled_in(1, 45, random).substr(0, 150) + (i % 2 ? "." : ""); }},
      {"all different", [](size_t, Random& random) { return some_words(random, 30); }},
  };
  for (const auto& [name, text] : zoo) {
    const double few = compared_each(texts_of(300, text)), many = compared_each(texts_of(1200, text));
    EXPECT_LE(many, 300) << name;
    EXPECT_LE(many, 1.6 * few + 30) << name << ": all with all would be four times as many";
  }
  EXPECT_LE(compared_each(revisions(1000)), 60);
}

TEST_F(Frames, CopiesOfOneOfThemAreFound) {
  std::vector<std::string> texts = texts_of(1500, [](size_t, Random& random) { return filled_in(1, 45, random); });
  const std::vector<size_t> copied = {3, 400, 1100, 1499};
  for (const size_t i : copied) texts.push_back("also " + texts[i] + " once more");
  run(texts);
  std::vector<std::pair<std::string, std::string>> expected, found;
  for (size_t i = 0; i < copied.size(); ++i)
    expected.emplace_back("d" + std::to_string(1500 + i), "d" + std::to_string(copied[i]));
  for (const nlohmann::json& json : read_jsonl(output_ + "/duplicates.jsonl"))
    found.emplace_back(json["id"], json["duplicate_of"]);
  EXPECT_EQ(found, expected);
}

TEST_F(Frames, TheSameForAnyThreadsAndWithPairs) {
  std::vector<std::string> texts = texts_of(700, [](size_t i, Random& random) { return filled_in(i % 7, 24, random); });
  for (size_t i = 0; i < 100; ++i) texts.push_back("also " + texts[5 * i]);
  run(texts, {.num_threads = 1});
  const std::string expected = removed();
  EXPECT_GT(expected.size(), 5000U);
  run(texts, {.num_threads = 3});
  EXPECT_EQ(removed(), expected);
  run(texts, {.write_pairs = true});
  EXPECT_EQ(removed(), expected) << "from a list of all pairs";
}

}  // namespace
}  // namespace neardup::engine
