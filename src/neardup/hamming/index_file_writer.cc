#include <fmt/format.h>

#include "neardup/base/disk/file.h"
#include "neardup/base/hash.h"
#include "neardup/hamming/index_file.h"
#include "neardup/hamming/index_file_layout.h"

namespace neardup::hamming {
namespace {

FixedHeader fixed_header_of(const IndexFileHeader& header, std::span<const FileSection> sections) {
  FixedHeader fixed;
  const auto& plan = header.plan;
  fixed.num_bits = static_cast<uint32_t>(plan.num_bits);
  fixed.codec = static_cast<uint32_t>(header.codec);
  fixed.num_documents = header.num_documents;
  fixed.num_distinct = header.num_distinct;
  fixed.max_distance = static_cast<uint32_t>(plan.max_distance);
  fixed.num_tables = static_cast<uint32_t>(plan.tables.size());
  fixed.num_sections = static_cast<uint32_t>(sections.size());
  fixed.name_bytes = static_cast<uint32_t>(plan.name.size());
  fixed.note_bytes = static_cast<uint32_t>(header.note.size());
  fixed.header_bytes = static_cast<uint32_t>(kFixedHeaderBytes + plan.tables.size() * (8 + fixed.num_bits) +
                                             sections.size() * kSectionEntryBytes + plan.name.size() +
                                             header.note.size() + sizeof(uint64_t));
  uint64_t end = fixed.header_bytes;
  for (const FileSection& section : sections)
    end = section_offset(end, section.section.bytes.size()) + section.section.bytes.size();
  fixed.file_bytes = footer_offset(end) + kFooterBytes;
  return fixed;
}

void append_section_entry(std::string& out, const FileSection& section, uint64_t offset) {
  append_little(out, section.table);
  std::string name(section.section.name);
  name.resize(kMaxSectionName);
  out += name;
  append_little(out, offset);
  append_little(out, uint64_t{section.section.bytes.size()});
  append_little(out, hash64(bytes_of(section.section.bytes)));
}

std::string header_bytes_of(const IndexFileHeader& header, const FixedHeader& fixed,
                            std::span<const FileSection> sections) {
  std::string out;
  append_fixed_header(out, fixed);
  for (const TableLayout& layout : header.plan.tables) {
    append_little(out, static_cast<uint32_t>(layout.prefix_bits));
    append_little(out, static_cast<uint32_t>(layout.flips));
    out.append(layout.order.begin(), layout.order.end());
  }
  uint64_t end = fixed.header_bytes;
  for (const FileSection& section : sections) {
    const uint64_t offset = section_offset(end, section.section.bytes.size());
    append_section_entry(out, section, offset);
    end = offset + section.section.bytes.size();
  }
  out += header.plan.name;
  out += header.note;
  append_little(out, hash64(out));
  return out;
}

Status check_sizes(const IndexFileHeader& header, std::span<const FileSection> sections) {
  if (header.plan.name.size() > kMaxNameBytes || header.note.size() > kMaxNoteBytes)
    return fail(Code::kInvalidArgument, "the name of the plan or the note is too long for an index file");
  if (header.plan.tables.size() > kMaxTables || sections.size() > kMaxSections)
    return fail(Code::kInvalidArgument, "too many tables for an index file");
  for (const FileSection& section : sections)
    if (section.section.name.empty() || section.section.name.size() > kMaxSectionName)
      return fail(Code::kInvalidArgument, fmt::format("a section cannot be called '{}'", section.section.name));
  return {};
}

}  // namespace

Status write_index_file(const std::string& path, const IndexFileHeader& header, std::span<const FileSection> sections) {
  NEARDUP_TRY(check_sizes(header, sections));
  const FixedHeader fixed = fixed_header_of(header, sections);
  const std::string start = header_bytes_of(header, fixed, sections);
  NEARDUP_ASSIGN(AtomicFile file, AtomicFile::create(path));
  NEARDUP_TRY(file.write(start));
  const auto fill_up_to = [&](uint64_t offset) { return file.write(std::string(offset - file.size_bytes(), '\0')); };
  for (const FileSection& section : sections) {
    NEARDUP_TRY(fill_up_to(section_offset(file.size_bytes(), section.section.bytes.size())));
    NEARDUP_TRY(file.write(bytes_of(section.section.bytes)));
  }
  NEARDUP_TRY(fill_up_to(fixed.file_bytes - kFooterBytes));
  NEARDUP_TRY(file.write(footer_bytes(hash64(std::string_view(start).substr(0, start.size() - 8)))));
  return file.commit();
}

}  // namespace neardup::hamming
