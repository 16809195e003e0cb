// A store on a disk whose n-th call fails, or that loses its power: what was acknowledged is there.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "neardup/store/embedded_store.h"
#include "tests/failing_file_system.h"
#include "tests/forgetful_file_system.h"
#include "tests/keep_memory.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_look.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store::store_faults_test {
namespace {

namespace fs = std::filesystem;
constexpr int kDistance = 3;
// Every call; under sanitizers, which are here for what is done with memory, every fifth.
#ifdef __SANITIZE_ADDRESS__
constexpr uint64_t kStep = 5;
#else
constexpr uint64_t kStep = 1;
#endif
const StoreSettings kSettings{.num_fingerprints = 1, .has_passages = true, .max_distance = kDistance};

class StoreFaultsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { keep_freed_memory(); }
  void SetUp() override {
    folder_ = own_path();
    fs::remove_all(folder_);
    options_.map_keys = 64;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string folder_;
  StoreOptions options_;
};

// What a caller knows of documents 0, 1, 2, ..., all different, that it sent to a store on a bad disk.
struct Sent {
  std::vector<bool> is_acknowledged;
};

// Sends 14 documents, with checkpoints and a restart between; where something fails it goes on.
Sent send_documents(const std::string& folder, const StoreOptions& options) {
  Sent sent;
  const ByNumber judge;
  auto store = EmbeddedStore::create(folder, kSettings, options);
  for (int i = 0; i < 14; ++i) {
    if (i == 9) store = fail(Code::kCancelled, "");
    if (!store) store = EmbeddedStore::open(folder, options);
    if (!store && !fs::exists(folder + "/MANIFEST")) store = EmbeddedStore::create(folder, kSettings, options);
    bool is_acknowledged = false;
    if (store) {
      if (i % 5 == 4) static_cast<void>((*store)->checkpoint());
      const OwnedRecord document = with_passages(document_of("d" + std::to_string(i), i * 20));
      const Record view = document.view();
      const auto answers = (*store)->check_and_insert({&view, 1}, judge);
      is_acknowledged = answers.has_value();
      EXPECT_TRUE(!answers || answers->at(0).fate.kind == Kind::kNew);
    }
    sent.is_acknowledged.push_back(is_acknowledged);
  }
  return sent;
}

// What was acknowledged is there, whole, and told to be there; `only`: nothing else is.
void expect_kept(const std::string& folder, const StoreOptions& options, const Sent& sent, bool only,
                 const std::string& where) {
  const auto store = EmbeddedStore::open(folder, options);
  const bool any =
      std::find(sent.is_acknowledged.begin(), sent.is_acknowledged.end(), true) != sent.is_acknowledged.end();
  if (!store && !any) return;
  ASSERT_TRUE(store) << where << " " << store.error().message;
  const ByNumber judge;
  for (size_t i = 0; i < sent.is_acknowledged.size(); ++i) {
    const OwnedRecord document = document_of("other" + std::to_string(i), static_cast<int>(i) * 20);  // in nothing
    const Record view = document.view();
    const auto answers = (*store)->check({&view, 1}, judge);
    ASSERT_TRUE(answers) << where << " " << answers.error().message;
    const bool is_there = answers->at(0).fate.kind == Kind::kExact;
    // Of the last one before a restart nobody knows.
    if (sent.is_acknowledged[i] || (only && i != 8 && i != 13)) {
      ASSERT_EQ(is_there, sent.is_acknowledged[i]) << where << " document " << i;
    }
    ASSERT_EQ(answers->at(0).kept_id, is_there ? "d" + std::to_string(i) : "") << where;
  }
}

TEST_F(StoreFaultsTest, WhicheverCallFailsWhatIsAcknowledgedIsThereAndNothingElse) {
  for (const int error : {EIO, ENOSPC}) {
    for (uint64_t n = 1;; n += kStep) {
      SetUp();
      FailingFileSystem failing({.n = n, .error = error});
      Sent sent;
      {
        const ReplacedFileSystem replaced(failing);
        sent = send_documents(folder_, options_);
      }
      ASSERT_NO_FATAL_FAILURE(
          expect_kept(folder_, options_, sent, true, std::to_string(error) + ":" + std::to_string(n)));
      if (!failing.failed()) break;
      EXPECT_GE(std::count(sent.is_acknowledged.begin(), sent.is_acknowledged.end(), true), 12) << n;
      ASSERT_LT(n, 2000u);
    }
  }
}

TEST_F(StoreFaultsTest, AFullDiskEndsNothingForGood) {
  for (uint64_t n = 1; n < 120; n += 3) {
    SetUp();
    FailingFileSystem failing({.n = n, .error = ENOSPC, .lasts = true});
    Sent sent;
    {
      const ReplacedFileSystem replaced(failing);
      sent = send_documents(folder_, options_);
    }
    ASSERT_NO_FATAL_FAILURE(expect_kept(folder_, options_, sent, false, std::to_string(n)));
  }
}

TEST_F(StoreFaultsTest, ALossOfPowerTakesNothingThatWasAcknowledged) {
  using Unsynced = ForgetfulFileSystem::Unsynced;
  for (const Unsynced unsynced : {Unsynced::kNone, Unsynced::kNewNames, Unsynced::kRemovals, Unsynced::kByChance}) {
    for (uint64_t n = 1;; n += kStep) {
      SetUp();
      fs::create_directories(folder_);
      ForgetfulFileSystem forgetful(folder_, n);
      Sent sent;
      {
        const ReplacedFileSystem replaced(forgetful);
        sent = send_documents(folder_, options_);
      }
      if (!forgetful.lost_power()) break;
      forgetful.crash(unsynced, n);
      ASSERT_NO_FATAL_FAILURE(expect_kept(folder_, options_, sent, false,
                                          std::to_string(static_cast<int>(unsynced)) + ":" + std::to_string(n)));
      ASSERT_LT(n, 2000u);
    }
  }
}

// A call of a store, and of the model.
struct Call {
  std::function<bool(EmbeddedStore&)> of_store;  // whether it is acknowledged
  std::function<void(StoreModel&)> of_model;
};

Call arrival(const std::string& id, int number, const std::string& tag, int64_t time = 0) {
  OwnedRecord document = with_passages(document_of(id, number));
  document.tag = tag;
  document.time = time;
  return {[=](EmbeddedStore& store) {
            const Record view = document.view();
            return store.check_and_insert({&view, 1}, ByNumber()).has_value();
          },
          [=](StoreModel& model) { model.check_and_insert(document); }};
}
Call begin(const std::string& tag) {
  return {[=](EmbeddedStore& store) { return store.begin_tag(tag).has_value(); },
          [=](StoreModel& model) { model.begin_tag(tag); }};
}
Call commit(const std::string& tag) {
  return {[=](EmbeddedStore& store) { return store.commit_tag(tag).has_value(); },
          [=](StoreModel& model) { model.commit_tag(tag); }};
}
Call cancel(const std::string& tag) {
  return {[=](EmbeddedStore& store) { return store.cancel_tag(tag).has_value(); },
          [=](StoreModel& model) { model.cancel_tag(tag); }};
}
Call erase_tag(const std::string& tag) {
  return {[=](EmbeddedStore& store) { return store.erase_tag(tag).has_value(); },
          [=](StoreModel& model) { model.erase_tag(tag); }};
}
Call expire(int64_t before) {
  return {[=](EmbeddedStore& store) { return store.expire(before).has_value(); },
          [=](StoreModel& model) { model.expire(before); }};
}
Call checkpoint() {
  return {[](EmbeddedStore& store) { return store.checkpoint().has_value(); }, [](StoreModel&) {}};
}

// Two crawls that hold an id of each other and of those before; one is committed, one cancelled.
std::vector<Call> crawls() {
  return {arrival("a", 20, "", 5),
          arrival("b", 40, "old", 9),
          begin("x"),
          arrival("a", 100, "x"),
          arrival("c", 20, "x"),
          checkpoint(),
          begin("y"),
          arrival("a", 140, "y"),
          arrival("c", 141, "y"),
          commit("x"),
          checkpoint(),
          arrival("d", 100, "", 3),
          erase_tag("old"),
          arrival("e", 140, "y"),
          expire(5),
          cancel("y"),
          arrival("f", 140, ""),
          begin("x"),
          arrival("g", 5, "x")};
}

// Makes the calls, each until it is acknowledged, and opens the store again in the middle; ends where nothing goes on.
// Returns how many were acknowledged.
size_t make_calls(const std::vector<Call>& calls, const std::string& folder, const StoreOptions& options) {
  constexpr int kMostFailures = 20;
  auto store = EmbeddedStore::create(folder, kSettings, options);
  size_t i = 0;
  for (int failures = 0; i < calls.size() && failures < kMostFailures;) {
    if (!store && fs::exists(folder + "/MANIFEST")) store = EmbeddedStore::open(folder, options);
    if (!store && !fs::exists(folder + "/MANIFEST")) store = EmbeddedStore::create(folder, kSettings, options);
    const bool is_acknowledged = store && calls[i].of_store(**store);
    if (!is_acknowledged) ++failures;
    if (is_acknowledged) ++i;
    if (is_acknowledged && (i == 8 || i == 14)) store = fail(Code::kCancelled, "");
    if (is_acknowledged && (i == 8 || i == 14)) store = EmbeddedStore::open(folder, options);
  }
  return i;
}

/// Returns what is seen after none of the calls, after the first one, and so on.
std::vector<std::string> seen_after_each(const std::vector<Call>& calls) {
  StoreModel model(kDistance);
  std::vector<std::string> seen = {seen_in(model)};
  for (const Call& call : calls) {
    call.of_model(model);
    seen.push_back(seen_in(model));
  }
  return seen;
}

TEST_F(StoreFaultsTest, CrawlsGoOnWhicheverCallFails) {
  const std::vector<Call> calls = crawls();
  const std::vector<std::string> expected = seen_after_each(calls);
  for (uint64_t n = 1;; n += 2 * kStep) {
    SetUp();
    FailingFileSystem failing({.n = n, .error = EIO});
    {
      const ReplacedFileSystem replaced(failing);
      ASSERT_EQ(make_calls(calls, folder_, options_), calls.size()) << n;
    }
    const auto store = EmbeddedStore::open(folder_, options_);
    ASSERT_TRUE(store) << n << " " << store.error().message;
    ASSERT_EQ(seen_in(**store), expected.back()) << n;
    if (!failing.failed()) break;
    ASSERT_LT(n, 2000u);
  }
}

// A snapshot is there, or nothing of it.
TEST_F(StoreFaultsTest, ASnapshotIsWholeOrNotThere) {
  const std::vector<Call> calls = crawls();
  const std::vector<std::string> expected = seen_after_each(calls);
  const std::string folder = folder_ + "-snapshot";
  for (uint64_t n = 1;; ++n) {
    SetUp();
    fs::remove_all(folder);
    FailingFileSystem unsynced({});
    const ReplacedFileSystem is_unsynced(unsynced);
    ASSERT_EQ(make_calls(calls, folder_, options_), calls.size());
    auto store = EmbeddedStore::open(folder_, options_);
    ASSERT_TRUE(store);
    ASSERT_TRUE((*store)->checkpoint());
    FailingFileSystem failing({.n = n, .error = EIO});
    Status made;
    {
      const ReplacedFileSystem replaced(failing);
      made = (*store)->snapshot(folder);
    }
    if (!made) {
      EXPECT_FALSE(fs::exists(folder + "/MANIFEST")) << n;
      made = (*store)->snapshot(folder);
    }
    ASSERT_TRUE(made) << n << " " << made.error().message;
    const auto copy = EmbeddedStore::open(folder, options_);
    ASSERT_TRUE(copy) << n << " " << copy.error().message;
    ASSERT_EQ(seen_in(**copy), expected.back()) << n;
    if (!failing.failed()) break;
    ASSERT_LT(n, 500u);
  }
  fs::remove_all(folder);
}

TEST_F(StoreFaultsTest, CrawlsAreAsAcknowledgedAfterALossOfPower) {
  using Unsynced = ForgetfulFileSystem::Unsynced;
  const std::vector<Call> calls = crawls();
  const std::vector<std::string> expected = seen_after_each(calls);
  for (const Unsynced unsynced : {Unsynced::kNone, Unsynced::kNewNames, Unsynced::kRemovals, Unsynced::kByChance}) {
    for (uint64_t n = 1;; n += 2 * kStep) {
      SetUp();
      fs::create_directories(folder_);
      ForgetfulFileSystem forgetful(folder_, n);
      size_t count = 0;
      {
        const ReplacedFileSystem replaced(forgetful);
        count = make_calls(calls, folder_, options_);
      }
      if (!forgetful.lost_power()) break;
      forgetful.crash(unsynced, n);
      const auto store = EmbeddedStore::open(folder_, options_);
      if (!store && count == 0) continue;
      ASSERT_TRUE(store) << n << " " << store.error().message;
      const std::string seen = seen_in(**store);
      // What was on its way may have arrived.
      if (seen != expected[std::min(count + 1, calls.size())]) {
        ASSERT_EQ(seen, expected[count]) << static_cast<int>(unsynced) << ":" << n;
      }
      ASSERT_LT(n, 2000u);
    }
  }
}

}  // namespace
}  // namespace neardup::store::store_faults_test
