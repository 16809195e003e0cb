// A store on a server whose connections break, whose other clients come between, or die half-way.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "neardup/remote/crawl_changes.h"
#include "neardup/remote/remote_store.h"
#include "neardup/store/copy_store.h"
#include "tests/unit/remote/memory_backend.h"
#include "tests/unit/store/store_look.h"
#include "tests/unit/store/store_model.h"

namespace neardup::remote::remote_faults_test {
namespace {

using store::Answer;
using store::ByNumber;
using store::document_of;
using store::Kind;
using store::OwnedRecord;
using store::seen_in;
using store::Store;
using store::StoreModel;
using store::views_of;

class RemoteFaultsTest : public testing::Test {
 protected:
  void SetUp() override { reset(); }
  void reset() {
    store::StoreSettings settings{.num_fingerprints = 1};
    settings.has_passages = true;
    server_ = std::make_shared<MemoryServer>(settings);
    store_ = client();
  }
  [[nodiscard]] std::unique_ptr<RemoteStore> client() const {
    return std::make_unique<RemoteStore>(std::make_unique<MemoryBackend>(server_));
  }
  static Result<std::vector<Answer>> insert(Store& store, const std::vector<OwnedRecord>& documents) {
    return store.check_and_insert(views_of(documents), ByNumber());
  }
  /// Lets the calls from the `first` on fail, `count` of them.
  void fail_from(uint64_t first, uint64_t count, Fault fault) {
    server_->fault = [=](std::string_view, uint64_t call) {
      return call >= first && call < first + count ? fault : Fault::kNone;
    };
  }
  void fail_all_from_now(std::string_view member, Fault fault) {
    server_->fault = [=, is_broken = false](std::string_view called, uint64_t) mutable {
      const bool is_first = !is_broken && called == member;
      is_broken = is_broken || is_first;
      return is_first ? fault : (is_broken ? Fault::kBefore : Fault::kNone);
    };
  }
  void mend() { server_->fault = {}; }

