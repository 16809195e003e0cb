// A file may come from anywhere, so nothing of it is believed: every number is checked against the size of the file
// before it leads anywhere, sections stand one behind the other without gap or overlap, and the plan is proven complete
// as any other. Tables then check what their queries rely on. docs/formats/index.md.
#include "neardup/hamming/index_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/disk/mapped_file.h"
#include "neardup/base/hash.h"
#include "neardup/base/large_array.h"
#include "neardup/hamming/index_file_layout.h"

namespace neardup::hamming {

namespace {

Result<LargeArray<char>> read_whole(const std::string& path) {
  NEARDUP_ASSIGN(const ReadFile file, ReadFile::open(path));
  LargeArray<char> bytes;
  try {
    bytes.grow(file.size_bytes());
  } catch (const std::bad_alloc&) {
    return fail(Code::kMemory, fmt::format("index file '{}' has {} bytes, more than memory can take; map it instead",
                                           path, file.size_bytes()));
  }
  NEARDUP_TRY(file.read_exact_at(0, {bytes.data(), bytes.size()}));
  return bytes;
}

struct Placed {
  uint32_t table;
  std::string name;
  uint64_t offset;
  uint64_t size;
  uint64_t checksum;
};

tl::unexpected<Error> damaged_file(std::string_view name, std::string_view what) {
  return fail(
      Code::kCorruption,
      fmt::format("index file '{}' is damaged: {}; restore it from a copy, or make the index again", name, what));
}

}  // namespace

struct IndexFile::Content {
  std::string name;
  MappedFile mapped;
  LargeArray<char> memory;
  std::string_view bytes;
  size_t header_bytes = 0;
  uint64_t checksum = 0;
  IndexFileHeader header;
  std::vector<Placed> placed;
};

namespace {

// Everything of the header behind its fixed part. What is taken is checked afterwards.
Status read_variable_part(ByteReader& reader, const FixedHeader& fixed, const IndexFile& file, IndexFileHeader& header,
                          std::vector<Placed>& placed) {
  header.codec = static_cast<Codec>(fixed.codec);
  header.num_documents = fixed.num_documents;
  header.num_distinct = fixed.num_distinct;
  header.plan.num_bits = static_cast<int>(fixed.num_bits);
  header.plan.max_distance = static_cast<int>(fixed.max_distance);
  for (uint32_t i = 0; i < fixed.num_tables; ++i) {
    TableLayout layout;
    layout.prefix_bits = static_cast<int>(reader.number<uint32_t>());
    layout.flips = static_cast<int>(reader.number<uint32_t>());
    const std::string_view order = reader.piece(fixed.num_bits);
    layout.order.assign(order.begin(), order.end());
    header.plan.tables.push_back(std::move(layout));
  }
  for (uint32_t i = 0; i < fixed.num_sections; ++i) {
    Placed& section = placed.emplace_back();
    section.table = reader.number<uint32_t>();
    const std::string_view name = reader.piece(kMaxSectionName);
    section.name = name.substr(0, name.find('\0'));
    section.offset = reader.number<uint64_t>();
    section.size = reader.number<uint64_t>();
    section.checksum = reader.number<uint64_t>();
  }
  header.plan.name = reader.piece(fixed.name_bytes);
  header.note = reader.piece(fixed.note_bytes);
  if (!reader.ok() || reader.rest().size() != sizeof(uint64_t)) return file.damaged("its header does not add up");
  return {};
}

// Sections stand one behind the other, so that none can overlap another or the header.
Status check_placed(const std::vector<Placed>& placed, const FixedHeader& fixed, const IndexFile& file) {
  uint64_t end = fixed.header_bytes;
  for (const Placed& section : placed) {
    const uint64_t offset = section_offset(end, section.size);
    if (section.size > fixed.file_bytes || section.offset != offset || offset > fixed.file_bytes - section.size)
      return file.damaged(fmt::format("section {} does not stand where it must", section.name));
    if (section.table != kWholeIndex && section.table >= fixed.num_tables)
      return file.damaged(
          fmt::format("section {} is of table {} of {}", section.name, section.table, fixed.num_tables));
    end = offset + section.size;
  }
  if (footer_offset(end) + kFooterBytes != fixed.file_bytes) return file.damaged("its lengths do not add up");
  return {};
}

Status check_numbers(const FixedHeader& fixed, const IndexFile& file) {
  if (fixed.num_bits != 64 && fixed.num_bits != 128) return file.damaged("its number of bits");
  if (fixed.codec > static_cast<uint32_t>(Codec::kDelta)) return file.damaged("its codec");
  if (fixed.num_distinct > fixed.num_documents) return file.damaged("it has more fingerprints than documents");
  if (fixed.num_distinct == 0 && fixed.num_documents != 0) return file.damaged("it has documents but no fingerprints");
  if (fixed.num_tables == 0 || fixed.num_tables > kMaxTables) return file.damaged("its number of tables");
  if (fixed.num_sections > kMaxSections || fixed.name_bytes > kMaxNameBytes || fixed.note_bytes > kMaxNoteBytes)
    return file.damaged("its header has impossible lengths");
  return {};
}

Status check_frame(std::string_view bytes, const FixedHeader& fixed, const IndexFile& file) {
  if (!bytes.starts_with(kIndexKind.magic)) {
    return fail(Code::kCorruption,
                fmt::format("'{}' is not an index file: it does not begin with '{}'; such files are written by "
                            "`neardup index`",
                            file.name(), kIndexKind.magic));
  }
  if (bytes.size() >= kFixedHeaderBytes) NEARDUP_TRY(check_version(kIndexKind, file.name(), fixed.version));
  if (bytes.size() < kFixedHeaderBytes + kFooterBytes) return file.damaged("it is cut short");
  if (bytes.size() != fixed.file_bytes)
    return file.damaged(fmt::format("it has {} bytes, its header says {}", bytes.size(), fixed.file_bytes));
  if (fixed.header_bytes < kFixedHeaderBytes + 8 || fixed.header_bytes > bytes.size() - kFooterBytes)
    return file.damaged("its header has an impossible length");
  return {};
}

}  // namespace

Result<IndexFile> IndexFile::read(std::shared_ptr<Content> content, bool verify) {
  const std::string_view bytes = content->bytes;
  const IndexFile file(content);
  const FixedHeader fixed = read_fixed_header(bytes);
  NEARDUP_TRY(check_frame(bytes, fixed, file));
  const std::string_view header = bytes.substr(0, fixed.header_bytes);
  const uint64_t checksum = hash64(header.substr(0, header.size() - 8));
  if (ByteReader(header.substr(header.size() - 8)).number<uint64_t>() != checksum)
    return file.damaged("its header fails its checksum");
  if (!bytes.ends_with(footer_bytes(checksum))) return file.damaged("its end is not its own");
  NEARDUP_TRY(check_numbers(fixed, file));
  ByteReader reader(header.substr(kFixedHeaderBytes));
  NEARDUP_TRY(read_variable_part(reader, fixed, file, content->header, content->placed));
  NEARDUP_TRY(check_placed(content->placed, fixed, file));
  if (const Status plan = check_plan(content->header.plan); !plan) {
    const std::string_view message = plan.error().message;  // with the cure for a plan, which is not that for a file
    return file.damaged(message.substr(0, message.find("; ")));
  }
  content->header_bytes = fixed.header_bytes;
  content->checksum = checksum;
  if (verify) NEARDUP_TRY(file.verify());
  return file;
}

Result<IndexFile> IndexFile::from_bytes(std::string_view bytes, std::string name, bool verify) {
  auto content = std::make_shared<Content>();
  content->name = std::move(name);
  content->bytes = bytes;
  return read(std::move(content), verify);
}

Result<IndexFile> IndexFile::open(const std::string& path, Access access, bool verify) {
  auto content = std::make_shared<Content>();
  content->name = path;
  if (access == Access::kMap) {
    NEARDUP_ASSIGN(content->mapped, MappedFile::open(path));
    content->bytes = content->mapped.bytes();
  } else {
    NEARDUP_ASSIGN(content->memory, read_whole(path));
    content->bytes = {content->memory.data(), content->memory.size()};
  }
  return read(std::move(content), verify);
}

const IndexFileHeader& IndexFile::header() const { return content_->header; }
const std::string& IndexFile::name() const { return content_->name; }
uint64_t IndexFile::size_bytes() const { return content_->bytes.size(); }
uint64_t IndexFile::checksum() const { return content_->checksum; }
tl::unexpected<Error> IndexFile::damaged(std::string_view what) const { return damaged_file(content_->name, what); }

std::vector<TableSection> IndexFile::sections(uint32_t table) const {
  std::vector<TableSection> sections;
  for (const Placed& placed : content_->placed) {
    if (placed.table != table) continue;
    const std::string_view bytes = content_->bytes.substr(placed.offset, placed.size);
    sections.push_back({placed.name, std::as_bytes(std::span(bytes.data(), bytes.size()))});
  }
  return sections;
}

Status IndexFile::verify() const {
  size_t end = content_->header_bytes;
  const auto check_gap = [&](size_t next) -> Status {
    const std::string_view gap = content_->bytes.substr(end, next - end);
    if (gap.find_first_not_of('\0') != std::string_view::npos)
      return damaged(fmt::format("bytes {} to {} are not zero", end, next));
    return {};
  };
  for (const Placed& placed : content_->placed) {
    NEARDUP_TRY(check_gap(placed.offset));
    if (hash64(content_->bytes.substr(placed.offset, placed.size)) != placed.checksum)
      return damaged(fmt::format("section {} of {} fails its checksum", placed.name,
                                 placed.table == kWholeIndex ? "the index" : fmt::format("table {}", placed.table)));
    end = placed.offset + placed.size;
  }
  return check_gap(content_->bytes.size() - kFooterBytes);
}

}  // namespace neardup::hamming
