// What a stopped join left in its folder, damaged: the pairs are those of before, or it is refused.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "neardup/join/disk/external.h"
#include "neardup/join/disk/external_stream.h"
#include "tests/damage.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"

namespace neardup::join::damaged_work_test {
namespace {

using Values = std::vector<fingerprint::Fingerprint>;
using Found = std::vector<std::pair<uint64_t, uint64_t>>;

Values some_values(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Values values;
  while (values.size() < count)
    values.push_back(values.empty() || random() % 3 != 0 ? random() : values[random() % values.size()] ^ 1);
  return values;
}

// Stops a join after so many partitions.
class StopAfter : public Progress {
 public:
  explicit StopAfter(int partitions) : left_(partitions) {}
  void begin_stage(std::string_view, std::string_view, uint64_t, uint64_t) override {}
  void advance(uint64_t, uint64_t) override { is_stopped = is_stopped || left_-- == 0; }
  void end_stage() override {}
  void warn(std::string_view) override {}
  std::atomic<bool> is_stopped = false;

 private:
  int left_;
};

class DamagedJoin : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder_); }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    std::filesystem::remove_all(other_);
  }
  using Join = std::function<Status(const Values&, const ExternalOptions&, const SortedSink&)>;

  static Status self(const Values& values, const ExternalOptions& options, const SortedSink& sink) {
    return external_self_join(*make_array_source(values), options, sink);
  }
  static Status stream(const Values& values, const ExternalOptions& options, const SortedSink& sink) {
    const auto few = make_array_source(std::span(values).first(values.size() / 8));
    return external_stream_join(*few, *make_array_source(values), options, sink, 0);
  }
  // Joins, and stops after so many partitions, or before anything is delivered.
  static void stop(const Join& join, const Values& values, ExternalOptions options, int partitions) {
    StopAfter stopper(partitions);
    options.context = {&stopper, &stopper.is_stopped};
    const auto refuse = [](std::span<const Pair>) -> Status { return fail(Code::kCancelled, "no more"); };
    ASSERT_EQ(join(values, options, refuse).error().code, Code::kCancelled);
  }
  static Found all(const Join& join, const Values& values, const ExternalOptions& options, Status& status) {
    Found found;
    status = join(values, options, [&](std::span<const Pair> pairs) -> Status {
      for (const Pair& pair : pairs) found.emplace_back(pair.a, pair.b);
      return {};
    });
    return found;
  }
  [[nodiscard]] ExternalOptions options(const std::string& folder, ExternalLayout layout) const {
    ExternalOptions options;
    options.num_threads = 1;
    options.memory_bytes = ExternalOptions::kLeastMemory;
    options.folder = folder;
    options.layout = layout;
    return options;
  }

  // In each way of damage to what was left by a join that was stopped after so many partitions.
  void damage(const Join& join, ExternalLayout layout, int partitions) {
    const Values values = some_values(700, 1), others = some_values(700, 2);
    Status status;
    ExternalOptions here = options(folder_, layout), there = options(other_, layout);
    here.identity = "a";
    there.identity = "b";
    const Found right = all(join, values, here, status);
    ASSERT_TRUE(status) << status.error().message;
    ASSERT_GT(right.size(), 50u);
    for (const std::string& folder : {folder_, other_}) std::filesystem::remove_all(folder);
    stop(join, values, here, partitions);
    stop(join, others, there, partitions);
    const DamagedFolder damaged(folder_);
    const auto look = [&](const std::string& what) {
      const Found found = all(join, values, here, status);
      if (!status) {
        EXPECT_NE(status.error().message.find(folder_), std::string::npos) << what << ": " << status.error().message;
        ++num_refused_;
      } else {
        EXPECT_TRUE(found == right) << what;
      }
    };
    damaged.flip_each(3, look);
    EXPECT_GT(num_refused_, 0u);
    damaged.cut_each(look);
    damaged.exchange_each(look);
    damaged.take_each_from(other_, look);
  }

  FailingFileSystem unsynced_{{}};
  const ReplacedFileSystem replaced_{unsynced_};
  const std::string folder_ = own_path(), other_ = own_path("other");
  size_t num_refused_ = 0;
};

TEST_F(DamagedJoin, BeforeItsPairsAreDelivered) { damage(self, {1, 512}, 1000); }
TEST_F(DamagedJoin, InTheMiddleOfATable) { damage(self, {1, 512}, 2); }
TEST_F(DamagedJoin, OfASmallSetAndALargeOne) { damage(stream, {}, 1000); }

}  // namespace
}  // namespace neardup::join::damaged_work_test
