// The numbers of the index file, shared by its writer and its reader. See docs/formats/index.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/bytes.h"
#include "neardup/base/checked_bytes.h"

namespace neardup::hamming {

inline constexpr FileKind kIndexKind{"NDUPINDX", 1, "index file", "make the index again"};
inline constexpr std::string_view kIndexFooterMagic = "NDUPIEND";
inline constexpr size_t kFixedHeaderBytes = 72;
inline constexpr size_t kSectionEntryBytes = 52;
inline constexpr size_t kFooterBytes = 16;
inline constexpr uint64_t kLineBytes = 64;
inline constexpr uint64_t kPageBytes = 4096;
inline constexpr uint32_t kMaxTables = 64;
inline constexpr uint32_t kMaxSections = 4096;
inline constexpr uint32_t kMaxNameBytes = 4096;

/// The first kFixedHeaderBytes of a file.
struct FixedHeader {
  uint32_t version = kIndexKind.version;
  uint32_t header_bytes = 0;  // all before the first section's padding, the checksum included
  uint64_t file_bytes = 0;
  uint32_t num_bits = 0;
  uint32_t codec = 0;
  uint64_t num_documents = 0;
  uint64_t num_distinct = 0;
  uint32_t max_distance = 0;
  uint32_t num_tables = 0;
  uint32_t num_sections = 0;
  uint32_t name_bytes = 0;
  uint32_t note_bytes = 0;
};

inline void append_fixed_header(std::string& out, const FixedHeader& header) {
  out += kIndexKind.magic;
  append_little(out, header.version);
  append_little(out, header.header_bytes);
  append_little(out, header.file_bytes);
  append_little(out, header.num_bits);
  append_little(out, header.codec);
  append_little(out, header.num_documents);
  append_little(out, header.num_distinct);
  append_little(out, header.max_distance);
  append_little(out, header.num_tables);
  append_little(out, header.num_sections);
  append_little(out, header.name_bytes);
  append_little(out, header.note_bytes);
  append_little(out, uint32_t{0});
}

/// Returns what stands there, zeros beyond the end.
inline FixedHeader read_fixed_header(std::string_view bytes) {
  ByteReader reader(bytes.substr(bytes.size() < kIndexKind.magic.size() ? bytes.size() : kIndexKind.magic.size()));
  FixedHeader header;
  header.version = reader.number<uint32_t>();
  header.header_bytes = reader.number<uint32_t>();
  header.file_bytes = reader.number<uint64_t>();
  header.num_bits = reader.number<uint32_t>();
  header.codec = reader.number<uint32_t>();
  header.num_documents = reader.number<uint64_t>();
  header.num_distinct = reader.number<uint64_t>();
  header.max_distance = reader.number<uint32_t>();
  header.num_tables = reader.number<uint32_t>();
  header.num_sections = reader.number<uint32_t>();
  header.name_bytes = reader.number<uint32_t>();
  header.note_bytes = reader.number<uint32_t>();
  return header;
}

/// Returns where a section of `size` bytes stands behind something that ends at `end`: at least a line of zeros
/// between, for kernels that read beyond the end of an array.
[[nodiscard]] inline uint64_t section_offset(uint64_t end, uint64_t size) {
  const uint64_t alignment = size >= kPageBytes ? kPageBytes : kLineBytes;
  return (end + kLineBytes + alignment - 1) / alignment * alignment;
}

/// Returns where the footer stands behind the last section.
[[nodiscard]] inline uint64_t footer_offset(uint64_t end) { return section_offset(end, 0); }

/// Returns the last bytes of the file whose header has this checksum.
[[nodiscard]] inline std::string footer_bytes(uint64_t header_checksum) {
  std::string footer;
  append_little(footer, header_checksum);
  footer += kIndexFooterMagic;
  return footer;
}

}  // namespace neardup::hamming
