#include "neardup/store/record_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/store/batch_record.h"
#include "neardup/store/log_writer.h"

namespace neardup::store {
namespace {

constexpr FileKind kPlacesKind{"NDUPPLAC", 1, "list of places of records", "restore the store from a copy"};
constexpr size_t kFirstReadBytes = 4096;  // most records are shorter: one call of the system

}  // namespace

Result<std::shared_ptr<const RecordFile>> RecordFile::open(const std::string& path, LogPlaces places,
                                                           FactsPlace facts) {
  NEARDUP_ASSIGN(ReadFile file, ReadFile::open(path));
  places.places.shrink();
  return std::shared_ptr<const RecordFile>(new RecordFile(std::move(file), std::move(places), std::move(facts)));
}

Status RecordFile::read(uint64_t number, std::string& bytes) const {
  const auto damaged = [&] {
    return fail(Code::kCorruption, fmt::format("the record of document {} is not where it was in '{}'; run 'neardup "
                                               "index check' on the folder",
                                               number, file_.path()));
  };
  if (number < first() || number >= end()) return damaged();
  const std::optional<uint64_t> place = places_.places.at(number - first());
  if (!place || *place < kPieceLengthBytes) return damaged();
  const uint64_t begin = *place - kPieceLengthBytes;
  bytes.resize(kFirstReadBytes);
  NEARDUP_ASSIGN(size_t got, file_.read_at(begin, bytes));
  if (got < kPieceLengthBytes) return damaged();
  const uint64_t size = kPieceLengthBytes + ByteReader(bytes).number<uint32_t>();
  if (begin + size > file_.size_bytes()) return damaged();
  bytes.resize(std::max<uint64_t>(size, got));
  if (got < size) NEARDUP_TRY(file_.read_exact_at(begin + got, std::span(bytes).subspan(got, size - got)));
  bytes.resize(size);
  bytes.erase(0, kPieceLengthBytes);
  return {};
}

Result<uint64_t> write_places(const std::string& path, const LogPlaces& places) {
  std::string bytes = begin_frame(kPlacesKind);
  append_little(bytes, places.log);
  append_little(bytes, places.first);
  places.places.append_to(bytes);
  end_frame(bytes);
  NEARDUP_TRY(write_file_atomically(path, bytes));
  return frame_checksum(bytes);
}

Result<LogPlaces> parse_places(std::string_view bytes, std::string_view path) {
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, kPlacesKind, path));
  ByteReader reader(payload);
  LogPlaces places;
  places.log = reader.number<uint64_t>();
  places.first = reader.number<uint64_t>();
  auto list = Places::parse(reader.rest());
  if (!reader.ok() || !list) return damaged_file(kPlacesKind, path, "its list is not one of places");
  places.places = std::move(*list);
  places.checksum = frame_checksum(bytes);
  return places;
}

}  // namespace neardup::store