  std::shared_ptr<MemoryServer> server_;
  std::unique_ptr<RemoteStore> store_;
};

OwnedRecord in_tag(OwnedRecord document, const std::string& tag) {
  document.tag = tag;
  return document;
}

// What a store is asked to do, and what of that is known beforehand.
using Step = std::function<Status(Store& store)>;
Step insertion(std::vector<OwnedRecord> documents) {
  return [documents = std::move(documents)](Store& store) -> Status {
    NEARDUP_TRY(store.check_and_insert(views_of(documents), ByNumber()));
    return {};
  };
}
template <class Call>
Step step(Call call) {
  return [call](Store& store) -> Status {
    NEARDUP_TRY(call(store));
    return {};
  };
}

std::vector<Step> some_work() {
  OwnedRecord old = document_of("old", 700);
  old.time = 5;
  return {insertion({document_of("a", 20), document_of("b", 20), document_of("c", 21), document_of("a", 400), old}),
          step([](Store& store) {
            return store.put(views_of({document_of("p", 20), document_of("b", 200)}));
          }),
          step([](Store& store) { return store.begin_tag("t"); }),
          insertion({in_tag(document_of("a", 500), "t"), in_tag(document_of("d", 501), "t"), document_of("e", 502)}),
          step([](Store& store) { return store.begin_tag("u"); }),
          insertion({in_tag(document_of("a", 600), "u"), in_tag(document_of("f", 620), "u")}),
          step([](Store& store) { return store.cancel_tag("u"); }),
          step([](Store& store) { return store.commit_tag("t"); }),
          step([](Store& store) { return store.expire(6); }),
          step([](Store& store) {
            const std::string_view ids[] = {"p", "nobody"};
            return store.erase(ids);
          }),
          insertion({in_tag(document_of("g", 800), "v"), document_of("h", 801)}),
          step([](Store& store) { return store.erase_tag("v"); })};
}

// One call fails, or so many that the store gives up and its caller calls again: what is there in the end is the same.
TEST_F(RemoteFaultsTest, WhateverCallFailsTheSameCallAgainMendsIt) {
  for (const Step& step : some_work()) ASSERT_TRUE(step(*store_));
  const std::string expected = seen_in(*store_);
  const auto counted = store_->statistics();
  const uint64_t num_calls = server_->num_calls;
  ASSERT_GT(num_calls, 30u);
  size_t num_given_up = 0;
  for (const Fault fault : {Fault::kBefore, Fault::kAfter}) {
    for (uint64_t call = 0; call < num_calls; ++call) {
      reset();
      fail_from(call, call % 9 == 0 ? 6 : 1, fault);
      for (const Step& step : some_work()) {
        Status done;
        for (int tries = 0; tries < 8 && !(done = step(*store_)); ++tries) ++num_given_up;
        ASSERT_TRUE(done) << call << ": " << done.error().message;
      }
      mend();
      ASSERT_TRUE(store_->compact());
      ASSERT_EQ(seen_in(*store_), expected) << call;
      ASSERT_EQ(store_->statistics()->documents, counted->documents) << call;
      ASSERT_EQ(store_->statistics()->duplicates, counted->duplicates) << call;
    }
  }
  EXPECT_GT(num_given_up, 5u);
}

TEST_F(RemoteFaultsTest, AnAnswerThatWasLostIsGivenAgain) {
  fail_all_from_now("commit", Fault::kAfter);
  const std::vector<OwnedRecord> documents = {document_of("a", 20), document_of("b", 21), document_of("c", 400)};
  const auto lost = insert(*store_, documents);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::kIo);
  mend();
  EXPECT_EQ(store_->statistics()->documents, 3u);
  for (const bool is_repeated : {false, true}) {
    const auto answers = insert(*store_, documents);
    ASSERT_TRUE(answers);
    EXPECT_EQ(answers->at(0).fate.kind, Kind::kNew);
    EXPECT_EQ(answers->at(1).kept_id, "a");
    for (const Answer& answer : *answers) EXPECT_EQ(answer.is_repeated, is_repeated);
  }
}

TEST_F(RemoteFaultsTest, ALostAnswerIsFoundOutWithinTheCall) {
  fail_from(1, 1, Fault::kAfter);
  const auto answers = insert(*store_, {document_of("a", 20), document_of("a", 400), document_of("b", 20)});
  ASSERT_TRUE(answers) << answers.error().message;
  for (const Answer& answer : *answers) {
    EXPECT_EQ(answer.fate.kind, Kind::kNew);
    EXPECT_FALSE(answer.is_repeated);
  }
  EXPECT_EQ(store_->statistics()->documents, 2u);  // the second one took the place of the first
}

// Another client brings the same, between looking up and committing.
TEST_F(RemoteFaultsTest, WhoComesFirstIsTheOneThatIsNew) {
  const auto other = client();
  server_->before_commit = [&] {
    server_->before_commit = {};
    const auto first = insert(*other, {document_of("x1", 100), document_of("x2", 200), document_of("x3", 300)});
    for (const Answer& answer : *first) EXPECT_EQ(answer.fate.kind, Kind::kNew);
  };
  const auto answers = insert(*store_, {document_of("a", 100), document_of("b", 200), document_of("c", 301),
                                        document_of("d", 900), document_of("e", 901), document_of("a", 100)});
  ASSERT_TRUE(answers) << answers.error().message;
  EXPECT_EQ(answers->at(0).kept_id, "x1");
  EXPECT_EQ(answers->at(1).kept_id, "x2");
  EXPECT_EQ(answers->at(2).kept_id, "x3");
  EXPECT_EQ(answers->at(2).fate.kind, Kind::kNear);
  EXPECT_EQ(answers->at(3).fate.kind, Kind::kNew);
  EXPECT_EQ(answers->at(4).kept_id, "d");
  EXPECT_EQ(answers->at(5).kept_id, "x1");
  EXPECT_TRUE(answers->at(5).is_repeated);
}

// How often others were first, and how often the server failed, is counted.
TEST_F(RemoteFaultsTest, ConflictsAndRetriesAreFacts) {
  const auto fact = [&](std::string_view name) {
    const auto statistics = store_->statistics();
    for (const store::StoreFact& one : statistics->facts)
      if (one.name == name) return one.value;
    return std::string("none");
  };
  EXPECT_EQ(fact("conflicts"), "0");
  EXPECT_EQ(fact("retries"), "0");
  const auto other = client();
  server_->before_commit = [&] {
    server_->before_commit = {};
    EXPECT_TRUE(insert(*other, {document_of("x", 100), document_of("y", 200)}));
  };
  ASSERT_TRUE(insert(*store_, {document_of("a", 100), document_of("b", 200), document_of("c", 900)}));
  EXPECT_EQ(fact("conflicts"), "2");
  fail_from(server_->num_calls, 1, Fault::kBefore);
  ASSERT_TRUE(insert(*store_, {document_of("d", 950)}));
  mend();
  EXPECT_EQ(fact("retries"), "1");
  EXPECT_EQ(fact("conflicts"), "2");
}

// The one that is repeated is erased meanwhile, with what was decided by it.
TEST_F(RemoteFaultsTest, WhatIsErasedBetweenIsNotBuiltUpon) {
  const auto other = client();
  ASSERT_TRUE(insert(*store_, {document_of("a", 20)}));
  server_->before_commit = [&] {
    server_->before_commit = {};
    const std::string_view ids[] = {"a"};
    EXPECT_EQ(*other->erase(ids), 1u);
  };
  const auto answers = insert(*store_, {document_of("b", 20), document_of("b", 20)});
  ASSERT_TRUE(answers);
  EXPECT_EQ(answers->at(0).fate.kind, Kind::kNew);
  EXPECT_TRUE(answers->at(1).is_repeated);
}

TEST_F(RemoteFaultsTest, WhereOthersAreAlwaysFasterItIsGivenUp) {
  const auto other = client();
  uint64_t turn = 0;
  server_->before_commit = [&] {
    const auto before = std::exchange(server_->before_commit, {});
    const OwnedRecord documents[] = {document_of("a", static_cast<int>(20 * ++turn))};
    EXPECT_TRUE(other->put(views_of({documents[0]})));
    server_->before_commit = before;
  };
  const Status put = store_->put(views_of({document_of("a", 5)}));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, Code::kIo);
  EXPECT_NE(put.error().message.find("send them again"), std::string::npos);
}

