// A made corpus on disk, and runs over it with either family.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/report/figures.h"
#include "tests/own_path.h"
#include "tests/promise/engine/made_corpus.h"

namespace neardup::engine {

class FamilyRun : public ::testing::TestWithParam<FamilyChoice> {
 protected:
  void SetUp() override {
    folder_ = own_path();
    std::filesystem::remove_all(folder_);
    texts_ = made_texts(7, 700);
    write_jsonl(folder_ + "/in/a.jsonl", {texts_.begin(), texts_.begin() + 400});
    write_jsonl(folder_ + "/in/b.jsonl", {texts_.begin() + 400, texts_.end()}, 400);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  DedupOptions options(const std::string& output) const {
    DedupOptions options;
    options.inputs = {folder_ + "/in"};
    options.output = folder_ + "/" + output;
    options.recipe = *recipe::find_recipe("default");
    options.family = GetParam();
    options.read.batch_bytes = 5000;  // many batches
    options.write_pairs = true;
    return options;
  }
  report::Report run(const DedupOptions& options) const {
    auto report = dedup(options, {});
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : report::Report{};
  }

  std::string folder_;
  std::vector<std::string> texts_;
};

/// Stops a run after so many steps, or where a stage begins.
class StopRun : public Progress {
 public:
  explicit StopRun(uint64_t steps) : left_(steps) {}
  explicit StopRun(std::string stage) : left_(UINT64_MAX), stage_(std::move(stage)) {}
  void begin_stage(std::string_view name, std::string_view, uint64_t, uint64_t) override {
    if (name == stage_) stop_ = true;
    count();
  }
  void advance(uint64_t, uint64_t) override { count(); }
  void end_stage() override { count(); }
  void warn(std::string_view) override {}
  [[nodiscard]] Context context() { return {.progress = this, .cancel = &stop_}; }

 private:
  void count() { stop_ = stop_ || left_-- == 0; }
  std::atomic<bool> stop_ = false;
  uint64_t left_;
  std::string stage_;
};

inline std::string family_name(const ::testing::TestParamInfo<FamilyChoice>& family) {
  return family.param == FamilyChoice::kSimHash ? "simhash" : "minhash";
}

using Pairs = std::set<std::pair<std::string, std::string>>;

inline std::pair<std::string, std::string> ordered(const std::string& a, const std::string& b) {
  return a < b ? std::pair(a, b) : std::pair(b, a);
}

inline Pairs found_pairs(const std::string& output) {
  Pairs pairs;
  for (const auto& json : read_jsonl(output + "/pairs.jsonl"))
    EXPECT_TRUE(pairs.insert(ordered(json["a"], json["b"])).second) << "delivered twice: " << json.dump();
  return pairs;
}

}  // namespace neardup::engine
