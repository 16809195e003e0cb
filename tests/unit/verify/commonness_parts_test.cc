#include "neardup/verify/commonness_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace neardup::verify::commonness_parts_test {
namespace {

constexpr uint64_t kPlenty = uint64_t{1} << 30;

std::vector<std::vector<uint32_t>> random_texts(size_t count, uint32_t num_hashes) {
  std::mt19937 random(5);
  std::vector<std::vector<uint32_t>> texts(count);
  for (auto& text : texts) {
    for (int i = 0; i < 200; ++i)
      text.push_back(static_cast<uint32_t>(random() % num_hashes) * (UINT32_MAX / num_hashes));
    std::ranges::sort(text);
    text.erase(std::unique(text.begin(), text.end()), text.end());
  }
  return texts;
}

TEST(CommonnessParts, AddUpToTheTableOfAll) {
  for (const uint32_t num_hashes : {300U, 5'000U, 1'000'000U}) {
    const auto texts = random_texts(500, num_hashes);
    Commonness whole(100'000, kPlenty);
    const uint64_t num_counters = Commonness::num_counters_for(100'000, kPlenty);
    std::vector<CommonnessSection> sections(kCommonnessSections, CommonnessSection(num_counters));
    CommonnessPart part(num_counters);
    uint64_t num_ngrams = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
      whole.add(texts[i]);
      part.add(texts[i]);
      num_ngrams += texts[i].size();
      if (i % 37 != 0 && i + 1 < texts.size()) continue;
      for (const auto& piece : part.take()) ASSERT_TRUE(sections[piece.section].add(piece.bytes));
      EXPECT_EQ(part.num_waiting(), 0U);
    }
    whole.settle();
    std::vector<uint8_t> counters;
    for (const auto& section : sections)
      counters.insert(counters.end(), section.counters().begin(), section.counters().end());
    const auto added = Commonness::of_counters(counters, texts.size(), num_ngrams).value();
    EXPECT_EQ(added->id(), whole.id());
    EXPECT_EQ(added->num_texts(), whole.num_texts());
  }
}

TEST(CommonnessParts, DamagedPiecesAreRefused) {
  CommonnessSection section(Commonness::kLeastCounters);
  EXPECT_FALSE(section.add("\xFF"));                                                    // no end
  EXPECT_FALSE(section.add(std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F")));  // far behind the end
  std::mt19937 random(1);
  for (int i = 0; i < 2'000; ++i) {  // any bytes: an answer, and nothing out of bounds
    std::string bytes;
    for (auto left = random() % 40; left > 0; --left) bytes += static_cast<char>(random() % 256);
    (void)section.add(bytes);
  }
}

TEST(CommonnessParts, CountersArePowersOfTwo) {
  EXPECT_FALSE(Commonness::of_counters({}, 0, 0));
  EXPECT_FALSE(Commonness::of_counters(std::vector<uint8_t>(3000), 0, 0));
  EXPECT_TRUE(Commonness::of_counters(std::vector<uint8_t>(2048), 0, 0));
}

}  // namespace
}  // namespace neardup::verify::commonness_parts_test
