// The shares that live at the same time are summed up: never more than --memory.
#include "neardup/engine/memory_plan.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "neardup/engine/options.h"

namespace neardup::engine {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20, kGiB = uint64_t{1} << 30;
const std::vector<uint64_t> kSizes = {kSmallestMemory, 96 * kMiB, 100'000'000, 128 * kMiB, 256 * kMiB,
                                      777 * kMiB,      kGiB,      4 * kGiB,    16 * kGiB,  kGiB << 10};

uint64_t sum_of(const MemoryPlan& plan, const MemoryPhase& phase) {
  uint64_t sum = 0;
  for (const MemoryUse use : phase.uses) sum += plan.bytes_of(use);
  return sum;
}

// No document, few, and as many as take half of the memory.
std::vector<uint64_t> document_counts(uint64_t memory_bytes) {
  return {0, 1000, memory_bytes / 1024, (memory_bytes / 2 - 16 * kMiB) / 64};
}

TEST(MemoryPlan, WhatIsHeldTogetherFitsWhileReading) {
  for (const uint64_t size : kSizes)
    for (const bool has_dictionary : {false, true}) {
      const MemoryPlan plan({.memory_bytes = size, .has_dictionary = has_dictionary});
      for (const MemoryPhase& phase : MemoryPlan::reading())
        EXPECT_LE(sum_of(plan, phase), size < MemoryPlan::kLeastPlanned ? size + 20 * kMiB : size)
            << phase.name << " of " << size << ' ' << has_dictionary;
    }
}

TEST(MemoryPlan, WhatIsHeldTogetherFitsWhileMatching) {
  for (const uint64_t size : kSizes)
    for (const uint64_t count : document_counts(size))
      for (const uint64_t counts : {uint64_t{0}, size / 100, size / 8, size / 4}) {
        const MemoryPlan plan({.memory_bytes = size, .num_documents = count, .commonness_bytes = counts});
        for (const MemoryPhase& phase : MemoryPlan::matching()) {
          if (counts > size / 8 && size < 256 * kMiB) continue;  // counts of another run, in the least memory
          EXPECT_LE(sum_of(plan, phase), size) << phase.name << " of " << size << ", " << count << ' ' << counts;
        }
      }
}

TEST(MemoryPlan, WhatIsHeldTogetherFitsInOtherCommands) {
  for (const uint64_t size : kSizes) {
    for (const MemoryPhase& phase : MemoryPlan::evaluating())
      EXPECT_LE(sum_of(MemoryPlan(size), phase), size) << phase.name << " of " << size;
    for (const MemoryPhase& phase : MemoryPlan::pairing())
      EXPECT_LE(sum_of(MemoryPlan(size), phase), size) << phase.name << " of " << size;
  }
}

TEST(MemoryPlan, FewDocumentsChangeNoShare) {
  const MemoryPlan plan({.memory_bytes = 4 * kGiB, .num_documents = 1'000'000});
  EXPECT_EQ(plan.bytes_of(MemoryUse::kJoin), 2 * kGiB);
  EXPECT_EQ(plan.bytes_of(MemoryUse::kCandidates), kGiB);
  EXPECT_EQ(plan.bytes_of(MemoryUse::kShortTexts), 256 * kMiB);
  EXPECT_EQ(plan.bytes_of(MemoryUse::kNgramSets), 48 * kMiB);
  EXPECT_EQ(plan.bytes_of(MemoryUse::kStars), 4 * kGiB / 8 * 5 - 36'000'000 - 16 * kMiB);
}

TEST(MemoryPlan, LongRecordsFitAgain) {
  for (const uint64_t size : kSizes) {
    const uint64_t bytes = MemoryPlan(size).bytes_of(MemoryUse::kLongRecords);
    EXPECT_GE(MemoryPlan(MemoryPlan::memory_for_long_records(bytes)).bytes_of(MemoryUse::kLongRecords), bytes);
  }
}

TEST(MemoryPlan, EveryUseHasAName) {
  std::set<std::string_view> names;
  for (int use = 0; use <= static_cast<int>(MemoryUse::kColumnJoin); ++use)
    EXPECT_TRUE(names.insert(name_of(static_cast<MemoryUse>(use))).second);
  EXPECT_EQ(names.count(""), 0U);
}

TEST(MemoryPlan, NoLimitIsNoLimit) {
  EXPECT_EQ(MemoryPlan(~uint64_t{0}).bytes_of(MemoryUse::kSurveyedTexts), ~uint64_t{0} / 4);
}

TEST(MemoryPlan, ProgressHearsEachPhase) {
  struct Listener final : Progress {
    void begin_stage(std::string_view, std::string_view, uint64_t, uint64_t) override {}
    void advance(uint64_t, uint64_t) override {}
    void end_stage() override {}
    void warn(std::string_view) override {}
    void plan_memory(uint64_t memory_bytes, std::span<const MemoryShares> phases) override {
      total = memory_bytes;
      for (const MemoryShares& phase : phases) {
        names.emplace_back(phase.phase);
        for (const MemoryShares::Share& share : phase.shares) bytes += share.bytes;
      }
    }
    uint64_t total = 0, bytes = 0;
    std::vector<std::string> names;
  } listener;
  MemoryPlan(kGiB).report(MemoryPlan::reading(), &listener);
  EXPECT_EQ(listener.total, kGiB);
  EXPECT_EQ(listener.names, std::vector<std::string>{"read"});
  EXPECT_EQ(listener.bytes, sum_of(MemoryPlan(kGiB), MemoryPlan::reading()[0]));
  MemoryPlan(kGiB).report(MemoryPlan::reading(), nullptr);
}

}  // namespace
}  // namespace neardup::engine
