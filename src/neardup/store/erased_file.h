// The file of a segment that says which documents are erased from all older ones.
#pragma once

#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/store/document_set.h"
#include "neardup/store/number_set.h"

namespace neardup::store {

/// Writes the file; it appears whole. Returns its checksum. Errors: kIo, kDiskFull.
[[nodiscard]] Result<uint64_t> write_erased_file(const std::string& path, const DocumentSet& documents);
/// A list and the checksum that its file carries.
struct ErasedFile {
  DocumentSet documents;
  uint64_t checksum = 0;
};
/// Errors: kNotFound, kIo, kCorruption, naming the file and the cure.
[[nodiscard]] Result<ErasedFile> read_erased_file(const std::string& path);
[[nodiscard]] Result<ErasedFile> parse_erased_file(std::string_view bytes, std::string_view path);

/// The same of a store, whose old numbers are nearly all erased: ranges of them. Errors: kIo, kDiskFull.
[[nodiscard]] Result<uint64_t> write_erased_ranges(const std::string& path, const NumberSet& numbers);
struct ErasedRanges {
  NumberSet numbers;
  uint64_t checksum = 0;
};
/// Reads either kind; no number is `end` or greater. Errors: kNotFound, kIo, kCorruption, naming the file and the cure.
[[nodiscard]] Result<ErasedRanges> read_erased_ranges(const std::string& path, uint64_t end);
[[nodiscard]] Result<ErasedRanges> parse_erased_ranges(std::string_view bytes, std::string_view path, uint64_t end);

}  // namespace neardup::store
