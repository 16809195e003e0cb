#include "neardup/engine/evaluate/evaluate.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace neardup::engine {
namespace {

// More labels than a report would tell apart: all of them are clusters of their own.
TEST(Evaluate, EveryLabelCounts) {
  constexpr int kNumLabels = 70000;
  const auto folder = std::filesystem::temp_directory_path() / ("neardup_evaluate_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  {
    std::ofstream out(folder / "in.jsonl");
    for (int label = 0; label < kNumLabels; ++label)
      for (int copy = 0; copy < (label < 100 || label >= kNumLabels - 100 ? 2 : 1); ++copy)
        out << R"({"text":"page )" << label << R"(","label":"l)" << label << "\"}\n";
  }
  EvaluateOptions options;
  options.run.inputs = {(folder / "in.jsonl").string()};
  options.run.output = (folder / "work").string();
  options.run.recipe = *recipe::find_recipe("paper");
  options.run.num_threads = 1;
  options.cluster_key = "label";
  const auto evaluation = evaluate_recipe(options, {});
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_EQ(evaluation->num_same, 200U);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace neardup::engine
