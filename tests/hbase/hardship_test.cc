// What goes wrong between clients and a real HBase: answers that are lost, clients that die, regions that move, servers
// that are started again.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "tests/hbase/fixture.h"
#include "tests/hbase/proxy.h"
#include "tests/loopback_listener.h"

namespace neardup::remote {
namespace {

using HBaseHardship = HBaseTest;

TEST_F(HBaseHardship, OfACommitWhoseAnswerIsLostTheNextTryKnows) {
  Proxy proxy(uri_of(table_).port);
  std::atomic<int> lost = 0;
  proxy.pass = [&](std::string_view bytes) {
    return bytes.find("checkAndPut") == bytes.npos || ++lost % 2 == 0;  // every first one is lost
  };
  const auto through = client(proxy.port());
  for (uint64_t i = 0; i < 5; ++i) {
    const auto happened = add(*through, i);
    ASSERT_TRUE(happened) << happened.error().message;
    EXPECT_TRUE(*happened);
  }
  EXPECT_GE(lost, 10);
  expect_all(*backend_, 5);
}

TEST_F(HBaseHardship, ConnectionsThatAreCutAreMadeAnew) {
  std::atomic<uint64_t> num_sent = 0;
  Proxy proxy(uri_of(table_).port);
  proxy.reach = [&](std::string_view) { return ++num_sent % 8 != 0; };
  const auto through = client(proxy.port());
  for (uint64_t i = 0; i < 20; ++i) {
    const auto happened = add(*through, i);
    EXPECT_TRUE(happened) << happened.error().message;
  }
  EXPECT_GT(num_sent, 3 * 8);
  expect_all(*client(), 20);
}

TEST_F(HBaseHardship, WhereNoServerAnswersTheErrorNamesTheCureAtOnce) {
  RemoteUri uri = uri_of(table_);
  uri.port = 1;
  RemoteOptions options;
  options.connect_timeout = std::chrono::seconds(60);
  const auto begin = std::chrono::steady_clock::now();
  const auto opened = open_hbase_backend(uri, options);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, options.connect_timeout / 2) << "it was never there: why wait";
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kIo);
  EXPECT_NE(opened.error().message.find("127.0.0.1:1 cannot be reached"), std::string::npos) << opened.error().message;
}

TEST_F(HBaseHardship, AServerThatSaysNothingIsGivenUp) {
  const LoopbackListener silent;
  RemoteUri uri = uri_of(table_);
  uri.port = silent.port();
  RemoteOptions options;
  options.call_timeout = std::chrono::milliseconds(200);
  const auto begin = std::chrono::steady_clock::now();
  const auto opened = open_hbase_backend(uri, options);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kIo);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, options.connect_timeout) << "waited for another limit";
}

// An entry of the log without rows: found by all, and mended by who writes next.
TEST_F(HBaseHardship, AClientThatDiesBeforeItsRowsIsMendedByOthers) {
  ASSERT_TRUE(*add(*backend_, 0));
  {
    const auto dying = client();
    dynamic_cast<hbase::LogBackend&>(*dying).before_rows = [] { return fail(Code::kIo, "it died"); };
    EXPECT_FALSE(add(*dying, 1));
  }
  const auto other = client();
  expect_all(*other, 2);
  expect_all(*backend_, 2);
  EXPECT_FALSE(*add(*other, 1)) << "it came before";
  ASSERT_TRUE(*add(*other, 2));
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // others' rows are given so long
  ASSERT_TRUE(*add(*other, 3));
  ASSERT_TRUE(*add(*other, 4));  // its entry says that all before have their rows
  const auto facts = other->figures()->facts;
  const auto log = std::ranges::find(facts, "log", &store::StoreFact::name);
  ASSERT_NE(log, facts.end());
  EXPECT_EQ(log->value, "6 entries, rows written up to 6");
  expect_all(*client(), 5);
}

// What is written twice, or late, does no harm: an erased document stays erased.
TEST_F(HBaseHardship, RowsThatAreWrittenLateDoNotBringBackWhatWasErased) {
  const auto late = client();
  std::atomic<int> step = 0;
  dynamic_cast<hbase::LogBackend&>(*late).before_rows = [&]() -> Status {
    step = 1;
    while (step != 2) std::this_thread::yield();
    return {};
  };
  std::thread writing([&] { EXPECT_TRUE(*add(*late, 0)); });
  while (step != 1) std::this_thread::yield();
  const uint64_t key = mix64(0), print = fingerprint(0);
  const auto found = backend_->look_up({{&key, 1}, {&print, 1}, 0, true});
  EXPECT_EQ(found->by_key[0].size(), 1u);
  StoredDocument gone;
  if (!found->by_key[0].empty()) {
    gone = {found->by_key[0][0], {}, {&key, 1}, {&print, 1}};
    Change change;
    change.keys = {&key, 1};
    change.erased = {&gone, 1};
    change.documents = -1;
    EXPECT_TRUE(backend_->commit(*found->seen, {&change, 1})->at(0));
  }
  step = 2;
  writing.join();
  for (const auto& who : {client(), client()}) {
    EXPECT_EQ(who->read({&gone.number, 1})->at(0), "");
    EXPECT_TRUE(who->numbers_from(0, 10)->empty());
    EXPECT_TRUE(*add(*who, 0) == (who->figures()->documents == 1));
  }
}

TEST_F(HBaseHardship, OfProcessesThatRaceOneComesFirst) {
  constexpr uint64_t kCount = 40;
  backend_.reset();
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto own = client();
      int failed = own == nullptr;
      for (uint64_t document = 0; document < kCount && failed == 0; ++document) failed = !add(*own, document);
      std::_Exit(failed);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  expect_all(*client(), kCount);
}

TEST_F(HBaseHardship, RegionsAreSplitAndMovedMeanwhile) {
  std::atomic<bool> ends = false, failed = false;
  std::atomic<uint64_t> done = 0;
  std::thread writing([&] {
    while ((!ends || done < 20) && !failed) {
      const auto happened = add(*backend_, done);
      failed = !happened || !*happened;
      EXPECT_FALSE(failed) << (happened ? "it was there" : happened.error().message);
      ++done;
    }
  });
  while (done < 10 && !failed) std::this_thread::yield();
  EXPECT_EQ(run_service("regions " + table_ + " flush reopen split"), "4 4 5");
  ends = true;
  writing.join();
  expect_all(*backend_, done);
  expect_all(*client(), done);
}

// Alone: CMakeLists.txt lets no other test run meanwhile.
TEST_F(HBaseHardship, TheServerIsStartedAgainMeanwhile) {
  for (uint64_t i = 0; i < 10; ++i) ASSERT_TRUE(*add(*backend_, i));
  const std::string uri = server_uri();
  run_service("stop");
  RemoteOptions hasty;
  hasty.connect_timeout = std::chrono::milliseconds(100);
  EXPECT_FALSE(open_hbase_backend(uri_of(table_), hasty));
  EXPECT_EQ(run_service("start"), uri) << "the same port";
  for (uint64_t i = 10; i < 20; ++i) {
    const auto happened = add(*backend_, i);  // over connections of before
    ASSERT_TRUE(happened) << happened.error().message;
  }
  expect_all(*backend_, 20);
  expect_all(*client(), 20);
}

}  // namespace
}  // namespace neardup::remote
