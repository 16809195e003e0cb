#include "neardup/store/record_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/store/log_writer.h"

namespace neardup::store {
namespace {

constexpr FileKind kPlacesKind{"NDUPPLAC", 1, "list of places of records", "restore the store from a copy"};
constexpr size_t kLengthBytes = sizeof(uint32_t);
constexpr size_t kFirstReadBytes = 4096;  // most records are shorter: one call of the system

}  // namespace

Result<std::shared_ptr<const RecordFile>> RecordFile::open(const std::string& folder, uint64_t log, uint64_t first,
                                                           std::vector<uint64_t> offsets) {
  NEARDUP_ASSIGN(ReadFile file, ReadFile::open(log_path(folder, log)));
  return std::shared_ptr<const RecordFile>(new RecordFile(std::move(file), log, first, std::move(offsets)));
}

Status RecordFile::read(uint64_t number, std::string& bytes) const {
  const auto damaged = [&] {
    return fail(Code::kCorruption, fmt::format("the record of document {} is not where it was in '{}'; run 'neardup "
                                               "index check' on the folder",
                                               number, file_.path()));
  };
  if (number < first_ || number >= end() || offsets_[number - first_] < kLengthBytes) return damaged();
  const uint64_t begin = offsets_[number - first_] - kLengthBytes;
  bytes.resize(kFirstReadBytes);
  NEARDUP_ASSIGN(size_t got, file_.read_at(begin, bytes));
  if (got < kLengthBytes) return damaged();
  const uint64_t end = kLengthBytes + ByteReader(bytes).number<uint32_t>();
  if (begin + end > file_.size_bytes()) return damaged();
  bytes.resize(std::max<uint64_t>(end, got));
  if (got < end) NEARDUP_TRY(file_.read_exact_at(begin + got, std::span(bytes).subspan(got, end - got)));
  bytes.resize(end);
  bytes.erase(0, kLengthBytes);
  return {};
}

Result<uint64_t> write_places(const std::string& path, const RecordFile& file) {
  std::string bytes = begin_frame(kPlacesKind);
  append_little(bytes, file.log());
  append_little(bytes, file.first());
  bytes += bytes_of(file.offsets());
  end_frame(bytes);
  NEARDUP_TRY(write_file_atomically(path, bytes));
  return frame_checksum(bytes);
}

Result<Places> parse_places(std::string_view bytes, std::string_view path) {
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, kPlacesKind, path));
  ByteReader reader(payload);
  Places places;
  places.log = reader.number<uint64_t>();
  places.first = reader.number<uint64_t>();
  if (!reader.ok() || reader.rest().size() % sizeof(uint64_t) != 0)
    return damaged_file(kPlacesKind, path, "its length is not that of its list");
  places.offsets.reserve(reader.rest().size() / sizeof(uint64_t));
  while (!reader.rest().empty()) places.offsets.push_back(reader.number<uint64_t>());
  places.checksum = frame_checksum(bytes);
  return places;
}

}  // namespace neardup::store
