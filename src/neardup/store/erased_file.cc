#include "neardup/store/erased_file.h"

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"
#include "neardup/base/disk/file.h"

namespace neardup::store {

namespace {

constexpr FileKind kErasedKind{"NDUPERAS", 1, "list of erased documents",
                               "restore it from a copy, or make the index again"};

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

}  // namespace neardup::store
