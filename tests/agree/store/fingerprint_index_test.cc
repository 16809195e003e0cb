// FingerprintIndex against comparing a document with all others, for both widths.
#include "neardup/store/fingerprint_index.h"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <random>
#include <set>
#include <vector>

#include "neardup/store/fingerprint_words.h"
#include "tests/own_path.h"

namespace neardup::store {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<uint64_t>;
using Meetings = std::set<std::pair<size_t, uint64_t>>;

struct Case {
  uint32_t num_bits, num_fingerprints;
  int max_distance;
};

class FingerprintIndexTest : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] static StoreSettings settings() {
    StoreSettings settings;
    settings.num_fingerprints = GetParam().num_fingerprints;
    settings.num_bits = GetParam().num_bits;
    settings.max_distance = GetParam().max_distance;
    return settings;
  }
  [[nodiscard]] std::unique_ptr<FingerprintIndex> open(const std::vector<SegmentFiles>& segments = {}) {
    auto commit = [this](std::span<const uint64_t> numbers, const FingerprintIndex::WriteSegment& write) -> Status {
      segments_.clear();
      for (const uint64_t number : numbers) {
        NEARDUP_ASSIGN(const SegmentFiles files, write(number, next_file_++));
        segments_.push_back(files);
      }
      return {};
    };
    auto index = FingerprintIndex::open(folder_, settings(), segments, {}, commit);
    EXPECT_TRUE(index) << index.error().message;
    return std::move(*index);
  }

  // Near one that is there, at about the distance, or near nobody.
  Words some_words() {
    Words words(num_words(settings()));
    for (uint64_t& word : words) word = random_();
    if (!stored_.empty() && random_() % 4 != 0) words = stored_[random_() % stored_.size()];
    const auto bits = words.size() * 64;
    for (uint64_t flips = random_() % static_cast<uint64_t>(settings().max_distance * 2 + 2); flips > 0; --flips) {
      const uint64_t bit = random_() % bits;
      words[bit / 64] ^= uint64_t{1} << bit % 64;
    }
    return words;
  }

  [[nodiscard]] static bool is_near(const Words& a, const Words& b) {
    const size_t each = settings().num_bits / 64;
    for (size_t begin = 0; begin < a.size(); begin += each) {
      int distance = 0;
      for (size_t i = begin; i < begin + each; ++i) distance += std::popcount(a[i] ^ b[i]);
      if (distance <= settings().max_distance) return true;
    }
    return false;
  }
  [[nodiscard]] Meetings slow_meetings(const std::vector<Words>& asked) const {
    Meetings meetings;
    for (size_t i = 0; i < asked.size(); ++i)
      for (uint64_t number = 0; number < stored_.size(); ++number)
        if (!erased_.contains(number) && is_near(asked[i], stored_[number])) meetings.emplace(i, number);
    return meetings;
  }
  [[nodiscard]] static Meetings meetings(const FingerprintIndex& index, const std::vector<Words>& asked) {
    std::vector<Record> records(2 * asked.size());  // every second one has none
    for (size_t i = 0; i < asked.size(); ++i) records[2 * i + 1].fingerprints = asked[i];
    Meetings meetings;
    index.find_within_reach(records, [&](size_t i, uint64_t number) {
      EXPECT_EQ(i % 2, 1u);
      meetings.emplace(i / 2, number);
    });
    return meetings;
  }
  void expect_right(const FingerprintIndex& index) {
    std::vector<Words> asked;
    for (int i = 0; i < 100; ++i) asked.push_back(some_words());
    ASSERT_EQ(meetings(index, asked), slow_meetings(asked));
    const uint64_t first = stored_.size() - std::min<uint64_t>(stored_.size(), random_() % 60);
    for (const Words& words : asked) {
      bool reaches = false;
      for (uint64_t number = first; number < stored_.size(); ++number) reaches |= is_near(words, stored_[number]);
      ASSERT_EQ(index.may_be_within_reach_since(first, words), reaches);
    }
  }

  std::string folder_ = own_path();
  std::mt19937_64 random_{7};
  std::vector<Words> stored_;
  std::set<uint64_t> erased_;
  std::vector<SegmentFiles> segments_;
  uint64_t next_file_ = 1;
};

TEST_P(FingerprintIndexTest, FindsWhatALookAtAllFinds) {
  auto index = open();
  for (int round = 0; round < 6; ++round) {
    for (int i = 0; i < 150; ++i) {
      const Words words = some_words();
      ASSERT_TRUE(index->add(stored_.size(), words));
      stored_.push_back(words);
    }
    expect_right(*index);
    std::vector<uint64_t> erased;
    for (int i = 0; i < 20; ++i) erased.push_back(random_() % stored_.size());
    ASSERT_TRUE(index->erase(erased));
    erased_.insert(erased.begin(), erased.end());
    ASSERT_TRUE(round == 4 ? index->compact() : Status());
    ASSERT_TRUE(round % 2 == 1 ? index->flush() : Status());
    expect_right(*index);
  }
  ASSERT_TRUE(index->flush());
  const size_t num_segments = index->segments().size();
  EXPECT_EQ(index->figures().segments, num_segments);
  index.reset();
  index = open(std::vector(segments_));
  EXPECT_EQ(index->segments().size(), num_segments);
  std::vector<Words> asked;
  for (int i = 0; i < 200; ++i) asked.push_back(some_words());
  EXPECT_EQ(meetings(*index, asked), slow_meetings(asked));
}

INSTANTIATE_TEST_SUITE_P(Widths, FingerprintIndexTest,
                         testing::Values(Case{64, 1, 0}, Case{64, 1, 3}, Case{64, 3, 6}, Case{64, 2, 13},
                                         Case{128, 1, 0}, Case{128, 1, 3}, Case{128, 2, 6}, Case{128, 1, 12},
                                         Case{128, 2, 24}),
                         [](const auto& one) {
                           return std::to_string(one.param.num_fingerprints) + "of" +
                                  std::to_string(one.param.num_bits) + "within" +
                                  std::to_string(one.param.max_distance);
                         });

TEST(FingerprintWords, TheLowerWordIsFirst) {
  const uint64_t words[] = {1, 2, 3, 4};
  EXPECT_EQ(value_at<fingerprint::Fingerprint>(words, 2), 3u);
  EXPECT_TRUE(value_at<fingerprint::Fingerprint128>(words, 1) == ((fingerprint::Fingerprint128{4} << 64) | 3));
}

}  // namespace
}  // namespace neardup::store
