// How many texts are compared does not grow with the square of those that share a frame, and copies of one of them are
// found all the same.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/promise/engine/frame_texts.h"

namespace neardup::engine {
namespace {

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
  for (const auto& [name, text] : zoo_of_frames()) {
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
