#include "neardup/store/erased_file.h"

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/base/disk/file.h"

namespace neardup::store {

namespace {

constexpr FileKind kErasedKind{"NDUPERAS", 1, "list of erased documents",
                               "restore it from a copy, or make the index again"};

constexpr FileKind kRangesKind{"NDUPERAS", 2, kErasedKind.noun, "restore the store from a copy, or repair it"};

}  // namespace

Result<uint64_t> write_erased_file(const std::string& path, const DocumentSet& documents) {
  std::string bytes = begin_frame(kErasedKind);
  append_little(bytes, uint64_t{documents.size()});
  for (const uint64_t document : documents.sorted()) append_little(bytes, document);
  end_frame(bytes);
  NEARDUP_TRY(write_file_atomically(path, bytes));
  return frame_checksum(bytes);
}

Result<ErasedFile> parse_erased_file(std::string_view bytes, std::string_view path) {
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, kErasedKind, path));
  ByteReader reader(payload);
  const auto count = reader.number<uint64_t>();
  if (!reader.ok() || reader.rest().size() % 8 != 0 || count != reader.rest().size() / 8)
    return damaged_file(kErasedKind, path, "its length is not that of its list");
  std::vector<uint64_t> documents;
  documents.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    documents.push_back(reader.number<uint64_t>());
    if (i > 0 && documents[i - 1] >= documents[i]) return damaged_file(kErasedKind, path, "its numbers do not ascend");
  }
  return ErasedFile{DocumentSet(std::move(documents)), frame_checksum(bytes)};
}

Result<ErasedFile> read_erased_file(const std::string& path) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  return parse_erased_file(bytes, path);
}

Result<uint64_t> write_erased_ranges(const std::string& path, const NumberSet& numbers) {
  std::string bytes = begin_frame(kRangesKind);
  uint64_t before = 0;
  numbers.for_each_range([&](uint64_t first, uint64_t end) {
    append_varint(bytes, first - before);
    append_varint(bytes, end - first);
    before = end;
  });
  end_frame(bytes);
  NEARDUP_TRY(write_file_atomically(path, bytes));
  return frame_checksum(bytes);
}

Result<ErasedRanges> parse_erased_ranges(std::string_view bytes, std::string_view path, uint64_t end) {
  if (frame_version(bytes) == kErasedKind.version) {
    NEARDUP_ASSIGN(const ErasedFile listed, parse_erased_file(bytes, path));
    const auto numbers = listed.documents.sorted();
    if (!numbers.empty() && numbers.back() >= end) return damaged_file(kErasedKind, path, "a number that there is not");
    return ErasedRanges{NumberSet(numbers), listed.checksum};
  }
  NEARDUP_ASSIGN(const std::string_view payload, open_frame(bytes, kRangesKind, path));
  ErasedRanges erased{{}, frame_checksum(bytes)};
  ByteReader reader(payload);
  for (uint64_t before = 0; reader.ok() && !reader.rest().empty();) {
    const uint64_t skipped = reader.varint(), count = reader.varint();
    if (!reader.ok() || skipped > end - before || count == 0 || count > end - before - skipped)
      return damaged_file(kRangesKind, path, "a number that there is not");
    erased.numbers.add_range(before + skipped, before + skipped + count);
    before += skipped + count;
  }
  return erased;
}

Result<ErasedRanges> read_erased_ranges(const std::string& path, uint64_t end) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  return parse_erased_ranges(bytes, path, end);
}

}  // namespace neardup::store
