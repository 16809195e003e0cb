// Logs: what was durable is read again, in order; what was cut is left out; what is missing is an error that names it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/store/log_copy.h"
#include "neardup/store/log_format.h"
#include "neardup/store/log_reader.h"
#include "neardup/store/log_writer.h"
#include "tests/failing_file_system.h"
#include "tests/forgetful_file_system.h"
#include "tests/own_path.h"

namespace neardup::store {
namespace {

namespace fs = std::filesystem;
using Records = std::vector<std::pair<uint64_t, std::string>>;  // by sequence number

class LogTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<LogWriter> make(uint64_t number = 1, uint64_t previous = 0) const {
    auto log = LogWriter::create(folder_, number, previous);
    EXPECT_TRUE(log) << log.error().message;
    return std::move(*log);
  }
  // Appends `records` as one group.
  static void write(LogWriter& log, const std::vector<std::string>& records) {
    LogWriter::Ticket last;
    for (const std::string& record : records) {
      auto ticket = log.append(record);
      ASSERT_TRUE(ticket) << ticket.error().message;
      last = *ticket;
    }
    const Status durable = log.wait(last);
    ASSERT_TRUE(durable) << durable.error().message;
  }
  Result<LogEnd> read(const std::vector<uint64_t>& numbers, Records& records, uint64_t after = 0) const {
    records.clear();
    return read_logs(folder_, numbers, after, [&](const LoggedRecord& record) {
      records.emplace_back(record.sequence, record.bytes);
      EXPECT_EQ(bytes(record.log).substr(record.offset, record.bytes.size()), record.bytes);
      return Status();
    });
  }
  std::string bytes(uint64_t number = 1) const { return *read_file(log_path(folder_, number)); }
  void replace(const std::string& bytes, uint64_t number = 1) const {
    std::ofstream(log_path(folder_, number), std::ios::binary | std::ios::trunc) << bytes;
  }

  std::string folder_;
};

TEST_F(LogTest, GivesBackWhatWasAppendedInOrder) {
  const auto log = make();
  write(*log, {"one", "", std::string(100, '\0')});
  write(*log, {"four"});
  EXPECT_EQ(log->last_durable(), 4u);
  Records records;
  const auto end = read({1}, records);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(records, (Records{{1, "one"}, {2, ""}, {3, std::string(100, '\0')}, {4, "four"}}));
  EXPECT_EQ(end->last_sequence, 4u);
  EXPECT_EQ(end->num_records, 4u);
  EXPECT_EQ(end->torn_bytes, 0u);
}

TEST_F(LogTest, GrowsBeyondWhatIsFilledAhead) {
  const auto log = make();
  Records expected;
  for (uint64_t i = 1; i <= 40; ++i) {
    expected.emplace_back(i, std::string(i * 3001, static_cast<char>('a' + i % 26)));
    write(*log, {expected.back().second});
  }
  EXPECT_GE(bytes().size(), log->size_bytes());
  EXPECT_EQ(log->waiting_bytes(), 0u);
  Records records;
  ASSERT_TRUE(read({1}, records));
  EXPECT_EQ(records, expected);
}

TEST_F(LogTest, GoesOnInTheNextFileAndSkipsWhatIsKnown) {
  write(*make(), {"a", "b"});
  write(*make(2, 2), {"c"});
  make(3, 3);
  Records records;
  ASSERT_TRUE(read({1, 2, 3}, records, 1));
  EXPECT_EQ(records, (Records{{2, "b"}, {3, "c"}}));
  const auto end = read({3}, records, 3);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->last_sequence, 3u);
  EXPECT_TRUE(records.empty());
}

TEST_F(LogTest, NamesRecordsOfAFileThatIsMissing) {
  write(*make(1), {"a", "b"});
  write(*make(2, 2), {"c", "d"});
  write(*make(3, 4), {"e"});
  Records records;
  const auto end = read({1, 3}, records);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, Code::kCorruption);
  EXPECT_NE(end.error().message.find("records 3 to 4 are lost"), std::string::npos) << end.error().message;
  EXPECT_EQ(read({4}, records).error().code, Code::kNotFound);
  fs::rename(log_path(folder_, 3), log_path(folder_, 2));
  EXPECT_NE(read({1, 2}, records).error().message.find("says that it is number 3"), std::string::npos);
}

