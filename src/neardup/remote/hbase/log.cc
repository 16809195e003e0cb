#include "neardup/remote/hbase/log.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace neardup::remote::hbase {
namespace {

using hbase_wire::TDelete;
using hbase_wire::TGet;
using hbase_wire::TPut;
using hbase_wire::TResult;
using hbase_wire::TScan;

constexpr std::string_view kEntryColumn = "e";
constexpr int kPage = 32, kLongPage = 1000;
constexpr uint64_t kTrimmedAtOnce = 64;
constexpr uint64_t kDayMs = 24ULL * 3600 * 1000;
constexpr int64_t kStaleMs = 60'000;

int64_t steady_ms() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

tl::unexpected<Error> no_entry() { return fail(Code::kCorruption, "a row of the log has no entry"); }

Result<std::optional<LogEntry>> entry_of(const TResult& row) {
  if (row.columnValues.empty()) return no_entry();
  const std::string& value = row.columnValues[0].value;
  if (value == kTrimmed) return std::optional<LogEntry>();
  NEARDUP_ASSIGN(LogEntry entry, parse_log_entry(value));
  return std::optional(std::move(entry));
}

}  // namespace

uint64_t now_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
}

Status Log::begin() {
  LogEntry entry;
  entry.stamp = now_ms();
  NEARDUP_TRY(append(1, entry));
  return {};
}

TScan Log::scan_from(uint64_t position) const {
  TScan scan;
  scan.__set_startRow(log_row(position));
  scan.__set_stopRow(end_of_log());
  scan.__set_columns({column_of(table_.families.meta, kEntryColumn)});
  scan.__set_caching(kPage);
  return scan;
}

// The last entry says up to which one the rows are surely there: all after that are read.
Status Log::open() {
  TScan scan;
  scan.__set_startRow(log_row(UINT64_MAX));
  scan.__set_stopRow(log_row(0));
  scan.__set_columns({column_of(table_.families.meta, kEntryColumn)});
  scan.__set_reversed(true);
  scan.__set_limit(1);
  std::vector<TResult> rows;
  NEARDUP_TRY(table_.call("reading the log", scan_rows(table_.name, scan, 1, rows)));
  if (rows.empty()) return table_.failed(Error{Code::kCorruption, "there is no log in the table"});
  NEARDUP_ASSIGN(const uint64_t position, table_.located(log_position(rows[0].row)));
  NEARDUP_ASSIGN(const auto entry, table_.located(entry_of(rows[0])));
  if (!entry || entry->applied >= position)
    return table_.failed(Error{Code::kCorruption, "the last entry of the log is damaged"});
  recent_.start(entry->applied);
  return catch_up();
}

Status Log::catch_up() {
  Tail tail(*this);
  return ask_all(table_, "reading the log", {&tail});
}

void Log::Tail::ask(std::vector<Exchange>& exchanges) {
  scan_ = log_.scan_from(log_.recent_.tip() + 1);
  exchanges.push_back(scan_rows(log_.table_.name, scan_, kPage, rows_));
}

Result<bool> Log::Tail::take() {
  for (const TResult& row : rows_) {
    NEARDUP_ASSIGN(const uint64_t position, log_position(row.row));
    NEARDUP_ASSIGN(auto entry, entry_of(row));
    log_.recent_.add(position, std::move(entry));
  }
  if (rows_.size() >= size_t{kPage}) return true;
  log_.caught_up_ms_ = steady_ms();
  return false;
}

bool Log::is_stale() const { return steady_ms() - caught_up_ms_ > kStaleMs; }

Result<std::optional<std::string>> Log::read(uint64_t position) {
  TGet get;
  get.row = log_row(position);
  get.__set_columns({column_of(table_.families.meta, kEntryColumn)});
  NEARDUP_ASSIGN(auto rows, table_.get("reading the log", {get}));
  if (rows[0].columnValues.empty()) return std::optional<std::string>();
  return std::optional(std::move(rows[0].columnValues[0].value));
}

// Where an answer was lost, the entry may be there already: its token tells whose it is.
Result<bool> Log::append(uint64_t position, const LogEntry& entry) {
  const std::string bytes = to_bytes(entry);
  TPut put;
  put.row = log_row(position);
  put.columnValues.push_back(cell_of(table_.families.meta, kEntryColumn, bytes));
  put.__set_timestamp(static_cast<int64_t>(entry.stamp));
  bool is_written = false;
  NEARDUP_TRY(table_.call("writing the log", put_if_absent(table_, kEntryColumn, put, is_written)));
  if (is_written) return true;
  NEARDUP_ASSIGN(const auto there, read(position));
  return there == bytes;
}

Status Log::trim(const std::vector<std::pair<uint64_t, uint64_t>>& positions_and_stamps) {
  if (positions_and_stamps.empty()) return {};
  std::vector<TPut> puts;
  for (const auto& [position, stamp] : positions_and_stamps) {
    TPut& put = puts.emplace_back();
    put.row = log_row(position);
    put.columnValues.push_back(cell_of(table_.families.meta, kEntryColumn, kTrimmed));
    put.__set_timestamp(static_cast<int64_t>(stamp));
  }
  return table_.call("trimming the log", put_rows(table_.name, puts));
}

Status Log::trim_behind(uint64_t position) {
  if (position % kTrimmedAtOnce != 0) return {};
  const uint64_t stamp = recent_.next(0).stamp;
  std::vector<std::pair<uint64_t, uint64_t>> old;
  const auto [begin, end] = recent_.behind(position, kEntriesKept, kTrimmedAtOnce);
  for (uint64_t i = begin; i < end; ++i) old.emplace_back(i, stamp);
  return trim(old);
}

// A row stays for a day after it is trimmed: until then nobody could write an entry in its place.
Status Log::trim_all() {
  NEARDUP_TRY(catch_up());
  const uint64_t applied = recent_.applied();
  if (applied < kEntriesKept) return {};
  TScan scan = scan_from(0);
  scan.__set_stopRow(log_row(applied - kEntriesKept));
  scan.__set_filterString("KeyOnlyFilter()");
  scan.__set_caching(kLongPage);
  std::vector<TResult> rows;
  do {
    NEARDUP_TRY(table_.call("trimming the log", scan_rows(table_.name, scan, kLongPage, rows)));
    std::vector<std::pair<uint64_t, uint64_t>> old;
    std::vector<TDelete> gone;
    for (const TResult& row : rows) {
      NEARDUP_ASSIGN(const uint64_t position, table_.located(log_position(row.row)));
      if (row.columnValues.empty()) return table_.failed(no_entry().value());
      const auto stamp = static_cast<uint64_t>(row.columnValues[0].timestamp);
      old.emplace_back(position, stamp + 1);
      if (stamp + kDayMs > now_ms()) continue;
      old.pop_back();
      gone.emplace_back().row = row.row;
    }
    NEARDUP_TRY(trim(old));
    if (!gone.empty()) NEARDUP_TRY(table_.call("trimming the log", delete_cells(table_.name, gone)));
    if (!rows.empty()) scan.__set_startRow(rows.back().row + '\0');
  } while (rows.size() == size_t{kLongPage});
  return {};
}

}  // namespace neardup::remote::hbase
