// Log: the rows of a table that say what happened, in order: writing one makes a commit. docs/design/remote_hbase.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "neardup/remote/hbase/recent_log.h"
#include "neardup/remote/hbase/table.h"

namespace neardup::remote::hbase {

/// The largest entry, and the largest record: a cell of HBase is at most hbase.client.keyvalue.maxsize, 10 MiB by
/// default.
inline constexpr size_t kMostCellBytes = size_t{8} << 20;
/// So many entries are kept behind the last one whose rows are there, for clients that are slow.
inline constexpr uint64_t kEntriesKept = 512;

/// Threads: any member from many at once.
class Log {
 public:
  explicit Log(Table table) : table_(std::move(table)) {}
  [[nodiscard]] RecentLog& recent() { return recent_; }
  [[nodiscard]] const RecentLog& recent() const { return recent_; }

  /// Writes the first entry of a new store, unless whoever began to make it did.
  [[nodiscard]] Status begin();
  /// Finds the end. Errors: kCorruption where there is no log.
  [[nodiscard]] Status open();
  /// Reads what came since.
  [[nodiscard]] Status catch_up();
  /// catch_up() as one of several questions. One at a time of one object.
  class Tail : public Asker {
   public:
    explicit Tail(Log& log) : log_(log) {}
    void ask(std::vector<Exchange>& exchanges) override;
    [[nodiscard]] Result<bool> take() override;

   private:
    Log& log_;
    hbase_wire::TScan scan_;
    std::vector<hbase_wire::TResult> rows_;
  };

  /// Writes an entry at a position, unless there is one; returns whether it did. It is not added to recent().
  [[nodiscard]] Result<bool> append(uint64_t position, const LogEntry& entry);
  /// To be called when the rows of an entry are there, by whoever wrote it: now and then trims old ones.
  [[nodiscard]] Status trim_behind(uint64_t position);
  /// Trims all that are old, and removes those that were trimmed a day ago.
  [[nodiscard]] Status trim_all();
  /// Whether catch_up() was so long ago that a position may have come and gone.
  [[nodiscard]] bool is_stale() const;

 private:
  [[nodiscard]] Result<std::optional<std::string>> read(uint64_t position);
  [[nodiscard]] hbase_wire::TScan scan_from(uint64_t position) const;
  [[nodiscard]] Status trim(const std::vector<std::pair<uint64_t, uint64_t>>& positions_and_stamps);

  Table table_;
  RecentLog recent_;
  std::atomic<int64_t> caught_up_ms_{0};
};

/// Returns the time of day in milliseconds since 1970.
[[nodiscard]] uint64_t now_ms();

}  // namespace neardup::remote::hbase