TEST_F(LogTest, AFileCutAnywhereIsReadUpToItsLastWholeGroup) {
  const auto log = make();
  std::vector<std::pair<uint64_t, size_t>> ends{{log->size_bytes(), 0}};  // bytes, records
  const std::vector<std::vector<std::string>> groups{{"one", "two"}, {std::string(77, 'x')}, {"", "five", "six"}};
  Records all;
  for (const auto& group : groups) {
    write(*log, group);
    for (const std::string& record : group) all.emplace_back(all.size() + 1, record);
    ends.emplace_back(bytes().find_last_not_of('\0') + 1, all.size());
  }
  const std::string whole = bytes();
  for (uint64_t cut = kLogHeaderBytes; cut <= ends.back().first; ++cut) {
    for (const bool has_zeros : {false, true}) {
      std::string some = whole.substr(0, cut);
      if (has_zeros) some.resize(cut + 4096);
      replace(some);
      Records records;
      const auto end = read({1}, records);
      ASSERT_TRUE(end) << cut << " " << end.error().message;
      const auto last = std::find_if(ends.rbegin(), ends.rend(), [cut](const auto& e) { return e.first <= cut; });
      // Padding that is cut off, or a last byte that is 0, makes no group less whole.
      const size_t count = last == ends.rend() ? 0 : last->second;
      ASSERT_GE(records.size(), count) << cut;
      ASSERT_TRUE(std::equal(records.begin(), records.end(), all.begin())) << cut;
    }
  }
  replace(whole.substr(0, kLogHeaderBytes - 1));
  Records records;
  EXPECT_EQ(read({1}, records).error().code, Code::kCorruption);
}

TEST_F(LogTest, AByteThatChangedIsNeverReadAsAnother) {
  const auto log = make();
  for (const char* record : {"alpha", "beta", "gamma"}) write(*log, {record});
  std::string whole = bytes();
  const size_t end_byte = whole.find_last_not_of('\0') + 1;
  whole.resize(end_byte + 1024);
  const Records all{{1, "alpha"}, {2, "beta"}, {3, "gamma"}};
  for (size_t at = 0; at < end_byte; ++at) {
    for (const int bit : {0, 7}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      replace(changed);
      Records records;
      const auto end = read({1}, records);
      ASSERT_TRUE(std::equal(records.begin(), records.end(), all.begin())) << at;
      if (end) {
        ASSERT_GE(records.size(), 2u) << at;  // all but the last group, which nothing follows
        continue;
      }
      ASSERT_EQ(end.error().code, Code::kCorruption);
      ASSERT_LT(records.size(), 3u) << at;
    }
  }
}

TEST_F(LogTest, DamageInTheMiddleNamesWhatIsLost) {
  const auto log = make();
  write(*log, {"one"});
  write(*log, {"two", "three"});
  write(*log, {"four"});
  std::string changed = bytes();
  changed[changed.find("three")] = 'T';
  replace(changed);
  Records records;
  const auto end = read({1}, records);
  ASSERT_FALSE(end);
  EXPECT_NE(end.error().message.find("records 2 to 3 are lost"), std::string::npos) << end.error().message;
}

// Groups that were put into the file, and synced later together; two more that were not.
TEST_F(LogTest, OfGroupsWrittenAheadDamageToWhatWasSyncedIsTold) {
  const auto log = make();
  const auto put = [&](std::string_view record) {
    const auto ticket = log->append(record);
    EXPECT_TRUE(ticket && log->put(*ticket));
    return *ticket;
  };
  put("one");
  put("two");
  const auto third = put("three");
  const size_t begun = log->size_bytes();
  ASSERT_TRUE(log->wait(third));
  EXPECT_EQ(log->waiting_bytes(), 0u);
  const std::string killed = bytes();  // nobody came after the sync
  put("four");
  put("five");
  const std::string later = bytes();
  for (const std::string& whole : {killed, later}) {
    for (size_t at = kLogHeaderBytes; at < begun; at += 5) {
      std::string changed = whole.substr(0, 1024);
      changed[at] = static_cast<char>(changed[at] ^ 4);
      replace(changed);
      Records records;
      const auto end = read({1}, records);
      if (end && records.size() >= 3) continue;  // padding
      ASSERT_FALSE(end) << at;
      ASSERT_EQ(end.error().code, Code::kCorruption);
      ASSERT_NE(end.error().message.find("are lost"), std::string::npos) << end.error().message;
    }
  }
  // The disk may have taken the fifth before the fourth.
  std::string lost = later;
  std::fill_n(lost.begin() + static_cast<ptrdiff_t>(lost.find("four")), 4, '\0');
  replace(lost);
  Records records;
  const auto end = read({1}, records);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(records, (Records{{1, "one"}, {2, "two"}, {3, "three"}}));
  EXPECT_GT(end->torn_bytes, 0u);
}

