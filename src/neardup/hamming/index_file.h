// The file that a static index is stored in: a header that says what it is, and named arrays with their checksums.
// The format: docs/formats/index.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/hamming/static_index.h"
#include "neardup/hamming/table.h"

namespace neardup::hamming {

/// What an index file says about itself.
struct IndexFileHeader {
  Codec codec = Codec::kPacked;
  uint64_t num_documents = 0;
  uint64_t num_distinct = 0;  // fingerprints
  Plan plan;
  std::string note;
  bool operator==(const IndexFileHeader&) const = default;
};

/// Stands for "of no table": sections that belong to the index as a whole.
inline constexpr uint32_t kWholeIndex = UINT32_MAX;
inline constexpr size_t kMaxSectionName = 24;
inline constexpr size_t kMaxNoteBytes = size_t{1} << 20;

/// An array in the file.
struct FileSection {
  uint32_t table = kWholeIndex;  // number in the plan
  TableSection section;          // its name has at most kMaxSectionName bytes
};

/// Writes a file; it appears whole. Errors: kIo, kDiskFull; kInvalidArgument (a plan name or note too long).
[[nodiscard]] Status write_index_file(const std::string& path, const IndexFileHeader& header,
                                      std::span<const FileSection> sections);

/// A file that has been opened. Copies share it. Threads: any.
class IndexFile {
 public:
  /// Reads and checks header, lengths and the end; with `verify` every byte of the file. Memory: nothing but the header
  /// for kMap, the whole file for kLoad. Errors: kNotFound, kIo, kMemory; kCorruption that names the file, the fault
  /// and the cure (damaged, cut short, another version).
  [[nodiscard]] static Result<IndexFile> open(const std::string& path, Access access, bool verify);
  /// The same over bytes in memory, which must outlive the file. `name` is for messages.
  [[nodiscard]] static Result<IndexFile> from_bytes(std::string_view bytes, std::string name, bool verify);

  [[nodiscard]] const IndexFileHeader& header() const;
  [[nodiscard]] const std::string& name() const;
  [[nodiscard]] uint64_t size_bytes() const;
  /// Returns the checksum of the header, and so of the checksums of all sections: no other content has it.
  [[nodiscard]] uint64_t checksum() const;
  /// Returns the sections of one table (or kWholeIndex) in file order. Each begins at a multiple of 64 bytes, of 4096
  /// where it has as many, and is followed by at least 64 readable bytes. Valid as long as a copy of this object.
  [[nodiscard]] std::vector<TableSection> sections(uint32_t table) const;
  /// Checks the bytes of all sections and between them. Errors: kCorruption.
  [[nodiscard]] Status verify() const;
  /// Returns an error to give back where a section does not hold what it must.
  [[nodiscard]] tl::unexpected<Error> damaged(std::string_view what) const;

 private:
  struct Content;
  static Result<IndexFile> read(std::shared_ptr<Content> content, bool verify);
  explicit IndexFile(std::shared_ptr<const Content> content) : content_(std::move(content)) {}
  std::shared_ptr<const Content> content_;
};

}  // namespace neardup::hamming
