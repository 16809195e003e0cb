#include "neardup/store/record_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/store/batch_record.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/log_format.h"
#include "neardup/store/log_reader.h"

namespace neardup::store {
namespace {

constexpr FileKind places_kind(uint32_t version) {
  return {"NDUPPLAC", version, "list of places of records", "restore the store from a copy, or repair it"};
}
constexpr FileKind kPlacesKind = places_kind(2);
constexpr FileKind kUnsaltedKind = places_kind(1);  // without the salt of the log; read, not written any more
constexpr size_t kFirstReadBytes = 4096;            // most records are shorter: one call of the system

}  // namespace

Result<std::shared_ptr<const RecordFile>> RecordFile::open(const std::string& path, LogPlaces places,
                                                           FactsPlace facts) {
  places.places.shrink();
  const std::shared_ptr<RecordFile> records(new RecordFile(path, std::move(places), std::move(facts)));
  NEARDUP_ASSIGN(const LogHeader header, read_log_header(path));
  records->is_unchecked_ = header.version == kUncheckedLogVersion;
  NEARDUP_TRY(records->file());
  return records;
}

RecordFile::~RecordFile() {
  OpenRecords::of_process().remove(*this);
  for (const std::string& path : unnamed_) remove_all_quietly(path);
}

void RecordFile::remove_when_gone(std::vector<std::string> paths) const {
  const std::lock_guard lock(mutex_);
  unnamed_ = std::move(paths);
}

bool RecordFile::close_if_idle() const {
  const std::lock_guard lock(mutex_);
  if (std::exchange(was_used_, false)) return false;
  file_ = nullptr;
  return true;
}

// Opened anew it must still be the one whose places are known.
Result<std::shared_ptr<const ReadFile>> RecordFile::file() const {
  {
    const std::lock_guard lock(mutex_);
    was_used_ = true;
    if (file_ != nullptr) return file_;
  }
  NEARDUP_ASSIGN(ReadFile opened, ReadFile::open(path_));
  std::string bytes(kLogHeaderBytes, '\0');
  NEARDUP_ASSIGN(const size_t size, opened.read_at(0, bytes));
  NEARDUP_ASSIGN(const LogHeader header, parse_log_header(std::string_view(bytes).substr(0, size), path_));
  if (header.number != places_.log || (places_.salt != 0 && header.salt != places_.salt)) return not_the_one(path_);
  auto file = std::make_shared<const ReadFile>(std::move(opened));
  {
    const std::lock_guard lock(mutex_);
    if (file_ != nullptr) return file_;  // somebody else was faster
    file_ = file;
  }
  OpenRecords::of_process().add(*this);
  return file;
}

Result<DocumentFacts> RecordFile::read_facts() const {
  NEARDUP_ASSIGN(FactsFile file, store::read_facts(facts_.path, end() - first()));
  if (file.checksum != facts_.checksum || file.facts.first() != first() || file.facts.end() != end())
    return not_the_one(facts_.path);
  return std::move(file.facts);
}

tl::unexpected<Error> RecordFile::damaged(uint64_t number) const {
  return fail(Code::kCorruption, fmt::format("the record of document {} is not what it was in '{}'; run 'neardup index "
                                             "check' on the folder",
                                             number, path_));
}

Status RecordFile::read(uint64_t number, std::string& bytes) const {
  if (number < first() || number >= end()) return damaged(number);
  const std::optional<uint64_t> place = places_.places.at(number - first());
  if (!place || *place < kPieceLengthBytes) return damaged(number);
  const uint64_t begin = *place - kPieceLengthBytes;
  bytes.resize(kFirstReadBytes);
  NEARDUP_ASSIGN(const std::shared_ptr<const ReadFile> file, this->file());
  NEARDUP_ASSIGN(size_t got, file->read_at(begin, bytes));
  if (got < kPieceLengthBytes) return damaged(number);
  const uint64_t size = kPieceLengthBytes + ByteReader(bytes).number<uint32_t>();
  if (begin + size > file->size_bytes()) return damaged(number);
  bytes.resize(std::max<uint64_t>(size, got));
  if (got < size) NEARDUP_TRY(file->read_exact_at(begin + got, std::span(bytes).subspan(got, size - got)));
  bytes.resize(size);
  bytes.erase(0, kPieceLengthBytes);
  return {};
}

Result<uint64_t> write_places(const std::string& path, const LogPlaces& places) {
  std::string bytes = begin_frame(kPlacesKind);
  append_little(bytes, places.log);
  append_little(bytes, places.salt);
  append_little(bytes, places.first);
  places.places.append_to(bytes);
  end_frame(bytes);
  NEARDUP_TRY(write_file_atomically(path, bytes));
  return frame_checksum(bytes);
}

Result<LogPlaces> parse_places(std::string_view bytes, std::string_view path) {
  const bool is_unsalted = frame_version(bytes) == kUnsaltedKind.version;
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, is_unsalted ? kUnsaltedKind : kPlacesKind, path));
  ByteReader reader(payload);
  LogPlaces places;
  places.log = reader.number<uint64_t>();
  if (!is_unsalted) places.salt = reader.number<uint64_t>();
  places.first = reader.number<uint64_t>();
  auto list = Places::parse(reader.rest());
  if (!reader.ok() || !list) return damaged_file(kPlacesKind, path, "its list is not one of places");
  places.places = std::move(*list);
  places.checksum = frame_checksum(bytes);
  return places;
}

}  // namespace neardup::store
