// The store in a folder against the slowest obvious one: its answers, also after it was opened again, by whatever end.
#include "neardup/store/embedded_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <mutex>
#include <random>
#include <thread>

#include "tests/failing_file_system.h"
#include "tests/forgetful_file_system.h"
#include "tests/own_path.h"
#include "tests/unit/store/store_model.h"

namespace neardup::store {
namespace {

namespace fs = std::filesystem;
constexpr int kDistance = 3;
// Every call; under sanitizers, which are here for what is done with memory, every fifth.
#ifdef __SANITIZE_ADDRESS__
constexpr uint64_t kStep = 5;
#else
constexpr uint64_t kStep = 1;
#endif
const StoreSettings kSettings{.num_fingerprints = 1, .max_distance = kDistance, .recipe_id = {}, .recipe_json = {}};

void expect_equal(const Answer& a, const Answer& b, const std::string& where) {
  ASSERT_EQ(static_cast<int>(a.fate.kind), static_cast<int>(b.fate.kind)) << where;
  ASSERT_EQ(a.kept_id, b.kept_id) << where;
  ASSERT_EQ(a.is_repeated, b.is_repeated) << where;
  if (a.fate.kind == Kind::kNear) {
    ASSERT_EQ(a.fate.similarity, b.fate.similarity) << where;
    ASSERT_EQ(a.fate.distance, b.fate.distance) << where;
  }
}

class EmbeddedStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    fs::remove_all(folder_);
    options_.map_keys = 64;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<EmbeddedStore> make() const {
    auto store = EmbeddedStore::create(folder_, kSettings, options_);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }
  std::unique_ptr<EmbeddedStore> open() const {
    auto store = EmbeddedStore::open(folder_, options_);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }
  Answer insert(EmbeddedStore& store, const OwnedRecord& document) const {
    const Record view = document.view();
    auto answers = store.check_and_insert({&view, 1}, judge_);
    EXPECT_TRUE(answers) << answers.error().message;
    return answers ? answers->at(0) : Answer();
  }
  OwnedRecord some_document(std::mt19937_64& random) const {
    OwnedRecord document = document_of("d" + std::to_string(random() % 60), static_cast<int>(random() % 80));
    if (random() % 4 == 0) document.within = "b";
    if (random() % 3 == 0) document.tag = "t" + std::to_string(random() % 3);
    if (random() % 9 == 0) document.keys.clear(), document.fingerprints.clear();
    return document;
  }

