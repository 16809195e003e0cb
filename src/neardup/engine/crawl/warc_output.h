// WarcOutput: a WARC file that is written record by record, and appears whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "neardup/base/disk/file.h"
#include "neardup/base/result.h"
#include "neardup/corpus/compression.h"

namespace neardup::engine {

/// Returns how a file of that name is compressed: .warc.gz, .warc.zst or .warc, also with .wet in the place of .warc.
/// Errors: kInvalidArgument for other names.
[[nodiscard]] Result<corpus::Compression> compression_of_warc(const std::string& path);

/// Threads: one at a time.
class WarcOutput {
 public:
  /// Errors: as compression_of_warc() and AtomicFile::create().
  [[nodiscard]] static Result<WarcOutput> create(const std::string& path);
  /// Appends a record (header and block) as a gzip member or zstd frame of its own. Errors: kDiskFull, kIo, kMemory.
  [[nodiscard]] Status write(std::string_view record);
  /// As AtomicFile::commit().
  [[nodiscard]] Status commit() { return file_.commit(); }
  [[nodiscard]] uint64_t size_bytes() const { return file_.size_bytes(); }

 private:
  WarcOutput(AtomicFile file, corpus::Compression compression) : file_(std::move(file)), compression_(compression) {}
  AtomicFile file_;
  corpus::Compression compression_;
};

}  // namespace neardup::engine
