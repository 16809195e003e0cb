// A set in memory against a file that is read once, stopped anywhere: the pairs of the linear scan, in order.
#include "neardup/join/disk/external_stream.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/agree/join/linear_scan.h"

namespace neardup::join {
namespace {

// Breaks when it is asked for more than `most` fingerprints, and counts those that it gave.
class BreakingSource final : public Source {
 public:
  BreakingSource(const Set& set, uint64_t most) : inner_(make_array_source(set)), most_(most) {}
  Result<size_t> read(std::span<fingerprint::Fingerprint> out) override {
    NEARDUP_ASSIGN(const size_t count, inner_->read(out));
    given_ += count;
    if (given_ > most_) return fail(Code::kIo, "broken");
    return count;
  }
  [[nodiscard]] uint64_t size() const override { return inner_->size(); }
  Status skip(uint64_t count) override { return inner_->skip(count); }
  Status rewind() override { return inner_->rewind(); }
  [[nodiscard]] uint64_t given() const { return given_; }

 private:
  std::unique_ptr<Source> inner_;
  uint64_t most_, given_ = 0;
};

class ExternalStream : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "neardup_external_stream_" + std::to_string(getpid());
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] ExternalOptions options(int k) const {
    ExternalOptions options;
    options.max_distance = k;
    options.num_threads = 2;
    options.memory_bytes = ExternalOptions::kLeastMemory;
    options.folder = folder_;
    return options;
  }
  // The pairs in the order of delivery.
  static Result<Pairs> join(Source& left, Source& right, const ExternalOptions& options, int64_t step_ms) {
    Pairs pairs;
    NEARDUP_TRY(external_stream_join(
        left, right, options,
        [&](std::span<const Pair> block) -> Status {
          pairs.insert(pairs.end(), block.begin(), block.end());
          return {};
        },
        step_ms));
    return pairs;
  }

  std::string folder_;
};

// Some 300,000 fingerprints a chunk.
Set make_large(const Set& small, size_t size) {
  std::mt19937_64 random(9);
  Set large(size);
  for (size_t i = 0; i < size; ++i) large[i] = i % 7 == 0 ? small[i % small.size()] ^ (i & 0x1041) : random();
  return large;
}

TEST_F(ExternalStream, AgreesWithTheLinearScanWhicheverIsSmall) {
  const Set small = random_set(50, 3, 1), large = make_large(small, 700'000);
  const Pairs all = linear_cross_join(small, large, 8), turned = linear_cross_join(large, small, 8);
  for (const int k : {0, 3, 8}) {
    for (const bool swapped : {false, true}) {
      const auto a = make_array_source(small), b = make_array_source(large);
      const auto found = swapped ? join(*b, *a, options(k), 1000) : join(*a, *b, options(k), 0);
      ASSERT_TRUE(found) << found.error().message;
      expect_same(within(swapped ? turned : all, k), *found, "k " + std::to_string(k));
      std::filesystem::remove_all(folder_);
    }
  }
}

TEST_F(ExternalStream, GoesOnWhereItStopped) {
  const Set small = random_set(50, 3, 1), large = make_large(small, 1'500'000);
  for (const int k : {3, 7}) {
    const Pairs all = linear_cross_join(small, large, k);
    uint64_t given = 0;
    for (const uint64_t most : {400'000, 700'000, 1'000'000}) {
      const auto left = make_array_source(small);
      BreakingSource right(large, most);
      ASSERT_EQ(join(*left, right, options(k), 0).error().message, "broken");
      given += right.given();
    }
    const auto left = make_array_source(small);
    BreakingSource right(large, UINT64_MAX);
    const auto found = join(*left, right, options(k), 0);
    ASSERT_TRUE(found) << found.error().message;
    expect_same(all, *found, "k " + std::to_string(k));
    EXPECT_GT(right.given(), 0U);
    EXPECT_LT(right.given(), large.size() / 2) << "began again";
    EXPECT_GT(given + right.given(), large.size());
    BreakingSource unread(large, 0);  // all is there already
    const auto again = join(*left, unread, options(k), 0);
    ASSERT_TRUE(again) << again.error().message;
    expect_same(all, *again, "again");
    std::filesystem::remove_all(folder_);
  }
}

TEST_F(ExternalStream, RefusesTheFolderOfAnother) {
  const Set small = random_set(50, 3, 1), large = make_large(small, 1000);
  const auto a = make_array_source(small), b = make_array_source(large);
  ASSERT_TRUE(join(*a, *b, options(3), 0));
  EXPECT_EQ(join(*a, *b, options(4), 0).error().code, Code::kMismatch);
  EXPECT_EQ(join(*b, *a, options(3), 0).error().code, Code::kMismatch);
  ExternalOptions other = options(3);
  other.identity = "other";
  EXPECT_EQ(join(*a, *b, other, 0).error().code, Code::kMismatch);
}

TEST_F(ExternalStream, EmptySets) {
  const Set none, some = random_set(50, 3, 1);
  const auto a = make_array_source(none), b = make_array_source(some);
  EXPECT_TRUE(join(*a, *b, options(3), 0)->empty());
  std::filesystem::remove_all(folder_);
  EXPECT_TRUE(join(*b, *a, options(3), 0)->empty());
}

}  // namespace
}  // namespace neardup::join
