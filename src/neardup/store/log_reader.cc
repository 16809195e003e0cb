#include "neardup/store/log_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/store/log_format.h"
#include "neardup/store/log_writer.h"

namespace neardup::store {
namespace {

constexpr std::string_view kLogCure =
    "restore the folder from a copy, or let 'neardup index check --repair' keep the rest";

// The groups of one file, one after the other.
class GroupReader {
 public:
  GroupReader(std::string_view bytes, const LogHeader& header) : bytes_(bytes), header_(header) {}

  std::optional<LogGroup> next() {
    const std::optional<LogGroup> group = group_at(at_);
    if (group) at_ += group->size_bytes;
    return group;
  }
  /// Returns the next whole group, also one behind bytes that are none. Each place costs a look at a header; nobody can
  /// make headers that pass without the salt. Where there is none the reader stays where it is.
  std::optional<LogGroup> next_whole() {
    for (size_t at = at_; at < bytes_.size(); at += kGroupAlignment) {
      const std::optional<LogGroup> group = group_at(at);
      if (!group) continue;
      at_ = at + group->size_bytes;
      return group;
    }
    return {};
  }
  /// Returns how many bytes there are after the last group, up to the last that is not 0.
  [[nodiscard]] uint64_t bytes_left() const {
    const size_t last = bytes_.find_last_not_of('\0');
    return last == std::string_view::npos || last < at_ ? 0 : last + 1 - at_;
  }
  [[nodiscard]] uint64_t at() const { return at_; }

 private:
  [[nodiscard]] std::optional<LogGroup> group_at(size_t at) const {
    return read_group(bytes_.substr(std::min(at, bytes_.size())), header_.salt, header_.version);
  }

  std::string_view bytes_;
  LogHeader header_;
  size_t at_ = kLogHeaderBytes;
};

Status visit_group(const LogGroup& group, uint64_t number, std::string_view file, const RecordVisitor& visit) {
  ByteReader reader(group.payload);
  for (uint64_t sequence = group.first; sequence < group.first + group.num_records; ++sequence) {
    const std::string_view record = reader.piece(reader.number<uint32_t>());
    NEARDUP_TRY(visit({sequence, number, static_cast<uint64_t>(record.data() - file.data()), record}));
  }
  return {};
}

class LogsReader {
 public:
  LogsReader(std::span<const LogFile> files, uint64_t after, const RecordVisitor& visit)
      : files_(files), after_(after), visit_(visit) {}

  Result<LogEnd> run() {
    end_.last_sequence = after_;
    for (size_t i = 0; i < files_.size(); ++i) {
      NEARDUP_ASSIGN(const std::string bytes, read_file(path(i)));
      std::optional<uint64_t> limit;  // what lies behind it was given up
      if (i + 1 < files_.size()) {
        NEARDUP_ASSIGN(limit, previous_of(i + 1));
      }
      NEARDUP_TRY(read(i, bytes, limit));
    }
    return end_;
  }

 private:
  [[nodiscard]] const std::string& path(size_t i) const { return files_[i].path; }

  [[nodiscard]] Result<uint64_t> previous_of(size_t i) const {
    NEARDUP_ASSIGN(const LogHeader header, read_log_header(path(i)));
    NEARDUP_TRY(check_number(i, header));
    return header.previous;
  }

  [[nodiscard]] Result<LogHeader> header_of(size_t i, std::string_view bytes) const {
    NEARDUP_ASSIGN(const LogHeader header, parse_log_header(bytes, path(i)));
    NEARDUP_TRY(check_number(i, header));
    return header;
  }

  [[nodiscard]] Status check_number(size_t i, const LogHeader& header) const {
    if (header.number == files_[i].number) return {};
    return fail(Code::kCorruption,
                fmt::format("log '{}' says that it is number {}; {}", path(i), header.number, kLogCure));
  }

  [[nodiscard]] Status read(size_t i, std::string_view bytes, std::optional<uint64_t> limit) {
    NEARDUP_ASSIGN(const LogHeader header, header_of(i, bytes));
    if (header.previous > end_.last_sequence) return lost(i, kLogHeaderBytes, header.previous);
    uint64_t last = header.previous;
    GroupReader groups(bytes, header);
    while (const auto group = groups.next()) {
      if (limit && group->first > *limit) break;
      if (group->previous != last) return lost(i, groups.at() - group->size_bytes, group->previous);
      last = group->first + group->num_records - 1;
      NEARDUP_TRY(visit(*group, files_[i].number, bytes));
    }
    end_.last_sequence = std::max(end_.last_sequence, last);
    if (limit) return last < *limit ? lost(i, groups.at(), *limit) : Status();
    end_.torn_bytes = groups.bytes_left();
    return check_rest(i, last, groups);
  }

  // Behind the last group of the newest file. What was not on the disk yet may be gone while a later group is there: a
  // loss of power leaves that. A group that was written when it was there tells that these bytes have changed.
  [[nodiscard]] Status check_rest(size_t i, uint64_t last, GroupReader groups) const {
    const uint64_t byte = groups.at();
    std::optional<uint64_t> through;
    while (const auto later = groups.next_whole()) {
      if (!through) through = later->previous;
      if (later->durable > last) return lost(i, byte, *through);
    }
    return {};
  }

  [[nodiscard]] Status visit(const LogGroup& group, uint64_t number, std::string_view file) {
    return visit_group(group, number, file, [&](const LoggedRecord& record) -> Status {
      if (record.sequence <= after_) return {};
      ++end_.num_records;
      return visit_(record);
    });
  }

  [[nodiscard]] Status lost(size_t i, uint64_t byte, uint64_t through) const {
    return fail(Code::kCorruption, fmt::format("log '{}' is damaged at byte {}: records {} to {} are lost; {}", path(i),
                                               byte, end_.last_sequence + 1, through, kLogCure));
  }

  std::span<const LogFile> files_;
  uint64_t after_;
  const RecordVisitor& visit_;
  LogEnd end_;
};

}  // namespace

Result<LogHeader> read_log_header(const std::string& path) {
  NEARDUP_ASSIGN(const ReadFile file, ReadFile::open(path));
  std::string bytes(kLogHeaderBytes, '\0');
  NEARDUP_ASSIGN(const size_t size, file.read_at(0, bytes));
  return parse_log_header(std::string_view(bytes).substr(0, size), path);
}

Result<LogEnd> read_logs(std::span<const LogFile> files, uint64_t after, const RecordVisitor& visit) {
  return LogsReader(files, after, visit).run();
}

Result<LogEnd> read_logs(const std::string& folder, std::span<const uint64_t> numbers, uint64_t after,
                         const RecordVisitor& visit) {
  std::vector<LogFile> files;
  for (const uint64_t number : numbers) files.push_back({number, log_path(folder, number)});
  return read_logs(files, after, visit);
}

Result<std::vector<LogGap>> salvage_log(const LogFile& file, uint64_t limit, const RecordVisitor& visit) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(file.path));
  NEARDUP_ASSIGN(const LogHeader header, parse_log_header(bytes, file.path));
  std::vector<LogGap> gaps;
  uint64_t last = header.previous;
  GroupReader groups(bytes, header);
  while (const auto group = groups.next_whole()) {
    if (limit != 0 && group->first > limit) break;
    if (group->previous != last) gaps.push_back({groups.at() - group->size_bytes, last, group->first});
    last = group->first + group->num_records - 1;
    NEARDUP_TRY(visit_group(*group, file.number, bytes, visit));
  }
  if (last < limit) gaps.push_back({groups.at(), last, limit + 1});
  return gaps;
}

}  // namespace neardup::store
