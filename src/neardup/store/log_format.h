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
inline constexpr size_t kGroupAlignment = 8;

/// Returns how many bytes stand before the payload of a group, in a log of that version.
[[nodiscard]] constexpr size_t group_header_bytes(uint32_t version = LogHeader().version) {
  return version == kUncheckedLogVersion ? 48 : 56;  // older ones do not say what was durable
}

/// Returns the kLogHeaderBytes at the start of a file.
[[nodiscard]] std::string to_bytes(const LogHeader& header);
/// Reads them. Errors: kCorruption, naming `path` and the cure.
[[nodiscard]] Result<LogHeader> parse_log_header(std::string_view bytes, std::string_view path);

/// Records that are written together: what stands in the header of their group.
struct GroupNumbers {
  uint64_t first = 0;     // sequence number; the others follow one by one
  uint64_t previous = 0;  // of the last record before the group that counts
  uint64_t durable = 0;   // of the last record that was on the disk before the group was written; <= previous
  uint32_t num_records = 0;
};
struct LogGroup : GroupNumbers {
  std::string_view payload;  // for each record its length (4 bytes) and its bytes
  size_t size_bytes = 0;     // in the file, with header and padding
};

/// Appends a record to the bytes of a group, and room for what seal_group() pads; where memory is refused (it throws
/// then) they are as before. Requires: record.size() < 2^32.
void append_to_group(std::string& group_bytes, std::string_view record);
/// Makes a whole group of `group_bytes`, whose first group_header_bytes(version) were kept free for its header: fills
/// them in, and pads the end. `version` and `salt` are those of the log's header.
void seal_group(std::string& group_bytes, const GroupNumbers& numbers, uint64_t salt,
                uint32_t version = LogHeader().version);
/// Returns the group at the front of `bytes`; nothing where there is no whole one with right checksums.
[[nodiscard]] std::optional<LogGroup> read_group(std::string_view bytes, uint64_t salt,
                                                 uint32_t version = LogHeader().version);

}  // namespace neardup::store
