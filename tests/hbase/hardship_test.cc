// What goes wrong between clients and a real HBase: answers that are lost, clients that die, regions that move, servers
// that are started again.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "neardup/base/hash.h"
#include "tests/hbase/proxy.h"
#include "tests/hbase/server.h"

namespace neardup::remote {
namespace {

class HBaseHardship : public testing::Test {
 protected:
  void SetUp() override {
    settings_.num_fingerprints = 1;
    auto made = create_hbase_backend(uri_of(table_), settings_, {}, {});
    ASSERT_TRUE(made) << made.error().message;
    backend_ = std::move(*made);
  }
  void TearDown() override {
    const Status dropped = drop_hbase_store(uri_of(table_), {});
    EXPECT_TRUE(dropped) << dropped.error().message;
  }

  [[nodiscard]] std::unique_ptr<Backend> client(uint16_t port = 0, RemoteOptions options = {}) const {
    RemoteUri uri = uri_of(table_);
    if (port != 0) uri.port = port;
    auto opened = open_hbase_backend(uri, options);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }
  static uint64_t fingerprint(uint64_t i) { return mix64(i + 77); }

  /// Stores a document under its key as one who comes first; whether it happened, or that it failed.
  static Result<bool> add(Backend& backend, uint64_t i) {
    const uint64_t key = mix64(i), print = fingerprint(i);
    NEARDUP_ASSIGN(const Found found, backend.look_up({{&key, 1}, {&print, 1}, 1, true}));
    if (!found.by_key[0].empty()) return false;
    const std::string record = "record " + std::to_string(i);
    const StoredDocument document{found.first_reserved, record, {&key, 1}, {&print, 1}};
    Change change;
    change.keys = {&key, 1};
    change.fingerprints = {&print, 1};
    change.added = {&document, 1};
    change.documents = 1;
    NEARDUP_ASSIGN(const std::vector<bool> happened, backend.commit(*found.seen, {&change, 1}));
    return happened[0];
  }
  /// Each of [0, count) is there, once, by key and by fingerprint.
  static void expect_all(Backend& backend, uint64_t count) {
    std::vector<uint64_t> keys, prints;
    for (uint64_t i = 0; i < count; ++i) keys.push_back(mix64(i)), prints.push_back(fingerprint(i) ^ 5);
    const auto found = backend.look_up({keys, prints, 0, false});
    ASSERT_TRUE(found) << found.error().message;
    for (uint64_t i = 0; i < count; ++i) {
      ASSERT_EQ(found->by_key[i].size(), 1u) << i;
      ASSERT_EQ(found->by_fingerprint[i].size(), 1u) << i;
      EXPECT_EQ(found->by_fingerprint[i][0], found->by_key[i][0]);
      EXPECT_EQ(backend.read(found->by_key[i])->at(0), "record " + std::to_string(i));
    }
    const auto figures = backend.figures();
    ASSERT_TRUE(figures);
    EXPECT_EQ(figures->documents, count);
    EXPECT_EQ(backend.numbers_from(0, 10'000)->size(), count);
  }

  const std::string table_ = new_table();
  store::StoreSettings settings_;
  std::unique_ptr<Backend> backend_;
};

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
  Proxy proxy(uri_of(table_).port);
  const auto through = client(proxy.port());
  std::atomic<bool> ends = false;
  std::thread cutting([&] {
    while (!ends) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      proxy.cut();
    }
  });
  for (uint64_t i = 0; i < 20; ++i) {
    const auto happened = add(*through, i);
    EXPECT_TRUE(happened) << happened.error().message;
  }
  ends = true;
  cutting.join();
  expect_all(*client(), 20);
}

TEST_F(HBaseHardship, WhereNoServerAnswersTheErrorNamesTheCureAtOnce) {
  RemoteUri uri = uri_of(table_);
  uri.port = 1;
  const auto begin = std::chrono::steady_clock::now();
  const auto opened = open_hbase_backend(uri, {});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1)) << "it was never there: why wait";
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kIo);
  EXPECT_NE(opened.error().message.find("127.0.0.1:1 cannot be reached"), std::string::npos) << opened.error().message;
}

TEST_F(HBaseHardship, AServerThatSaysNothingIsGivenUp) {
  const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listening, 8), 0);
  socklen_t length = sizeof address;
  ::getsockname(listening, reinterpret_cast<sockaddr*>(&address), &length);
  RemoteUri uri = uri_of(table_);
  uri.port = ntohs(address.sin_port);
  RemoteOptions options;
  options.call_timeout = std::chrono::milliseconds(200);
  const auto begin = std::chrono::steady_clock::now();
  const auto opened = open_hbase_backend(uri, options);
  ::close(listening);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, Code::kIo);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
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
  ASSERT_EQ(found->by_key[0].size(), 1u);
  const StoredDocument gone{found->by_key[0][0], {}, {&key, 1}, {&print, 1}};
  Change change;
  change.keys = {&key, 1};
  change.erased = {&gone, 1};
  change.documents = -1;
  EXPECT_TRUE(backend_->commit(*found->seen, {&change, 1})->at(0));
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
  std::atomic<bool> ends = false;
  std::atomic<uint64_t> done = 0;
  std::thread writing([&] {
    while (!ends || done < 20) {
      const auto happened = add(*backend_, done);
      ASSERT_TRUE(happened) << happened.error().message;
      ASSERT_TRUE(*happened);
      ++done;
    }
  });
  while (done < 10) std::this_thread::yield();
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
