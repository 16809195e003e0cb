// Pages of which only a part could be read are duplicates of pages with the same bytes alone, whatever that part says.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/promise/engine/made_corpus.h"

namespace neardup::engine {
namespace {

class CutPages : public ::testing::TestWithParam<FamilyChoice> {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string folder_ = ::testing::TempDir() + "neardup_cut_pages_" + std::to_string(getpid());
};

TEST_P(CutPages, OfOneBeginningAllStay) {
  const std::string gap = "<!--" + std::string(size_t{16} << 20, ' ') + "-->";  // more than is read of a page
  std::string introduction;
  for (int i = 0; i < 100; ++i) introduction += "word" + std::to_string(i) + " ";
  std::vector<std::string> pages;
  for (const std::string& beginning : {std::string("a short introduction"), introduction})
    for (const char* end : {"one", "another"}) pages.push_back("<p>" + beginning + gap + end);
  pages.push_back(pages.front());
  write_jsonl(folder_ + "/in/a.jsonl", pages);
  DedupOptions options;
  options.inputs = {folder_ + "/in"};
  options.output = folder_ + "/out";
  options.recipe = *recipe::find_recipe("default");
  options.recipe.extraction = "html";
  options.family = GetParam();
  const auto report = dedup(options, {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->total.near, 0U);
  EXPECT_EQ(report->total.exact, 1U);
  EXPECT_EQ(report->total.kept, 4U);
  EXPECT_EQ(report->num_too_short, 0U);
}

TEST_P(CutPages, TheWarningNamesTheMemory) {
  write_jsonl(folder_ + "/in/a.jsonl", {"<!doctype html><p>a beginning" + std::string(600'000, ' ') + "one"});
  DedupOptions options;
  options.inputs = {folder_ + "/in"};
  options.output = folder_ + "/out";
  options.recipe = *recipe::find_recipe("default");
  options.family = GetParam();
  options.memory_bytes = uint64_t{64} << 20;
  options.num_threads = 1;
  const auto report = dedup(options, {});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_FALSE(report->warnings.empty());
  EXPECT_NE(report->warnings.front().find("as --memory leaves no more"), std::string::npos) << report->warnings.front();
  EXPECT_EQ(report->warnings.front().find("hardly any text"), std::string::npos) << report->warnings.front();
}

INSTANTIATE_TEST_SUITE_P(Families, CutPages, ::testing::Values(FamilyChoice::kSimHash, FamilyChoice::kMinHash));

}  // namespace
}  // namespace neardup::engine
