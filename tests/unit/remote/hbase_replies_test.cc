// What a client makes of answers that no HBase gives, and of a table that went or came back: over a gateway in this
// process.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/remote/hbase/hbase_backend.h"
#include "neardup/remote/hbase/log.h"
#include "tests/unit/remote/fake_hbase.h"

namespace neardup::remote {
namespace {

class HBaseReplies : public testing::Test {
 protected:
  HBaseReplies() {
    settings_.num_fingerprints = 1;
    backend_ = create();
    for (uint64_t i = 0; i < 3; ++i) EXPECT_TRUE(add(*backend_, i));
  }
  [[nodiscard]] std::unique_ptr<Backend> create() const {
    auto made = create_hbase_backend(gateway_.uri(), settings_, {}, {});
    EXPECT_TRUE(made) << made.error().message;
    return made ? std::move(*made) : nullptr;
  }
  static Status add(Backend& backend, uint64_t i) {
    const uint64_t key = mix64(i), print = mix64(i + 77);
    NEARDUP_ASSIGN(const Found found, backend.look_up({{&key, 1}, {&print, 1}, 1, true}));
    const StoredDocument document{found.first_reserved, "record", {&key, 1}, {&print, 1}};
    Change change;
    change.keys = {&key, 1};
    change.added = {&document, 1};
    change.documents = 1;
    NEARDUP_TRY(backend.commit(*found.seen, {&change, 1}));
    return {};
  }
  /// Calls all that there is; returns what failed, by name.
  std::vector<std::pair<std::string, Error>> failures() {
    const uint64_t key = mix64(0), print = mix64(77);
    const std::vector<uint64_t> numbers = {0, 1, 2};
    std::vector<std::pair<std::string, Error>> all;
    const auto note = [&](std::string name, const auto& result) {
      if (!result) all.emplace_back(std::move(name), result.error());
    };
    note("look_up", backend_->look_up({{&key, 1}, {&print, 1}, 0, false}));
    note("read", backend_->read(numbers));
    note("numbers_from", backend_->numbers_from(0, 10));
    note("reserve_numbers", backend_->reserve_numbers(1));
    note("commit", add(*backend_, 9));
    note("figures", backend_->figures());
    note("compact", backend_->compact());
    note("open", open_hbase_backend(gateway_.uri(), {}));
    return all;
  }
  void expect_failures(std::string_view twist, const std::vector<std::string>& names) {
    std::vector<std::string> failed;
    for (const auto& [name, error] : failures()) {
      failed.push_back(name);
      EXPECT_TRUE(error.code == Code::kIo || error.code == Code::kCorruption)
          << twist << ", " << name << ": " << error.message;
      EXPECT_NE(error.message.find("127.0.0.1:"), std::string::npos) << name << " says not where: " << error.message;
      EXPECT_NE(error.message.find("; "), std::string::npos) << name << " says no cure: " << error.message;
    }
    EXPECT_EQ(failed, names) << twist;
  }

  FakeGateway gateway_;
  store::StoreSettings settings_;
  std::unique_ptr<Backend> backend_;
};

TEST_F(HBaseReplies, OfAServerThatIsRightNothingFails) { expect_failures("none", {}); }

TEST_F(HBaseReplies, GetsOfAnotherShapeAreErrors) {
  using Results = FakeHBase::Results;
  auto& twist = gateway_.hbase->twist_gets;
  twist = [](Results& rows) { rows.clear(); };
  expect_failures("none", {"look_up", "read", "numbers_from", "commit", "open"});
  twist = [](Results& rows) { rows.emplace_back(); };
  expect_failures("one more", {"look_up", "read", "numbers_from", "commit", "open"});
  twist = [](Results& rows) {
    for (auto& row : rows)
      for (auto& cell : row.columnValues)
        if (cell.qualifier != "settings") cell.qualifier.clear();
  };
  expect_failures("no names of columns", {"look_up", "read", "numbers_from", "open"});
}

TEST_F(HBaseReplies, ScansOfAnotherShapeAreErrors) {
  using Results = FakeHBase::Results;
  auto& twist = gateway_.hbase->twist_scans;
  for (const bool has_row : {false, true}) {
    twist = [&](Results& rows) {
      rows.resize(1);
      rows[0] = {};
      if (has_row) rows[0].__set_row("short");
    };
    expect_failures("a row without anything",
                    {"look_up", "read", "numbers_from", "commit", "figures", "compact", "open"});
  }
  twist = [&](Results& rows) {
    for (auto& row : rows) row.columnValues.clear();
  };
  expect_failures("rows without columns", {"open"});
  twist = [&](Results& rows) {
    for (auto& row : rows)
      for (auto& cell : row.columnValues) cell.value = "damaged", cell.qualifier = "other";
  };
  expect_failures("cells of something else", {"look_up", "commit", "open"});
}

TEST_F(HBaseReplies, CountersOfAnotherShapeAreErrors) {
  auto& twist = gateway_.hbase->twist_increment;
  twist = [](hbase_wire::TResult& row) { row.columnValues.clear(); };
  expect_failures("none", {"numbers_from", "reserve_numbers", "commit", "figures"});
  twist = [](hbase_wire::TResult& row) { row.columnValues[0].value = "abc"; };
  expect_failures("three bytes", {"numbers_from", "reserve_numbers", "commit", "figures"});
  twist = [](hbase_wire::TResult& row) { row.columnValues[0].value = std::string(8, '\0'); };
  expect_failures("back at its beginning", {"reserve_numbers", "commit"});
}

TEST_F(HBaseReplies, AStoreThatWasDroppedOrMadeAgainIsToldFromTheOneThatIsOpen) {
  const auto expect_all = [&](std::string_view words) {
    const auto failed = failures();
    for (const auto& [name, error] : failed)
      if (name != "open") {
        EXPECT_EQ(error.code, Code::kIo) << name;
        EXPECT_NE(error.message.find(words), std::string::npos) << name << ": " << error.message;
      }
    EXPECT_GE(failed.size(), 7u);
  };
  ASSERT_TRUE(drop_hbase_store(gateway_.uri(), {}));
  expect_all("somebody dropped it");
  const auto other = create();
  expect_all("open the store again");
  EXPECT_EQ(other->figures()->documents, 0u);
  EXPECT_EQ(*other->reserve_numbers(0), 0u) << "the old client left no trace";
  EXPECT_TRUE(other->numbers_from(0, 10)->empty());
}

TEST_F(HBaseReplies, AStoreWithoutFingerprintsHasNoTables) {
  ASSERT_TRUE(drop_hbase_store(gateway_.uri(), {}));
  settings_.num_fingerprints = 0;
  RemoteUri with_tables = gateway_.uri();
  with_tables.options["tables"] = "4";
  const auto expect_refused = [](const auto& refused) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::kInvalidArgument);
    EXPECT_NE(refused.error().message.find("tables= is of stores of fingerprints"), std::string::npos)
        << refused.error().message;
  };
  expect_refused(create_hbase_backend(with_tables, settings_, {}, {}));
  const auto figures = create()->figures();
  ASSERT_TRUE(figures) << figures.error().message;
  for (const auto& [name, value] : figures->facts) EXPECT_EQ(value.find("tables="), std::string::npos) << name;
  EXPECT_TRUE(open_hbase_backend(gateway_.uri(), {}));
  expect_refused(open_hbase_backend(with_tables, {}));
}

