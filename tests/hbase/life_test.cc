// Stores on a real HBase that are made, dropped and made again: beside clients that have them open, and by clients that
// die meanwhile.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "neardup/remote/stored_bytes.h"
#include "tests/hbase/fixture.h"
#include "tests/hbase/proxy.h"

namespace neardup::remote {
namespace {

class HBaseLife : public HBaseTest {
 protected:
  /// All that a client can ask of a store says so, and none of it waits for its limit.
  static void expect_all_fail(Backend& backend, const Seen& seen, std::string_view words) {
    const uint64_t key = mix64(0), print = fingerprint(0), number = 0;
    const std::string record = "record";
    const StoredDocument document{99, record, {&key, 1}, {&print, 1}};
    Change change;
    change.added = {&document, 1};
    const auto begin = std::chrono::steady_clock::now();
    const auto expect = [&](std::string_view what, const auto& result) {
      ASSERT_FALSE(result) << what;
      EXPECT_EQ(result.error().code, Code::kIo) << what;
      EXPECT_NE(result.error().message.find(words), std::string::npos) << what << ": " << result.error().message;
    };
    expect("commit", backend.commit(seen, {&change, 1}));
    expect("look_up", backend.look_up({{&key, 1}, {&print, 1}, 0, false}));
    expect("look_up with numbers", backend.look_up({{&key, 1}, {&print, 1}, 5, true}));
    expect("read", backend.read({&number, 1}));
    expect("numbers_from", backend.numbers_from(0, 10));
    expect("reserve_numbers", backend.reserve_numbers(1));
    expect("figures", backend.figures());
    expect("compact", backend.compact());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, RemoteOptions().call_timeout);
  }
  [[nodiscard]] std::shared_ptr<const Seen> seen_by(Backend& backend) const {
    const uint64_t key = mix64(0);
    return backend.look_up({{&key, 1}, {}, 0, true})->seen;
  }
  void drop() const {
    const Status dropped = drop_hbase_store(uri_of(table_), {});
    ASSERT_TRUE(dropped) << dropped.error().message;
  }
  [[nodiscard]] std::unique_ptr<Backend> create() const {
    auto made = create_hbase_backend(uri_of(table_), settings_, {}, {});
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : nullptr;
  }
  /// What a client does that dies when it begins the call of this name.
  template <class What>
  static void die_at(std::string_view call, const What& what) {
    Proxy proxy(uri_of("any").port);
    std::atomic<bool> is_dead = false;
    proxy.reach = [&](std::string_view bytes) {
      if (bytes.find(call) != bytes.npos) is_dead = true;
      return !is_dead;
    };
    RemoteOptions options;
    options.context.cancel = &is_dead;
    what(proxy.port(), options);
    EXPECT_TRUE(is_dead);
  }
};

TEST_F(HBaseLife, AClientOfAStoreThatWasDroppedSaysSo) {
  ASSERT_TRUE(*add(*backend_, 0));
  const auto seen = seen_by(*backend_);
  drop();
  expect_all_fail(*backend_, *seen, "dropped");
  EXPECT_NE(create(), nullptr);
}

TEST_F(HBaseLife, AClientOfAStoreThatWasMadeAgainNeitherAnswersNorWrites) {
  for (uint64_t i = 0; i < 5; ++i) ASSERT_TRUE(*add(*backend_, i));
  const auto seen = seen_by(*backend_);
  drop();
  const auto other = create();
  ASSERT_TRUE(*add(*other, 0));
  expect_all_fail(*backend_, *seen, "open the store again");
  expect_all(*other, 1);
  expect_all(*client(), 1);
  EXPECT_EQ(*other->reserve_numbers(0), 1u);
}

TEST_F(HBaseLife, RowsOfTheStoreThatWasDroppedDoNotComeIntoTheOneThatWasMadeAgain) {
  std::unique_ptr<Backend> other;
  dynamic_cast<hbase::LogBackend&>(*backend_).before_rows = [&]() -> Status {
    drop();
    other = create();
    return {};
  };
  const auto happened = add(*backend_, 0);
  ASSERT_FALSE(happened);
  EXPECT_EQ(happened.error().code, Code::kIo) << happened.error().message;
  expect_all(*other, 0);
  const uint64_t key = mix64(0), print = fingerprint(0);
  const auto found = other->look_up({{&key, 1}, {&print, 1}, 0, false});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(found->by_key[0].empty());
  EXPECT_TRUE(found->by_fingerprint[0].empty());
}

// createTable, putMultiple of files, the first entry, the settings: at whichever of them it dies.
TEST_F(HBaseLife, ACreateThatDiedIsFinishedByTheNextOne) {
  const std::vector<store::GivenFile> files = {{"list", "of some bytes"}};
  for (const std::string_view call : {"putMultiple", "checkAndPut"}) {
    drop();
    die_at(call, [&](uint16_t port, const RemoteOptions& options) {
      RemoteUri uri = uri_of(table_);
      uri.port = port;
      EXPECT_FALSE(create_hbase_backend(uri, settings_, options, files));
    });
    const auto opened = open_hbase_backend(uri_of(table_), {});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Code::kNotFound);
    EXPECT_NE(opened.error().message.find("not made to its end"), std::string::npos) << opened.error().message;
    EXPECT_FALSE(*is_hbase_store(uri_of(table_), {}));
    const auto other = create_hbase_backend(uri_of(table_, "ttl=60"), settings_, {}, files);
    ASSERT_FALSE(other) << "with other options";
    EXPECT_NE(other.error().message.find("drop"), std::string::npos) << other.error().message;
    const auto made = create_hbase_backend(uri_of(table_), settings_, {}, files);
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_TRUE(*add(**made, 0));
    expect_all(*client(), 1);
    EXPECT_EQ(client()->settings().files.size(), 1u);
    EXPECT_FALSE(create_hbase_backend(uri_of(table_), settings_, {}, files)) << "there is one now";
  }
}