  std::string folder_;
  StoreOptions options_;
  ByNumber judge_;
};

TEST_F(EmbeddedStoreTest, TellsNewExactNearAndAgain) {
  const auto store = make();
  EXPECT_EQ(insert(*store, document_of("a", 20)).fate.kind, Kind::kNew);
  const Answer exact = insert(*store, document_of("b", 20));
  EXPECT_EQ(exact.fate.kind, Kind::kExact);
  EXPECT_EQ(exact.kept_id, "a");
  const Answer near = insert(*store, document_of("c", 21));
  EXPECT_EQ(near.fate.kind, Kind::kNear);
  EXPECT_EQ(near.kept_id, "a");
  EXPECT_EQ(near.fate.similarity, .875F);
  const Answer again = insert(*store, document_of("c", 21));
  EXPECT_TRUE(again.is_repeated);
  EXPECT_EQ(again.fate, near.fate);
  EXPECT_EQ(insert(*store, document_of("d", 21)).fate.kind, Kind::kNear);  // equal to c, which is near a
  const Answer self = insert(*store, document_of("a", 20));
  EXPECT_TRUE(self.is_repeated);
  EXPECT_EQ(self.fate.kind, Kind::kNew);
}

TEST_F(EmbeddedStoreTest, RefusesWhatCannotBeStored) {
  const auto store = make();
  OwnedRecord bad = document_of("", 1);
  Record view = bad.view();
  EXPECT_EQ(store->check_and_insert({&view, 1}, judge_).error().code, Code::kInvalidArgument);
  bad = document_of("x", 1);
  bad.fingerprints = {1, 2};
  view = bad.view();
  EXPECT_EQ(store->put({&view, 1}).error().code, Code::kInvalidArgument);
  EXPECT_EQ(EmbeddedStore::open(folder_, options_).error().code, Code::kIo);  // another one has it open
  EXPECT_EQ(EmbeddedStore::create(folder_, {}, options_).error().code, Code::kInvalidArgument);
  EXPECT_EQ(EmbeddedStore::open(folder_ + "-not", options_).error().code, Code::kNotFound);
}

TEST_F(EmbeddedStoreTest, AgreesWithTheModelThroughEverything) {
  FailingFileSystem unsynced({});
  const ReplacedFileSystem replaced(unsynced);
  for (uint64_t seed = 0; seed < 6; ++seed) {
    SetUp();
    std::mt19937_64 random(seed);
    StoreModel model(kDistance);
    auto store = make();
    for (int step = 0; step < 300; ++step) {
      const std::string where = std::to_string(seed) + ":" + std::to_string(step);
      const uint64_t what = random() % 40;
      if (what == 0) store.reset(), store = open();
      if (what == 1) {
        const Status made = store->checkpoint();
        ASSERT_TRUE(made) << made.error().message;
      }
      if (what == 2) {
        const std::string id = "d" + std::to_string(random() % 60);
        const std::string_view ids[] = {id, id};
        const auto erased = store->erase(ids);
        ASSERT_TRUE(erased);
        ASSERT_EQ(*erased, model.erase(id) ? 1u : 0u) << where;
      }
      if (what == 3) {
        const std::string tag = "t" + std::to_string(random() % 3);
        const auto erased = store->erase_tag(tag);
        ASSERT_TRUE(erased) << erased.error().message;
        ASSERT_EQ(*erased, model.erase_tag(tag)) << where;
      }
      if (what == 4) {
        const OwnedRecord document = some_document(random);
        const Record view = document.view();
        ASSERT_TRUE(store->put({&view, 1}));
        model.put(document);
      }
      if (what < 5) continue;
      std::vector<OwnedRecord> batch;
      for (uint64_t i = 0; i <= random() % 4; ++i) batch.push_back(some_document(random));
      const auto checked = store->check(views_of({batch[0]}), judge_);
      ASSERT_TRUE(checked);
      expect_equal(checked->at(0), model.check(batch[0]), where);
      const auto answers = store->check_and_insert(views_of(batch), judge_);
      ASSERT_TRUE(answers) << answers.error().message;
      for (size_t i = 0; i < batch.size(); ++i) expect_equal(answers->at(i), model.check_and_insert(batch[i]), where);
    }
    const auto statistics = store->statistics();
    ASSERT_TRUE(statistics);
    EXPECT_EQ(statistics->documents, model.ids().size());
  }
}

TEST_F(EmbeddedStoreTest, OfManyAtOnceExactlyOneIsNew) {
  options_.log_bytes = 4096;  // checkpoints meanwhile
  const auto store = make();
  constexpr int kThreads = 4, kTexts = 40;
  std::vector<int> num_new(kTexts, 0);
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kTexts; ++i) {
        const int text = (i + t * 7) % kTexts;
        const Answer answer =
            insert(*store, document_of("d" + std::to_string(t) + "-" + std::to_string(text), text * 20));
        const std::lock_guard lock(mutex);
        if (answer.fate.kind == Kind::kNew) ++num_new[static_cast<size_t>(text)];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_new, std::vector<int>(kTexts, 1));
  EXPECT_EQ(store->statistics()->documents, uint64_t{kThreads} * kTexts);
}

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
      const OwnedRecord document = document_of("d" + std::to_string(i), i * 20);
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
    const OwnedRecord document = document_of("other" + std::to_string(i), static_cast<int>(i) * 20);
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

TEST_F(EmbeddedStoreTest, WhicheverCallFailsWhatIsAcknowledgedIsThereAndNothingElse) {
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

TEST_F(EmbeddedStoreTest, AFullDiskEndsNothingForGood) {
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

TEST_F(EmbeddedStoreTest, ALossOfPowerTakesNothingThatWasAcknowledged) {
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

}  // namespace
}  // namespace neardup::store
