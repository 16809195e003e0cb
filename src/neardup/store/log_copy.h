// A log written again, with the sequence numbers that its records had: without what is erased, or out of what a damage
// has left.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/result.h"
#include "neardup/store/log_format.h"
#include "neardup/store/log_reader.h"
#include "neardup/store/number_set.h"
#include "neardup/store/record_file.h"

namespace neardup::store {

/// Writes a log that read_logs() reads as any other; it appears whole, once committed. Threads: one at a time.
class LogCopy {
 public:
  /// `number`, `previous` and `version` are those of its header. Errors: kIo.
  [[nodiscard]] static Result<LogCopy> create(const std::string& path, uint64_t number, uint64_t previous,
                                              uint32_t version = LogHeader().version);
  /// Adds a record; `sequence` is greater than all before. Returns where its bytes stand in the file. Errors: kIo,
  /// kDiskFull.
  [[nodiscard]] Result<uint64_t> append(uint64_t sequence, std::string_view record);
  /// Errors: kIo, kDiskFull.
  [[nodiscard]] Status commit();
  /// Returns that of its header.
  [[nodiscard]] uint64_t salt() const { return salt_; }

 private:
  LogCopy(AtomicFile file, const LogHeader& header);
  Status end_group();

  AtomicFile file_;
  uint64_t salt_ = 0;
  uint32_t version_ = LogHeader().version;
  uint64_t last_group_ = 0;  // sequence number of the last record before the group
  uint64_t last_ = 0;
  std::string group_;
  uint64_t first_ = 0;
  uint32_t num_records_ = 0;
};

/// Closed logs that follow each other, to be copied into one.
struct LiveLogs {
  std::span<const LogFile> logs;
  uint64_t first = 0, end = 0;  // documents
  uint64_t last_sequence = 0;   // of the last record that counts: what is behind it was given up
  const NumberSet& erased;
  std::function<bool(uint64_t number)> is_recorded;  // whether a log that is not copied has the record of a document
};

/// Copies them to a log with the number of the first one, without the arrivals of erased documents, whose place others
/// took; what they erased stays told where its record is somewhere. Returns where the documents stand. Records of which
/// nothing is left are left out, but for the last one, by which the next log knows that none is missing. Errors:
/// kNotFound, kIo, kDiskFull, kCorruption.
[[nodiscard]] Result<LogPlaces> copy_live(const LiveLogs& from, const std::string& to);

/// Copies what there is of a damaged log up to the record `limit` (0: all of it), so that it is read as a whole one.
/// `previous` is the last record before it that is there. Returns what is lost. Errors: as copy_live().
[[nodiscard]] Result<std::vector<LogGap>> copy_salvaged(const LogFile& from, const std::string& to, uint64_t previous,
                                                        uint64_t limit);

}  // namespace neardup::store
