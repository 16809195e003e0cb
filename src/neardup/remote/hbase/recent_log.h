// RecentLog: what a client knows of the end of the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "neardup/remote/hbase/log_entry.h"

namespace neardup::remote::hbase {

/// An entry of the log with what is known of it.
struct RecentEntry {
  uint64_t position = 0;
  LogEntry entry;
  Touched touched;
  std::chrono::steady_clock::time_point since;  // when it became known here
};
using RecentEntries = std::vector<std::shared_ptr<const RecentEntry>>;

/// What a call sees before it reads rows: what is not surely in them, it takes from the entries.
struct LogView {
  uint64_t tip = 0;
  RecentEntries unapplied;  // and all behind the first such one; ascending
  uint64_t oldest = 0;      // stamp: what entries before it brought has expired, as its rows have

  /// Whether what an entry brought is there still. What it took away is gone either way.
  [[nodiscard]] bool is_live(const LogEntry& entry) const { return entry.stamp >= oldest; }
};

/// Threads: any member from many at once.
class RecentLog {
 public:
  /// A row of the log that was read. Rows come ascending, from tip() + 1 on, some perhaps known already. One that is
  /// trimmed, or further on than the next, leaves a gap: what happened there is not known.
  void add(uint64_t position, std::optional<LogEntry> entry);
  /// Forgets all, and goes on behind `position`, the rows of all entries up to which are there.
  void start(uint64_t position);
  /// The value that the row of shared bytes has; entries after it win.
  void set_shared(std::string shared);

  [[nodiscard]] uint64_t tip() const;
  [[nodiscard]] LogView view() const;
  /// Returns the view with the entries that came since; nullopt where some of them are not known any more.
  [[nodiscard]] std::optional<LogView> extended(const LogView& before) const;
  /// Returns what others did in (after, tip()] but for the positions in `own`, which ascend; nullopt where that is not
  /// known any more.
  [[nodiscard]] std::optional<RecentEntries> since(uint64_t after, std::span<const uint64_t> own) const;
  /// Returns an entry without changes that is to be the next one: counts, a stamp not before `now_ms`.
  [[nodiscard]] LogEntry next(uint64_t now_ms) const;
  [[nodiscard]] std::string shared() const;

  /// The rows of an entry are there.
  void mark_applied(uint64_t position);
  /// Returns the entries whose rows are perhaps not there, known for so long, or all where there are more than `most`.
  [[nodiscard]] RecentEntries overdue(std::chrono::steady_clock::duration age, size_t most) const;
  [[nodiscard]] uint64_t applied() const;
  /// Returns which positions [begin, end) are `kept` behind `position`, the last `at_once` of them, as far as all rows
  /// are there up to `kept` behind them too: begin = end where there are none.
  [[nodiscard]] std::pair<uint64_t, uint64_t> behind(uint64_t position, uint64_t kept, uint64_t at_once) const;

 private:
  void drop_old();
  void apply_up_to(uint64_t position);

  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<const RecentEntry>> entries_;  // the last ones up to tip_, without a gap
  std::deque<bool> is_applied_;                             // of each
  size_t bytes_ = 0;
  uint64_t tip_ = 0, applied_ = 0;  // all up to applied_ are
  std::string shared_;
  LogEntry last_;  // its counts and its stamp
};

}  // namespace neardup::remote::hbase
