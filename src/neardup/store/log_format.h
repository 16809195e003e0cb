// The bytes of a log file: a header, then groups of records, each group written and synced as one. The format:
// docs/formats/log.md.
//
// Every checksum is salted with a number that only the file knows: whoever fills records cannot make bytes in them that
// pass for a group, so what a torn write has left of a record is never taken for one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup::store {

struct LogHeader {
  uint64_t number = 0;    // of the file, as its name says
  uint64_t previous = 0;  // sequence number of the last record of older files that counts; 0: there is none
  uint64_t salt = 0;      // random
  uint32_t version = 2;   // 1: its arrivals have no checksums of their own
  bool operator==(const LogHeader&) const = default;
};

/// What to do about a log whose header is damaged: the end of the message of parse_log_header().
inline constexpr std::string_view kLogFileCure = "restore the folder from a copy, or make it again from its documents";
inline constexpr uint32_t kUncheckedLogVersion = 1;
inline constexpr size_t kLogHeaderBytes = 64;
inline constexpr size_t kGroupHeaderBytes = 48;
inline constexpr size_t kGroupAlignment = 8;

/// Returns the kLogHeaderBytes at the start of a file.
[[nodiscard]] std::string to_bytes(const LogHeader& header);
/// Reads them. Errors: kCorruption, naming `path` and the cure.
[[nodiscard]] Result<LogHeader> parse_log_header(std::string_view bytes, std::string_view path);

/// Records that are written together. Their sequence numbers are first, first + 1, ...
struct LogGroup {
  uint64_t first = 0;
  uint64_t previous = 0;  // of the last record before the group that counts
  uint32_t num_records = 0;
  bool is_ahead = false;     // written while what stands before it may not have been on the disk
  std::string_view payload;  // for each record its length (4 bytes) and its bytes
  size_t size_bytes = 0;     // in the file, with header and padding
};

/// Appends a record to the bytes of a group, and room for what seal_group() pads; where memory is refused (it throws
/// then) they are as before. Requires: record.size() < 2^32.
void append_to_group(std::string& group_bytes, std::string_view record);
/// Makes a whole group of `group_bytes`, whose first kGroupHeaderBytes were kept free for its header: fills them in,
/// and pads the end. `is_ahead`: as in LogGroup. Requires: num_records < 2^31.
void seal_group(std::string& group_bytes, uint64_t first, uint64_t previous, uint32_t num_records, uint64_t salt,
                bool is_ahead = false);
/// Returns the group at the front of `bytes`; nothing where there is no whole one with right checksums.
[[nodiscard]] std::optional<LogGroup> read_group(std::string_view bytes, uint64_t salt);

}  // namespace neardup::store
