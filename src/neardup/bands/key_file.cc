#include "neardup/bands/key_file.h"

#include <fmt/format.h>

#include <numeric>

#include "neardup/base/bytes.h"
#include "neardup/hamming/index_file.h"

namespace neardup::bands {
namespace {

constexpr std::string_view kPlanName = "keys";
constexpr size_t kNoteBytes = 2 * sizeof(uint64_t);  // first, count

// One table by the leading bits that are known: complete for distance 0.
hamming::Plan key_plan() {
  hamming::Plan plan;
  plan.name = kPlanName;
  plan.max_distance = 0;
  hamming::TableLayout& layout = plan.tables.emplace_back();
  layout.order.resize(64);
  std::iota(layout.order.rbegin(), layout.order.rend(), uint8_t{0});
  layout.prefix_bits = kKeyBits;
  return plan;
}

hamming::IndexFileHeader header_of(const KeySegment& segment) {
  hamming::IndexFileHeader header;
  header.num_documents = header.num_distinct = segment.table.size();
  header.plan = key_plan();
  append_little(header.note, segment.first);
  append_little(header.note, segment.count);
  return header;
}

Result<OpenedKeyFile> open(const hamming::IndexFile& file, bool verify) {
  const hamming::IndexFileHeader& header = file.header();
  if (header.plan != key_plan() || header.note.size() != kNoteBytes)
    return file.damaged("it holds other things than keys");
  OpenedKeyFile opened;
  ByteReader note(header.note);
  opened.segment.first = note.number<uint64_t>();
  opened.segment.count = note.number<uint64_t>();
  if (opened.segment.count > uint64_t{1} << 32 || opened.segment.first > UINT64_MAX - opened.segment.count)
    return file.damaged("its range of documents");
  const auto table = KeyTable::open(file.sections(hamming::kWholeIndex), opened.segment.count, verify);
  if (!table) return file.damaged(table.error().message);
  if (table->size() != header.num_documents) return file.damaged("it has not as many keys as it says");
  opened.segment.table = *table;
  opened.segment.bytes = std::make_shared<hamming::IndexFile>(file);
  opened.identity = {file.size_bytes(), file.checksum()};
  return opened;
}

}  // namespace

Result<KeyFileIdentity> write_key_file(const std::string& path, const KeySegment& segment) {
  std::vector<hamming::TableSection> arrays;
  segment.table.append_sections(arrays);
  std::vector<hamming::FileSection> sections;
  for (const hamming::TableSection& array : arrays) sections.push_back({hamming::kWholeIndex, array});
  NEARDUP_TRY(hamming::write_index_file(path, header_of(segment), sections));
  NEARDUP_ASSIGN(const hamming::IndexFile file, hamming::IndexFile::open(path, hamming::Access::kMap, false));
  return KeyFileIdentity{file.size_bytes(), file.checksum()};
}

Result<OpenedKeyFile> open_key_file(const std::string& path, hamming::Access access, bool verify) {
  NEARDUP_ASSIGN(const hamming::IndexFile file, hamming::IndexFile::open(path, access, verify));
  return open(file, verify);
}

Result<OpenedKeyFile> open_key_bytes(std::string_view bytes, const std::string& name, bool verify) {
  NEARDUP_ASSIGN(const hamming::IndexFile file, hamming::IndexFile::from_bytes(bytes, name, verify));
  return open(file, verify);
}

}  // namespace neardup::bands
