// Small closed logs are joined, and of many only some are open.
#include "neardup/store/log_joins.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <numeric>

#include "neardup/store/check_store.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/open_records.h"
#include "neardup/store/repair_store.h"
#include "tests/failing_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_look.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store::log_joins_test {
namespace {

namespace fs = std::filesystem;
using Ranges = std::vector<std::pair<size_t, size_t>>;

TEST(PickJoins, FourOfOneSizeAreDue) {
  constexpr uint64_t kMost = uint64_t{1} << 26;
  const auto due = [](const std::vector<uint64_t>& sizes) { return pick_joins(sizes, kMost, Effort::kDue); };
  EXPECT_EQ(due({}), Ranges());
  EXPECT_EQ(due({9, 9, 9}), Ranges());
  EXPECT_EQ(due({kMost, 9, 9, 9, 0}), (Ranges{{1, 5}}));
  EXPECT_EQ(due({9, 9, kMost, 9, 9, kMost + 9}), Ranges()) << "neighbours alone";
  EXPECT_EQ(due({1 << 20, 1 << 20, 1 << 20, 1 << 20, 9}), (Ranges{{0, 5}}));
  EXPECT_EQ(due({1 << 24, 9, 9, 9}), Ranges()) << "not all of the long one again for three short ones";
  EXPECT_EQ(due({kMost, kMost, kMost, kMost}), Ranges());
  EXPECT_EQ(pick_joins(std::vector<uint64_t>(40, 9), 1, Effort::kDue), Ranges());
}

TEST(PickJoins, OfAllNoTwoThatFitStayApart) {
  EXPECT_EQ(pick_joins(std::vector<uint64_t>{9, 9, 9, 101, 60, 40, 1}, 100, Effort::kAll), (Ranges{{0, 3}, {4, 6}}));
  EXPECT_EQ(pick_joins(std::vector<uint64_t>{}, 100, Effort::kAll), Ranges());
}

// However many logs come, each byte is written again a few times.
TEST(PickJoins, LogsThatComeForEverStayFew) {
  constexpr uint64_t kMost = 1 << 26;
  std::vector<uint64_t> sizes;
  uint64_t written = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    sizes.push_back(20'000);
    for (const auto& [first, last] : pick_joins(sizes, kMost, Effort::kDue)) {
      const auto begin = sizes.begin() + static_cast<std::ptrdiff_t>(first);
      const auto end = sizes.begin() + static_cast<std::ptrdiff_t>(last);
      *begin = std::accumulate(begin, end, uint64_t{0});
      written += *begin;
      sizes.erase(begin + 1, end);
    }
    ASSERT_LT(sizes.size(), 60u);
  }
  EXPECT_LT(written, 10u * kCount * 20'000);
}

class JoinedLogsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    fs::remove_all(folder_);
    options_.map_keys = 64;
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::unique_ptr<EmbeddedStore> make() const {
    auto store = EmbeddedStore::create(folder_, {.num_fingerprints = 1, .max_distance = 3}, options_);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }
  [[nodiscard]] size_t num_files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  FailingFileSystem unsynced_{{}};
  const ReplacedFileSystem replaced_{unsynced_};
  std::string folder_;
  StoreOptions options_;
};

// Erasures, tags and times are as before, also for who opens it, checks it, or makes it again out of its logs alone.
TEST_F(JoinedLogsTest, HoldWhatTheyHeld) {
  auto store = make();
  StoreModel model(3);
  std::mt19937_64 random(1);
  const ByNumber judge;
  for (int i = 0; i < 300; ++i) {
    const OwnedRecord document = some_document(random);
    const Record view = document.view();
    ASSERT_TRUE(store->check_and_insert({&view, 1}, judge));
    model.check_and_insert(document);
    if (i % 50 == 20) {
      const std::string gone = "d" + std::to_string(random() % 60);
      ASSERT_TRUE(store->erase(std::vector<std::string_view>{gone}));
      model.erase(gone);
    }
    if (i % 3 == 0) ASSERT_TRUE(store->checkpoint());
    ASSERT_LE(store->statistics()->record_files, 4u) << i;
  }
  EXPECT_EQ(seen_in(*store), seen_in(model));
  ASSERT_TRUE(store->compact());
  EXPECT_EQ(store->statistics()->record_files, 1u);
  EXPECT_LE(num_files(), 12u);
  const auto expired = store->expire(5);
  ASSERT_TRUE(expired);
  EXPECT_EQ(*expired, model.expire(5));
  const std::string seen = seen_in(*store);
  EXPECT_EQ(seen, seen_in(model));
  store.reset();
  const auto checked = check_store(folder_, options_);
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->faults, std::vector<std::string>());
  fs::remove(folder_ + "/MANIFEST");
  const auto repaired = repair_store(folder_, options_);
  ASSERT_TRUE(repaired) << repaired.error().message;
  EXPECT_EQ(repaired->lost, std::vector<std::string>());
  const auto again = EmbeddedStore::open(folder_, options_);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(seen_in(**again), seen);
}

// Lowers the limit of the process, and puts it back however the test ends.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t count) {
    if (getrlimit(RLIMIT_NOFILE, &before_) != 0) return;
    const rlimit few{count, before_.rlim_max};
    is_set_ = setrlimit(RLIMIT_NOFILE, &few) == 0;
  }
  ~FewDescriptors() {
    if (is_set_) static_cast<void>(setrlimit(RLIMIT_NOFILE, &before_));
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  [[nodiscard]] bool is_set() const { return is_set_; }

 private:
  rlimit before_{};
  bool is_set_ = false;
};

TEST_F(JoinedLogsTest, OfManyLogsSomeAreOpen) {
  const FewDescriptors few(128);
  ASSERT_TRUE(few.is_set());
  options_.log_bytes = 1;  // none are joined
  const auto store = make();
  for (int i = 0; i < 150; ++i) {
    ASSERT_TRUE(store->put(views_of({document_of("d" + std::to_string(i), i * 20)}))) << i;
    const Status made = store->checkpoint();
    ASSERT_TRUE(made) << made.error().message;
  }
  EXPECT_EQ(store->statistics()->record_files, 150u);
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 150; ++i) ASSERT_TRUE(*store->find("d" + std::to_string(i), [](const Record&) {})) << i;
  EXPECT_LE(OpenRecords::of_process().size(), 32u);
}

}  // namespace
}  // namespace neardup::store::log_joins_test
