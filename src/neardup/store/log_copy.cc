#include "neardup/store/log_copy.h"

#include <algorithm>
#include <random>
#include <utility>

#include "neardup/store/batch_record.h"
#include "neardup/store/change.h"
#include "neardup/store/record_file.h"

namespace neardup::store {
namespace {

constexpr size_t kGroupBytes = size_t{1} << 20;

// A record without what is erased; notes where documents stand in it.
class LivePieces {
 public:
  LivePieces(const LiveLogs& from, uint64_t salt)
      : from_(from),
        next_(from.first),
        places_{.log = from.logs.front().number, .salt = salt, .first = from.first, .places = {}} {}

  Status take(std::string_view record) {
    bytes_.clear();
    found_.clear();
    return for_each_piece(record, [&](std::string_view piece) { return take_piece(piece); });
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  void put_at(uint64_t offset) {
    for (const Found& found : found_) {
      fill_to(found.number);
      places_.places.add(offset + found.place, found.is_duplicate);
    }
  }
  [[nodiscard]] LogPlaces finish() {
    fill_to(from_.end);
    return std::move(places_);
  }

 private:
  struct Found {
    uint64_t number, place;
    bool is_duplicate;
  };
  Status take_piece(std::string_view piece) {
    NEARDUP_ASSIGN(const Change change, reader_.read(piece));
    if (change.document && from_.erased.contains(change.document->number)) return put_erasure(change.same_id);
    if (!change.erased.empty()) return put_erasure(change.erased);
    if (change.document && change.document->number >= next_ && change.document->number < from_.end) {
      const bool is_duplicate = change.document->fate.kind != Kind::kNew;
      found_.push_back({change.document->number, bytes_.size() + kPieceLengthBytes, is_duplicate});
      next_ = change.document->number + 1;
    }
    if (change.document && is_unchecked_arrival(piece)) {
      arrival_.clear();
      append_arrival(arrival_, *change.document, change.same_id);
      piece = arrival_;
    }
    append_piece(bytes_, piece);
    return {};
  }
  // Told for who reads all logs again: of those whose records he finds.
  Status put_erasure(const std::vector<uint64_t>& numbers) {
    std::vector<uint64_t> erased;
    for (const uint64_t number : numbers)
      if (from_.erased.contains(number) && from_.is_recorded(number)) erased.push_back(number);
    if (erased.empty()) return {};
    std::string piece;
    append_erasure(piece, erased);
    append_piece(bytes_, piece);
    return {};
  }
  void fill_to(uint64_t number) { places_.places.fill_to(number - places_.first); }

  const LiveLogs& from_;
  uint64_t next_;  // document that may come
  ChangeReader reader_;
  LogPlaces places_;
  std::string bytes_, arrival_;
  std::vector<Found> found_;  // in bytes_
};

}  // namespace

LogCopy::LogCopy(AtomicFile file, const LogHeader& header)
    : file_(std::move(file)),
      salt_(header.salt),
      version_(header.version),
      last_group_(header.previous),
      last_(header.previous),
      group_(group_header_bytes(header.version), '\0') {}

Result<LogCopy> LogCopy::create(const std::string& path, uint64_t number, uint64_t previous, uint32_t version) {
  std::random_device random;
  const LogHeader header{number, previous, uint64_t{random()} << 32 | random(), version};
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  NEARDUP_TRY(file.write(to_bytes(header)));
  return LogCopy(std::move(file), header);
}

Result<uint64_t> LogCopy::append(uint64_t sequence, std::string_view record) {
  if (num_records_ > 0 && (sequence != last_ + 1 || group_.size() >= kGroupBytes)) NEARDUP_TRY(end_group());
  if (num_records_++ == 0) first_ = sequence;
  last_ = sequence;
  append_to_group(group_, record);
  return file_.size_bytes() + group_.size() - record.size();
}

Status LogCopy::end_group() {
  if (num_records_ == 0) return {};
  seal_group(group_, {first_, last_group_, last_group_, num_records_}, salt_, version_);
  NEARDUP_TRY(file_.write(group_));
  group_.assign(group_header_bytes(version_), '\0');
  last_group_ = last_;
  num_records_ = 0;
  return {};
}

Status LogCopy::commit() {
  NEARDUP_TRY(end_group());
  return file_.commit();
}

Result<LogPlaces> copy_live(const LiveLogs& from, const std::string& to) {
  const LogFile& first = from.logs.front();
  NEARDUP_ASSIGN(const LogHeader header, read_log_header(first.path));
  NEARDUP_ASSIGN(LogCopy copy, LogCopy::create(to, first.number, header.previous));
  LivePieces live(from, copy.salt());
  uint64_t last = header.previous;
  const auto read = read_logs(from.logs, header.previous, [&](const LoggedRecord& record) -> Status {
    if (record.sequence > from.last_sequence) return {};
    NEARDUP_TRY(live.take(record.bytes));
    if (live.bytes().empty()) return {};
    last = record.sequence;
    NEARDUP_ASSIGN(const uint64_t offset, copy.append(record.sequence, live.bytes()));
    live.put_at(offset);
    return {};
  });
  if (!read) return tl::unexpected<Error>(read.error());
  if (last < from.last_sequence) NEARDUP_TRY(copy.append(from.last_sequence, {}));
  NEARDUP_TRY(copy.commit());
  return live.finish();
}

Result<std::vector<LogGap>> copy_salvaged(const LogFile& from, const std::string& to, uint64_t previous,
                                          uint64_t limit) {
  NEARDUP_ASSIGN(const LogHeader header, read_log_header(from.path));
  NEARDUP_ASSIGN(LogCopy copy, LogCopy::create(to, from.number, previous, header.version));
  uint64_t last = previous;
  NEARDUP_ASSIGN(std::vector<LogGap> gaps, salvage_log(from, limit, [&](const LoggedRecord& record) -> Status {
                   if (record.sequence <= last) return {};
                   last = record.sequence;
                   NEARDUP_TRY(copy.append(record.sequence, record.bytes));
                   return {};
                 }));
  if (last < limit) NEARDUP_TRY(copy.append(limit, {}));  // the next log says that it goes on there
  NEARDUP_TRY(copy.commit());
  return gaps;
}

}  // namespace neardup::store