TEST_F(LogTest, GroupsOfTheFirstVersionAreReadAndCopied) {
  std::string file = to_bytes(LogHeader{1, 0, 7, kUncheckedLogVersion});
  for (const uint64_t sequence : {1, 2, 3}) {
    std::string group(group_header_bytes(kUncheckedLogVersion), '\0');
    append_to_group(group, "record " + std::to_string(sequence));
    seal_group(group, {sequence, sequence - 1, 0, 1}, 7, kUncheckedLogVersion);
    file += group;
  }
  replace(file);
  Records records;
  ASSERT_TRUE(read({1}, records));
  EXPECT_EQ(records, (Records{{1, "record 1"}, {2, "record 2"}, {3, "record 3"}}));
  file[file.find("record 2")] ^= 1;
  replace(file);
  EXPECT_EQ(read({1}, records).error().code, Code::kCorruption);
  const std::string copy = log_path(folder_, 9);
  const auto gaps = copy_salvaged({1, log_path(folder_, 1)}, copy, 0, 3);
  ASSERT_TRUE(gaps) << gaps.error().message;
  EXPECT_EQ(gaps->size(), 1u);
  fs::rename(copy, log_path(folder_, 1));
  ASSERT_TRUE(read({1}, records));
  EXPECT_EQ(records, (Records{{1, "record 1"}, {3, "record 3"}}));
}

TEST_F(LogTest, BytesOfARecordDoNotPassForAGroup) {
  std::string forged(group_header_bytes(), '\0');
  append_to_group(forged, "forged");
  seal_group(forged, {5, 4, 4, 1}, 0);
  const auto log = make();
  write(*log, {"first"});
  write(*log, {forged});
  const std::string whole = bytes();
  replace(whole.substr(0, whole.find_last_not_of('\0') - 8));  // torn, and the forged group is whole in it
  Records records;
  const auto end = read({1}, records);
  ASSERT_TRUE(end) << end.error().message;
  EXPECT_EQ(records, (Records{{1, "first"}}));
  EXPECT_GT(end->torn_bytes, 0u);
}

TEST_F(LogTest, ManyAppendAndWaitBesideEachOther) {
  constexpr int kThreads = 4, kEach = 50;
  const auto log = make();
  std::mutex appending;
  std::atomic<uint64_t> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        std::unique_lock lock(appending);
        const auto ticket = log->append(std::to_string(t) + ":" + std::to_string(i));
        lock.unlock();
        if (!ticket || !log->wait(*ticket) || log->last_durable() < ticket->sequence()) ++failures;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0u);
  Records records;
  ASSERT_TRUE(read({1}, records));
  ASSERT_EQ(records.size(), size_t{kThreads} * kEach);
  std::vector<int> next(kThreads, 0);
  for (const auto& [sequence, record] : records) {
    const int thread = record[0] - '0';
    EXPECT_EQ(record.substr(2), std::to_string(next[static_cast<size_t>(thread)]++));
  }
}

// Records 1 to 12 in groups of 1 to 3; after a failure as a store goes on: the same file if it can, else the next.
struct Journal {
  std::vector<std::string> durable, given_up;
  uint64_t last = 0;  // that was durable
  std::vector<uint64_t> files;
};

Journal keep_journal(const std::string& folder, int num_files) {
  Journal journal;
  std::unique_ptr<LogWriter> log;
  uint64_t number = 0;
  for (int i = 0; i < 12; i += 1 + i % 3) {
    for (int tries = 0; log == nullptr && tries < num_files; ++tries) {
      auto next = LogWriter::create(folder, ++number, journal.last);
      if (fs::exists(log_path(folder, number))) journal.files.push_back(number);
      if (next) log = std::move(*next);
    }
    if (log == nullptr) break;
    std::vector<std::string> records;
    for (int j = 0; j <= i % 3; ++j) records.push_back("record " + std::to_string(i + j));
    LogWriter::Ticket ticket;
    bool is_taken = true;
    for (const std::string& record : records) {
      auto taken = log->append(record);
      is_taken = is_taken && taken;
      if (taken) ticket = *taken;
    }
    const bool is_durable = is_taken && log->wait(ticket);
    auto& list = is_durable ? journal.durable : journal.given_up;
    list.insert(list.end(), records.begin(), records.end());
    journal.last = log->last_durable();
    if (!is_durable && !log->resume()) log.reset();
  }
  return journal;
}