// The client that ends a crawl is gone before it has erased anything: all others see what is to be seen.
TEST_F(RemoteFaultsTest, WhoEndsACrawlMayDie) {
  for (const bool keeps : {true, false}) {
    reset();
    StoreModel model(3);
    const auto both = [&](const OwnedRecord& document) {
      ASSERT_TRUE(insert(*store_, {document}));
      model.check_and_insert(document);
    };
    both(document_of("a", 20)), both(document_of("b", 300)), both(document_of("e", 600));
    ASSERT_TRUE(*store_->begin_tag("t"));
    model.begin_tag("t");
    both(in_tag(document_of("a", 400), "t")), both(in_tag(document_of("c", 301), "t"));
    both(in_tag(document_of("b", 300), "t")), both(document_of("c", 500));
    int num_commits = 0;
    server_->fault = [&](std::string_view member, uint64_t) {
      return member == "commit" && ++num_commits > 1 ? Fault::kBefore : Fault::kNone;
    };
    EXPECT_FALSE(keeps ? store_->commit_tag("t") : store_->cancel_tag("t"));
    EXPECT_TRUE(keeps ? model.commit_tag("t") : model.cancel_tag("t"));
    mend();
    store_ = client();
    ASSERT_EQ(seen_in(*store_), seen_in(model));
    EXPECT_FALSE(*store_->commit_tag("t"));
    const OwnedRecord again = document_of("d", 21);  // near what is there no more, where that was superseded
    EXPECT_EQ(insert(*store_, {again})->at(0).kept_id, model.check_and_insert(again).kept_id);
    const OwnedRecord both_times = document_of("a", 22);
    EXPECT_EQ(insert(*store_, {both_times})->at(0).fate.kind, model.check_and_insert(both_times).fate.kind);
    ASSERT_EQ(seen_in(*store_), seen_in(model));
    ASSERT_TRUE(store_->compact());
    ASSERT_EQ(seen_in(*store_), seen_in(model));
    EXPECT_EQ(store_->statistics()->documents, model.ids().size());
    EXPECT_EQ(server_->records.size(), model.ids().size());
  }
}

