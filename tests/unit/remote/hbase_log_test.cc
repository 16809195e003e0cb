// The log of a store on HBase: bytes of entries, and what a client knows of its end.
#include <gtest/gtest.h>

#include <string>

#include "neardup/remote/hbase/recent_log.h"

namespace neardup::remote::hbase {
namespace {

using std::chrono::seconds;

LogEntry some_entry() {
  LogEntry entry;
  entry.token = 1, entry.stamp = 1000, entry.applied = 3;
  entry.documents = 5, entry.duplicates = 2, entry.erased = 1;
  entry.added = {{7, std::string("a\0b", 3), {1, 2}, {0xffff}}, {8, "r", {}, {}}};
  entry.gone = {{6, "", {2}, {0xf0}}};
  entry.postings = {{9, 7}};
  entry.shared = "s";
  return entry;
}

TEST(HBaseLogEntry, IsReadAsItWasWritten) {
  for (const bool full : {true, false}) {
    const LogEntry entry = full ? some_entry() : LogEntry();
    const auto read = parse_log_entry(to_bytes(entry));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(to_bytes(*read), to_bytes(entry));
    EXPECT_EQ(read->added, entry.added);
    EXPECT_EQ(read->gone, entry.gone);
    EXPECT_EQ(read->shared, entry.shared);
  }
}

TEST(HBaseLogEntry, DamageIsFound) {
  const std::string bytes = to_bytes(some_entry());
  for (size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(parse_log_entry(std::string_view(bytes).substr(0, i))) << i;
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    const auto read = parse_log_entry(damaged);
    ASSERT_FALSE(read) << i;
    EXPECT_EQ(read.error().code, Code::kCorruption);
  }
}

TEST(HBaseLogEntry, WhatWouldComeOutOtherwiseTogetherStartsANewOne) {
  const StoredDocument document{7, "r", {}, {}};
  Change adds, erases, posts;
  adds.added = {&document, 1};
  erases.erased = {&document, 1};
  const Posting posting{1, 7};
  posts.postings = {&posting, 1};
  LogEntry added, posted, erased;
  added.append(adds), posted.append(posts), erased.append(erases);
  EXPECT_FALSE(added.can_append(erases));
  EXPECT_FALSE(posted.can_append(erases));
  EXPECT_TRUE(erased.can_append(adds));
  EXPECT_TRUE(added.can_append(posts));
}

TEST(HBaseLogEntry, WhatAChangeTakesIsKnownBefore) {
  const std::string record(1000, 'x');
  const uint64_t keys[] = {1, 2, 3};
  const StoredDocument document{7, record, keys, {}};
  const Posting posting{1, 7};
  Change change;
  change.added = {&document, 1};
  change.postings = {&posting, 1};
  change.shared = "0123456789";
  LogEntry entry;
  const size_t without = to_bytes(entry).size();
  entry.append(change);
  EXPECT_EQ(entry.size_bytes, bytes_of(change));
  EXPECT_GE(bytes_of(change), to_bytes(entry).size() - without);
  EXPECT_LT(bytes_of(change), to_bytes(entry).size() + 100);
}

TEST(HBaseTouched, IsUnderWhoStandsOnIt) {
  store::StoreSettings settings{.num_fingerprints = 2, .num_bits = 64};
  settings.max_distance = 3;
  const auto layout = Layout::make(settings, 4);
  LogEntry entry;
  entry.added = {{1, "r", {10, 20}, {0, 0xff00}}};
  entry.postings = {{30, 1}};
  Touched touched = touched_by(entry);
  const auto under = [&](std::vector<uint64_t> keys, std::vector<uint64_t> fingerprints) {
    Change change;
    change.keys = keys;
    change.fingerprints = fingerprints;
    return touched.is_under(change, *layout);
  };
  EXPECT_TRUE(under({5, 20}, {}));
  EXPECT_TRUE(under({30}, {}));
  EXPECT_FALSE(under({5}, {0xf, 0}));
  EXPECT_TRUE(under({}, {0x7, 0}));
  EXPECT_TRUE(under({}, {~0ULL, 0xff01}));
  EXPECT_FALSE(under({}, {0xff00, 0}));  // of the other place
  touched.shared = true;
  EXPECT_TRUE(under({}, {}));
}

LogEntry entry_at(uint64_t position, uint64_t applied) {
  LogEntry entry;
  entry.stamp = 100 * position;
  entry.applied = applied;
  entry.documents = position;
  entry.added = {{position, "r", {position}, {}}};
  return entry;
}

std::vector<uint64_t> positions(const RecentEntries& entries) {
  std::vector<uint64_t> all;
  for (const auto& entry : entries) all.push_back(entry->position);
  return all;
}

TEST(HBaseRecentLog, KnowsWhoseRowsAreThere) {
  RecentLog log;
  log.start(4);
  for (uint64_t i = 5; i <= 8; ++i) log.add(i, entry_at(i, 4));
  EXPECT_EQ(positions(log.view().unapplied), (std::vector<uint64_t>{5, 6, 7, 8}));
  log.mark_applied(6);
  EXPECT_EQ(log.applied(), 4u);
  EXPECT_EQ(positions(log.view().unapplied), (std::vector<uint64_t>{5, 6, 7, 8})) << "6 may erase what 5 brought";
  EXPECT_EQ(positions(log.overdue(seconds(0), 9)), (std::vector<uint64_t>{5, 7, 8}));
  EXPECT_TRUE(log.overdue(seconds(60), 9).empty());
  EXPECT_EQ(positions(log.overdue(seconds(60), 2)), (std::vector<uint64_t>{5, 7, 8}));
  log.mark_applied(5);
  EXPECT_EQ(log.applied(), 6u);
  log.add(9, entry_at(9, 8));  // its writer knows
  EXPECT_EQ(log.applied(), 8u);
  EXPECT_EQ(positions(log.view().unapplied), (std::vector<uint64_t>{9}));
  log.add(9, entry_at(9, 8));
  EXPECT_EQ(log.tip(), 9u);
}

TEST(HBaseRecentLog, ExtendsAViewByWhatCame) {
  RecentLog log;
  log.start(0);
  log.add(1, entry_at(1, 0));
  const LogView before = log.view();
  log.mark_applied(1);
  log.add(2, entry_at(2, 1));
  log.mark_applied(2);
  EXPECT_EQ(positions(log.extended(before)->unapplied), (std::vector<uint64_t>{1, 2}));
  EXPECT_EQ(log.extended(before)->tip, 2u);
  EXPECT_EQ(positions(*log.since(0, std::vector<uint64_t>{2})), (std::vector<uint64_t>{1}));
  EXPECT_TRUE(log.since(2, {})->empty());
}

TEST(HBaseLogView, TellsWhatHasExpired) {
  LogView view;
  EXPECT_TRUE(view.is_live(entry_at(0, 0))) << "where nothing expires";
  view.oldest = 200;
  EXPECT_FALSE(view.is_live(entry_at(1, 0)));
  EXPECT_TRUE(view.is_live(entry_at(2, 0)));
}

TEST(HBaseRecentLog, BehindAGapNothingIsKnown) {
  RecentLog log;
  log.start(0);
  log.add(1, entry_at(1, 0));
  const LogView before = log.view();
  log.add(5, entry_at(5, 4));
  EXPECT_FALSE(log.extended(before));
  EXPECT_FALSE(log.since(1, {}));
  EXPECT_TRUE(log.since(4, {}));
  EXPECT_EQ(log.applied(), 4u);
  log.add(6, std::nullopt);  // trimmed
  EXPECT_FALSE(log.since(5, {}));
  EXPECT_TRUE(log.since(6, {})->empty());
  EXPECT_EQ(log.applied(), 6u);
}

TEST(HBaseRecentLog, TheNextEntryGoesOnCountingAndItsStampGrows) {
  RecentLog log;
  log.start(0);
  log.add(1, entry_at(1, 0));
  EXPECT_EQ(log.next(5000).stamp, 5000u);
  EXPECT_EQ(log.next(50).stamp, 101u) << "a clock that went back";
  EXPECT_EQ(log.next(50).documents, 1u);
  EXPECT_EQ(log.next(50).applied, 0u);
  LogEntry shared = entry_at(2, 1);
  shared.shared = "new";
  log.set_shared("old");
  EXPECT_EQ(log.shared(), "old");
  log.add(2, shared);
  EXPECT_EQ(log.shared(), "new");
}

// What lies behind the last one is told no further than rows are there, and not below the first.
TEST(HBaseRecentLog, TellsWhichAreOld) {
  using Range = std::pair<uint64_t, uint64_t>;
  RecentLog log;
  log.start(0);
  for (uint64_t i = 1; i <= 640; ++i) log.add(i, entry_at(i, std::min<uint64_t>(i - 1, 100)));
  for (const uint64_t position : {64, 512, 576, 640}) {
    const auto [begin, end] = log.behind(position, 512, 64);
    EXPECT_EQ(begin, end) << position << ": rows of 101 on are not there";
  }
  log.add(641, entry_at(641, 600));
  EXPECT_EQ(log.behind(576, 512, 64), (Range{1, 64}));
  EXPECT_EQ(log.behind(640, 512, 64), (Range{64, 88})) << "512 behind the last that has its rows";
  log.add(642, entry_at(642, 641));
  EXPECT_EQ(log.behind(640, 512, 64), (Range{64, 128}));
  EXPECT_EQ(log.behind(500, 512, 64), (Range{0, 0}));
}

TEST(HBaseRecentLog, ForgetsOldEntriesWhoseRowsAreThere) {
  RecentLog log;
  log.start(0);
  for (uint64_t i = 1; i <= 3000; ++i) log.add(i, entry_at(i, i - 1));
  EXPECT_FALSE(log.since(1, {}));
  EXPECT_TRUE(log.since(2500, {}));
  RecentLog without_rows;
  without_rows.start(0);
  for (uint64_t i = 1; i <= 3000; ++i) without_rows.add(i, entry_at(i, 0));
  EXPECT_EQ(without_rows.view().unapplied.size(), 3000u);
}

}  // namespace
}  // namespace neardup::remote::hbase