TEST_F(LogTest, WhicheverCallFailsWhatIsDurableIsReadAndNothingElse) {
  for (const int error : {EIO, ENOSPC}) {
    for (uint64_t n = 1;; ++n) {
      SetUp();
      FailingFileSystem failing({.n = n, .error = error});
      Journal journal;
      {
        const ReplacedFileSystem replaced(failing);
        journal = keep_journal(folder_, 20);
      }
      journal.files.push_back(journal.files.back() + 1);  // the next process goes on with what was durable
      make(journal.files.back(), journal.last);
      Records records;
      const auto end = read(journal.files, records);
      ASSERT_TRUE(end) << n << " " << end.error().message;
      std::vector<std::string> read;
      for (const auto& [sequence, record] : records) read.push_back(record);
      ASSERT_EQ(read, journal.durable) << n;
      if (!failing.failed()) break;
      ASSERT_LT(n, 1000u);
    }
  }
}

TEST_F(LogTest, ADiskThatStaysFullLosesNothingThatWasDurable) {
  for (uint64_t n = 1; n < 60; ++n) {
    SetUp();
    FailingFileSystem failing({.n = n, .error = ENOSPC, .lasts = true});
    Journal journal;
    {
      const ReplacedFileSystem replaced(failing);
      journal = keep_journal(folder_, 1);
    }
    Records records;
    const auto end = read(journal.files, records);
    ASSERT_TRUE(end) << n << " " << end.error().message;
    ASSERT_GE(records.size(), journal.durable.size());
    for (size_t i = 0; i < journal.durable.size(); ++i) ASSERT_EQ(records[i].second, journal.durable[i]) << n;
  }
}

TEST_F(LogTest, CutWritesAreWhole) {
  FailingFileSystem cutting({.cuts = true});
  {
    const ReplacedFileSystem replaced(cutting);
    EXPECT_EQ(keep_journal(folder_, 1).given_up.size(), 0u);
  }
  Records records;
  ASSERT_TRUE(read({1}, records));
  EXPECT_EQ(records.size(), 12u);
}

TEST_F(LogTest, ALossOfPowerLeavesAPrefixThatHoldsWhatWasDurable) {
  using Unsynced = ForgetfulFileSystem::Unsynced;
  for (const Unsynced unsynced : {Unsynced::kNone, Unsynced::kNewNames, Unsynced::kByChance}) {
    for (uint64_t n = 1; n < 60; ++n) {
      SetUp();
      ForgetfulFileSystem forgetful(folder_, n);
      Journal journal;
      {
        const ReplacedFileSystem replaced(forgetful);
        journal = keep_journal(folder_, 1);
      }
      forgetful.crash(unsynced, n);
      if (journal.durable.empty()) continue;  // the file's name need not be there
      Records records;
      const auto end = read({1}, records);
      ASSERT_TRUE(end) << n << " " << end.error().message;
      std::vector<std::string> possible = journal.durable;
      possible.insert(possible.end(), journal.given_up.begin(), journal.given_up.end());
      ASSERT_GE(records.size(), journal.durable.size()) << n;
      for (size_t i = 0; i < records.size(); ++i) ASSERT_EQ(records[i].second, possible[i]) << n;
    }
  }
}

// A dozen records, each put into the file; every fourth one is waited for. Returns how many were durable.
uint64_t put_records(const std::string& folder) {
  const auto log = LogWriter::create(folder, 1, 0);
  uint64_t durable = 0;
  for (uint64_t i = 1; log && i <= 12; ++i) {
    const auto ticket = (*log)->append("record " + std::to_string(i));
    if (!ticket || !(*log)->put(*ticket)) break;
    if (i % 4 == 0 && !(*log)->wait(*ticket)) break;
    if (i % 4 == 0) durable = i;
  }
  return durable;
}

TEST_F(LogTest, ALossOfPowerOfALogThatIsWrittenAheadIsNoDamage) {
  using Unsynced = ForgetfulFileSystem::Unsynced;
  uint64_t num_read = 0;
  for (const Unsynced unsynced : {Unsynced::kNone, Unsynced::kByChance}) {
    for (uint64_t n = 6; n < 44; n += 5) {
      SetUp();
      ForgetfulFileSystem forgetful(folder_, n);
      uint64_t durable = 0;
      {
        const ReplacedFileSystem replaced(forgetful);
        durable = put_records(folder_);
      }
      forgetful.crash(unsynced, n);
      if (durable == 0) continue;
      Records records;
      const auto end = read({1}, records);
      ASSERT_TRUE(end) << n << " " << end.error().message;
      ASSERT_GE(records.size(), durable) << n;
      for (size_t i = 0; i < records.size(); ++i) ASSERT_EQ(records[i].second, "record " + std::to_string(i + 1)) << n;
      ++num_read;
    }
  }
  EXPECT_GT(num_read, 5u);
}

}  // namespace
}  // namespace neardup::store
