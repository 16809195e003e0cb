// Signatures on disk value by value: a pass over one band reads the bytes of that band, and not those of whole rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "neardup/base/context.h"
#include "neardup/base/disk/file.h"
#include "neardup/join/band_words.h"
#include "neardup/join/disk/scratch_file.h"

namespace neardup::join {

/// A copy of all signatures of a source, block by block (SignatureSource::kBlockRows), each block value by value. Its
/// file is removed with the object. Threads: const members from many at once.
class ValueColumns {
 public:
  /// Reads the source once. Disk: source.size_bytes(). Memory: two blocks. Errors: what the source returns, kDiskFull,
  /// kIo, kCancelled.
  [[nodiscard]] static Result<ValueColumns> write(const SignatureSource& source, const std::string& path,
                                                  const Context& context);
  /// Returns `source`, of which this is a copy, with single columns. This object must outlive it.
  [[nodiscard]] SignatureSource in(SignatureSource source) const;

 private:
  ValueColumns(ScratchFile<uint16_t> file, std::shared_ptr<const ReadFile> reader, uint32_t num_rows, size_t width)
      : file_(std::move(file)), reader_(std::move(reader)), num_rows_(num_rows), width_(width) {}
  Status read(uint32_t first, uint32_t count, size_t value, uint16_t* values) const;

  ScratchFile<uint16_t> file_;
  std::shared_ptr<const ReadFile> reader_;
  uint32_t num_rows_;
  size_t width_;
};

}  // namespace neardup::join