TEST_F(HBaseLife, WhatACreateThatDiedLeftCanBeDropped) {
  drop();
  die_at("checkAndPut", [&](uint16_t port, const RemoteOptions& options) {
    RemoteUri uri = uri_of(table_);
    uri.port = port;
    EXPECT_FALSE(create_hbase_backend(uri, settings_, options, {}));
  });
  drop();
  EXPECT_FALSE(drop_hbase_store(uri_of(table_), {}));
  EXPECT_NE(create(), nullptr);
}

TEST_F(HBaseLife, ADropThatDiedIsFinishedByTheNextOne) {
  const auto seen = seen_by(*backend_);
  die_at("deleteTable", [&](uint16_t port, const RemoteOptions& options) {
    RemoteUri uri = uri_of(table_);
    uri.port = port;
    EXPECT_FALSE(drop_hbase_store(uri, options));
  });
  for (const auto& refused :
       {open_hbase_backend(uri_of(table_), {}), create_hbase_backend(uri_of(table_), settings_, {}, {})}) {
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("drop it again"), std::string::npos) << refused.error().message;
  }
  expect_all_fail(*backend_, *seen, "drop it again");
  drop();
  EXPECT_FALSE(*is_hbase_store(uri_of(table_), {}));
  const auto made = create();
  expect_all(*made, 0);
}

TEST_F(HBaseLife, AnswersThatAreLostDoNotStopACreateOrADrop) {
  Proxy proxy(uri_of(table_).port);
  std::set<std::string_view> lost;
  proxy.pass = [&](std::string_view bytes) {
    for (const std::string_view call : {"createTable", "checkAndPut", "disableTable", "deleteTable"})
      if (bytes.find(call) != bytes.npos && lost.insert(call).second) return false;  // the first one of each
    return true;
  };
  RemoteUri uri = uri_of(table_);
  uri.port = proxy.port();
  const Status dropped = drop_hbase_store(uri, {});
  ASSERT_TRUE(dropped) << dropped.error().message;
  const auto made = create_hbase_backend(uri, settings_, {}, {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(lost.size(), 4u);
  ASSERT_TRUE(*add(*client(), 0));
}

TEST_F(HBaseLife, ATableThatIsNoStoreIsNeitherOpenedNorDropped) {
  const std::string table = new_table();
  hbase_wire::TTableDescriptor descriptor;
  descriptor.tableName.qualifier = table;
  descriptor.columns.emplace_back().name = "m";
  descriptor.__isset.columns = true;
  hbase::Gateway gateway(uri_of(table), {});
  ASSERT_TRUE(gateway.call("making a table", {[&](hbase::Client& on) { on.send_createTable(descriptor, {}); },
                                              [](hbase::Client& on) { on.recv_createTable(); }}));
  const auto opened = open_hbase_backend(uri_of(table), {});
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("no store of neardup"), std::string::npos) << opened.error().message;
  EXPECT_FALSE(drop_hbase_store(uri_of(table), {}));
  const auto made = create_hbase_backend(uri_of(table), settings_, {}, {});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("there is a table"), std::string::npos) << made.error().message;
  const auto& name = descriptor.tableName;
  EXPECT_TRUE(gateway.call("disabling it", {[&](hbase::Client& on) { on.send_disableTable(name); },
                                            [](hbase::Client& on) { on.recv_disableTable(); }}));
  EXPECT_TRUE(gateway.call("removing it", {[&](hbase::Client& on) { on.send_deleteTable(name); },
                                           [](hbase::Client& on) { on.recv_deleteTable(); }}));
}