TEST_F(RemoteFaultsTest, WhoBeginsACrawlFinishesThoseThatEnded) {
  ASSERT_TRUE(*store_->begin_tag("t"));
  ASSERT_TRUE(insert(*store_, {in_tag(document_of("a", 400), "t"), document_of("b", 20)}));
  int num_commits = 0;
  server_->fault = [&](std::string_view member, uint64_t) {
    return member == "commit" && ++num_commits > 1 ? Fault::kBefore : Fault::kNone;
  };
  EXPECT_FALSE(store_->cancel_tag("t"));
  mend();
  store_ = client();
  EXPECT_EQ(server_->records.size(), 2u);
  EXPECT_TRUE(*store_->begin_tag("u"));
  EXPECT_EQ(server_->records.size(), 1u);
}

// One client's commit of a tag is lost before it happens, and another one cancels the tag.
TEST_F(RemoteFaultsTest, ATagIsEndedByOneCallAlone) {
  for (const bool is_finished : {false, true}) {
    reset();
    ASSERT_TRUE(*store_->begin_tag("t"));
    ASSERT_TRUE(insert(*store_, {in_tag(document_of("a", 400), "t")}));
    const auto other = client();
    server_->before_commit = [&] {
      server_->before_commit = {};
      int num_commits = 0;
      if (!is_finished)
        server_->fault = [&num_commits](std::string_view member, uint64_t) {
          return member == "commit" && ++num_commits > 1 ? Fault::kBefore : Fault::kNone;
        };
      EXPECT_EQ(other->cancel_tag("t").has_value(), is_finished);
      server_->fault = [lost = false](std::string_view member, uint64_t) mutable {
        return member == "commit" && !std::exchange(lost, true) ? Fault::kBefore : Fault::kNone;
      };
    };
    const auto ended = store_->commit_tag("t");
    if (is_finished) {
      ASSERT_FALSE(ended);
      EXPECT_EQ(ended.error().code, Code::kIo);
      EXPECT_NE(ended.error().message.find("another one"), std::string::npos) << ended.error().message;
    } else {
      ASSERT_TRUE(ended) << ended.error().message;
      EXPECT_FALSE(*ended);
    }
    mend();
    EXPECT_FALSE(*store_->find("a", [](const store::Record&) {}));
  }
}

// As a process leaves it that is killed while it copies.
TEST_F(RemoteFaultsTest, ACopyThatWasNotMadeToItsEndIsNotOpened) {
  ASSERT_TRUE(insert(*store_, {document_of("a", 20)}));
  const auto from = std::exchange(store_, {});
  reset();
  const std::atomic<bool> stops = true;
  ASSERT_EQ(copy_documents(*from, *store_, {nullptr, &stops}).error().code, Code::kCancelled);
  MemoryBackend backend(server_);
  const Status whole = check_whole(backend, "redis://there/news");
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().code, Code::kInvalidArgument);
  EXPECT_NE(whole.error().message.find("neardup index drop redis://there/news"), std::string::npos);
  reset();
  ASSERT_TRUE(copy_documents(*from, *store_));
  MemoryBackend copied(server_);
  EXPECT_TRUE(check_whole(copied, "redis://there/news"));
}

TEST_F(RemoteFaultsTest, OfManyClientsExactlyOneIsNew) {
  for (const bool in_turn : {false, true}) {
    reset();
    server_->commits_in_turn = in_turn;
    constexpr int kThreads = 4, kFamilies = 40;
    const auto other = client();
    std::vector<std::atomic<int>> num_new(kFamilies);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        Store& store = t % 2 == 0 ? *store_ : *other;
        std::mt19937_64 random(static_cast<uint64_t>(t));
        for (int i = 0; i < kFamilies; i += 4) {
          std::vector<OwnedRecord> batch;
          for (int j = i; j < i + 4; ++j)
            batch.push_back(
                document_of(std::to_string(t) + "-" + std::to_string(j), j * 28 + static_cast<int>(random() % 2)));
          const auto answers = insert(store, batch);
          ASSERT_TRUE(answers) << answers.error().message;
          for (size_t j = 0; j < 4; ++j)
            if (answers->at(j).fate.kind == Kind::kNew) ++num_new[static_cast<size_t>(i) + j];
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& count : num_new) EXPECT_EQ(count, 1);
    EXPECT_EQ(store_->statistics()->documents, uint64_t{kThreads} * kFamilies);
  }
}

