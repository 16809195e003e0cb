// Reads logs again after the process that wrote them has ended, in whatever way.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/log_format.h"

namespace neardup::store {

/// A record of a log: valid while it is shown.
struct LoggedRecord {
  uint64_t sequence = 0;
  uint64_t log = 0;     // number of its file
  uint64_t offset = 0;  // of its bytes in the file; their length stands in the 4 bytes before
  std::string_view bytes;
};
/// Receives a record that counts. Errors end the reading.
using RecordVisitor = std::function<Status(const LoggedRecord& record)>;

struct LogEnd {
  uint64_t last_sequence = 0;  // of the last record that counts
  uint64_t num_records = 0;    // that were visited
  uint64_t torn_bytes = 0;     // behind the last whole group of the last file: of a group that was cut short
};

/// A log, wherever it lies.
struct LogFile {
  uint64_t number = 0;
  std::string path;
};

/// Calls `visit` with each record after `after` of the logs numbers[i] of `folder`, ascending, in order: a prefix of
/// what was appended that holds all that was durable. What the writer had given up (LogWriter::wait() failed) is not
/// visited where a newer file went on. A group that is cut short at the end of the last file was promised to nobody:
/// it is left out. Memory: one file at a time.
/// Errors: kCorruption where a record that was durable is missing: the message names the file, the byte, and which
/// sequence numbers are lost; kIo, kNotFound; those of `visit`.
[[nodiscard]] Result<LogEnd> read_logs(const std::string& folder, std::span<const uint64_t> numbers, uint64_t after,
                                       const RecordVisitor& visit);
/// The same of files by their paths.
[[nodiscard]] Result<LogEnd> read_logs(std::span<const LogFile> files, uint64_t after, const RecordVisitor& visit);

/// Bytes of a log that are no group, or the bytes behind a gap: what is lost there.
struct LogGap {
  uint64_t offset = 0;
  uint64_t after = 0, before = 0;  // the records between these sequence numbers are not there
};
/// Reads what there is of one log, whatever is damaged: every whole group behind the first damage too, up to the record
/// `limit` (0: all). Errors: kNotFound, kIo; kCorruption where its header is none; those of `visit`.
[[nodiscard]] Result<std::vector<LogGap>> salvage_log(const LogFile& file, uint64_t limit, const RecordVisitor& visit);
/// Reads the header of a log. Errors: kNotFound, kIo, kCorruption.
[[nodiscard]] Result<LogHeader> read_log_header(const std::string& path);

}  // namespace neardup::store