TEST_F(HBaseLife, ACompressionThatTheServerHasNotIsNamedInItsOwnWords) {
  const auto refused = create_hbase_backend(uri_of(new_table(), "compression=zstd"), settings_, {}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kUnsupported);
  // The server's words differ from the first time to later ones.
  for (const std::string_view words : {"cannot compress with zstd", "compression=gz or none", "DoNotRetryIOException"})
    EXPECT_NE(refused.error().message.find(words), std::string::npos) << refused.error().message;
}

// Whoever wrote them: a process that ends at once leaves its entry behind the mark, and the log does not expire.
TEST_F(HBaseLife, DocumentsExpireThoughTheLogHasThem) {
  drop();
  const auto made = create_hbase_backend(uri_of(table_, "ttl=15"), settings_, {}, {});
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_TRUE(*add(**made, 0));
  ASSERT_TRUE(*add(*client(), 1));
  expect_all(**made, 2);
  std::this_thread::sleep_for(std::chrono::milliseconds(15'500));
  const auto fresh = client();
  for (Backend* const backend : {made->get(), fresh.get()}) {
    const std::vector<uint64_t> keys = {mix64(0), mix64(1)}, prints = {fingerprint(0), fingerprint(1)},
                                numbers = {0, 1};
    const auto found = backend->look_up({keys, prints, 0, false});
    ASSERT_TRUE(found) << found.error().message;
    for (size_t i = 0; i < 2; ++i) {
      EXPECT_TRUE(found->by_key[i].empty()) << i;
      EXPECT_TRUE(found->by_fingerprint[i].empty()) << i;
    }
    EXPECT_EQ(*backend->read(numbers), std::vector<std::string>(2));
    EXPECT_TRUE(backend->numbers_from(0, 10)->empty());
  }
  EXPECT_TRUE(*add(*fresh, 0)) << "as new";
  EXPECT_EQ(fresh->numbers_from(0, 10)->size(), 1u);
}

// Without these a look-up at 10^6 documents takes four times as long.
TEST_F(HBaseLife, TheServerKeepsWhatLookUpsNeed) {
  hbase_wire::TTableName name;
  name.qualifier = table_;
  hbase_wire::TTableDescriptor kept;
  hbase::Gateway gateway(uri_of(table_), {});
  ASSERT_TRUE(gateway.call("asking", {[&](hbase::Client& on) { on.send_getTableDescriptor(name); },
                                      [&](hbase::Client& on) { on.recv_getTableDescriptor(kept); }}));
  ASSERT_EQ(kept.columns.size(), 2u);
  for (const auto& family : kept.columns) {
    const bool has_documents = family.name.starts_with('d');
    EXPECT_EQ(family.bloomnFilterType, hbase_wire::TBloomFilterType::ROWPREFIX_FIXED_LENGTH) << family.name;
    EXPECT_EQ(family.maxVersions, 1) << family.name;
    EXPECT_EQ(family.blockSize, has_documents ? 8 << 10 : 64 << 10) << family.name;
    EXPECT_EQ(family.dataBlockEncoding == hbase_wire::TDataBlockEncoding::ROW_INDEX_V1, has_documents) << family.name;
  }
}

TEST_F(HBaseLife, OfSeveralWhoMakeAStoreOneDoes) {
  drop();
  std::vector<std::jthread> creators;
  std::atomic<int> made = 0;
  std::vector<std::unique_ptr<Backend>> backends(3);
  for (size_t i = 0; i < 3; ++i)
    creators.emplace_back([&, i] {  // each with another file
      const std::vector<store::GivenFile> files = {{"list", std::string(10 + i, 'x')}};
      auto backend = create_hbase_backend(uri_of(table_), settings_, {}, files);
      if (!backend) return;
      ++made;
      backends[i] = std::move(*backend);
    });
  creators.clear();
  EXPECT_EQ(made, 1);
  const auto opened = client();  // its files are whole
  for (const auto& backend : backends) EXPECT_TRUE(!backend || opened->settings() == backend->settings());
}

// The parent's connections are not the child's.
TEST_F(HBaseLife, AChildOfAForkHasConnectionsOfItsOwn) {
  for (uint64_t i = 0; i < 4; ++i) ASSERT_TRUE(*add(*backend_, i));
  const pid_t child = ::fork();
  const uint64_t begin = child == 0 ? 4 : 54;
  bool is_good = true;
  for (uint64_t i = begin; i < begin + 50 && is_good; ++i) {
    const auto happened = add(*backend_, i);
    is_good = happened && *happened;
    if (!happened) std::fprintf(stderr, "%s\n", happened.error().message.c_str());
  }
  if (child == 0) {
    backend_.reset();  // closes what it has
    std::_Exit(is_good ? 0 : 1);
  }
  EXPECT_TRUE(is_good);
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  expect_all(*backend_, 104);
}

TEST_F(HBaseLife, ALargeDocumentBehindSmallOnesHasAnEntryOfItsOwn) {
  constexpr size_t kCount = 402, kLarge = 400;
  std::vector<uint64_t> keys(kCount);
  std::vector<std::string> records;
  for (size_t i = 0; i < kCount; ++i) {
    keys[i] = mix64(i);
    records.emplace_back(i == kLarge ? 7'900'000 : 2500, static_cast<char>('a' + i % 26));
  }
  const auto found = backend_->look_up({keys, {}, kCount, true});
  ASSERT_TRUE(found) << found.error().message;
  std::vector<StoredDocument> documents;
  for (size_t i = 0; i < kCount; ++i) documents.push_back({found->first_reserved + i, records[i], {&keys[i], 1}, {}});
  std::vector<Change> changes(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    changes[i].keys = {&keys[i], 1};
    changes[i].added = {&documents[i], 1};
    changes[i].documents = 1;
  }
  const auto happened = backend_->commit(*found->seen, changes);
  ASSERT_TRUE(happened) << happened.error().message;
  EXPECT_EQ(*happened, std::vector<bool>(kCount, true));
  EXPECT_EQ(client()->figures()->documents, kCount);
  EXPECT_EQ(client()->read({&documents[kLarge].number, 1})->at(0), records[kLarge]);
}

TEST_F(HBaseLife, ADocumentThatIsTooLargeIsNamedBeforeAnythingIsWritten) {
  const std::string body(9'000'000, 'x');
  store::Record record;
  record.id = "the long one";
  record.body = body;
  std::string bytes;
  append_stored(bytes, record, {});
  const uint64_t key = mix64(1);
  const auto found = backend_->look_up({{&key, 1}, {}, 2, true});
  ASSERT_TRUE(found) << found.error().message;
  const StoredDocument documents[] = {{found->first_reserved, "small", {&key, 1}, {}},
                                      {found->first_reserved + 1, bytes, {&key, 1}, {}}};
  Change changes[2];
  for (size_t i = 0; i < 2; ++i) changes[i].keys = {&key, 1}, changes[i].added = {&documents[i], 1};
  const auto happened = backend_->commit(*found->seen, changes);
  ASSERT_FALSE(happened);
  EXPECT_EQ(happened.error().code, Code::kUnsupported);
  EXPECT_NE(happened.error().message.find("'the long one'"), std::string::npos) << happened.error().message;
  EXPECT_TRUE(backend_->look_up({{&key, 1}, {}, 0, false})->by_key[0].empty());
}

}  // namespace
}  // namespace neardup::remote