// All share a band and none is near: they are compared one by one, and read many at a time.
TEST_F(RemoteFaultsTest, ManyCandidatesTakeFewReads) {
  std::vector<OwnedRecord> documents;
  for (int i = 0; i < 302; ++i) {
    documents.push_back(document_of("d" + std::to_string(i), 100 + 20 * i));
    documents.back().keys = {1}, documents.back().fingerprints = {};
  }
  const std::vector<OwnedRecord> last = {documents[300], documents[301]};
  documents.resize(300);
  ASSERT_TRUE(store_->put(views_of(documents)));
  uint64_t before = server_->num_calls;
  const auto answers = insert(*store_, last);
  ASSERT_TRUE(answers) << answers.error().message;
  EXPECT_EQ(answers->at(1).fate.kind, Kind::kNew);
  EXPECT_LE(server_->num_calls - before, 8u);
  before = server_->num_calls;
  ASSERT_TRUE(store_->query(last[0].view(), ByNumber(), 9));
  EXPECT_LE(server_->num_calls - before, 6u);
}

// The server loses a document, or changes it, after it was copied.
TEST_F(RemoteFaultsTest, ACopyThatIsNotTheSameIsFound) {
  ASSERT_TRUE(insert(*store_, {document_of("a", 20), document_of("b", 300), document_of("c", 21)}));
  const auto from = std::exchange(store_, {});
  const auto damages = {std::function<void(MemoryServer&)>([](MemoryServer&) {}),
                        {[](MemoryServer& of) { of.records.erase(1); }},
                        {[](MemoryServer& of) { of.records[1] = of.records[0]; }},
                        {[](MemoryServer& of) { ++of.documents; }}};
  size_t num_copied = 0;
  for (const auto& damage : damages) {
    reset();
    server_->fault = [&, of = server_.get()](std::string_view member, uint64_t) {
      if (member == "numbers_from") damage(*of);
      return Fault::kNone;
    };
    const Status copied = copy_documents(*from, *store_);
    mend();
    num_copied += copied ? 1 : 0;
    if (!copied) {
      EXPECT_EQ(copied.error().code, Code::kMismatch) << copied.error().message;
    }
  }
  EXPECT_EQ(num_copied, 1u);
}

// Where calls go together, the failure of one judge is no other's.
class Broken : public ByNumber {
 public:
  [[nodiscard]] Result<std::optional<store::Likeness>> compare(const store::Record&,
                                                               const store::Record&) const override {
    return fail(Code::kCorruption, "broken");
  }
};

TEST_F(RemoteFaultsTest, CallsThatGoTogetherFailAlone) {
  server_->commits_in_turn = true;
  ASSERT_TRUE(insert(*store_, {document_of("a", 20)}));
  std::vector<std::thread> threads;
  std::atomic<int> num_failed = 0, num_near = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const std::vector<OwnedRecord> documents = {document_of(std::to_string(t) + "-" + std::to_string(i), 21)};
        const ByNumber well;
        const Broken broken;
        const store::Judge& judge = t % 2 == 0 ? static_cast<const store::Judge&>(well) : broken;
        auto answers = store_->check_and_insert(views_of(documents), judge);
        if (!answers) {
          EXPECT_EQ(answers.error().message, "broken");
          ++num_failed;
        } else {
          EXPECT_EQ(answers->at(0).kept_id, "a");
          ++num_near;
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_failed + num_near, 160);
  EXPECT_GE(num_near, 80);
}

}  // namespace
}  // namespace neardup::remote::remote_faults_test