TEST_F(HBaseReplies, WhyTheServerMakesNoTableIsTold) {
  ASSERT_TRUE(drop_hbase_store(gateway_.uri(), {}));
  RemoteUri uri = gateway_.uri();
  uri.options["compression"] = "zstd";
  for (const std::string words : {"Compression algorithm 'zstd' previously failed test.",
                                  "native zstd library not available", "no room for a table"}) {
    gateway_.hbase->refuses_tables = words;
    const auto refused = create_hbase_backend(uri, settings_, {}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::kUnsupported);
    EXPECT_NE(refused.error().message.find(words), std::string::npos) << refused.error().message;
    EXPECT_EQ(refused.error().message.find("dropped"), std::string::npos) << refused.error().message;
    EXPECT_EQ(refused.error().message.find("compression=gz or none") != std::string::npos,
              words.find("zstd") != words.npos);
  }
}

// A process that ended at once left it behind the mark; of rows that expired the fake has none either.
TEST_F(HBaseReplies, WhatAnOldEntryBroughtIsThereNoMore) {
  ASSERT_TRUE(drop_hbase_store(gateway_.uri(), {}));
  RemoteUri uri = gateway_.uri();
  uri.options["ttl"] = "60";
  ASSERT_TRUE(create_hbase_backend(uri, settings_, {}, {}));
  hbase::Table table{std::make_shared<hbase::Gateway>(uri, RemoteOptions()), uri.name};
  table.set_id((*table.state())->id);
  hbase::Log log(table);
  for (const uint64_t age_s : {61, 30}) {
    const uint64_t i = age_s == 61 ? 0 : 1;
    hbase::LogEntry entry;
    entry.stamp = hbase::now_ms() - 1000 * age_s;
    entry.added = {{i, "record", {mix64(i)}, {mix64(i + 77)}}};
    entry.postings = {{mix64(100), i}};
    ASSERT_TRUE(*log.append(i + 2, entry));
  }
  const auto backend = open_hbase_backend(uri, {});
  ASSERT_TRUE(backend) << backend.error().message;
  ASSERT_TRUE((*backend)->reserve_numbers(2));
  const std::vector<uint64_t> keys = {mix64(0), mix64(1), mix64(100)}, numbers = {0, 1};
  const std::vector<uint64_t> prints = {mix64(77), mix64(78)};
  auto found = (*backend)->look_up({keys, prints, 0, false});
  ASSERT_TRUE(found) << found.error().message;
  const auto of = [](std::span<const uint64_t> list) { return std::vector<uint64_t>(list.begin(), list.end()); };
  EXPECT_EQ(of(found->by_key[0]), std::vector<uint64_t>());
  EXPECT_EQ(of(found->by_key[1]), std::vector<uint64_t>{1});
  EXPECT_EQ(of(found->by_key[2]), std::vector<uint64_t>{1});
  EXPECT_EQ(of(found->by_fingerprint[0]), std::vector<uint64_t>());
  EXPECT_EQ(of(found->by_fingerprint[1]), std::vector<uint64_t>{1});
  EXPECT_EQ(*(*backend)->read(numbers), (std::vector<std::string>{"", "record"}));
  EXPECT_EQ(*(*backend)->numbers_from(0, 10), std::vector<uint64_t>{1});
}

}  // namespace
}  // namespace neardup::remote
