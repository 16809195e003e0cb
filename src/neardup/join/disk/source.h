// Fingerprints that come in order from a file, a chunk at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "neardup/base/result.h"
#include "neardup/fingerprint/value.h"

namespace neardup::join {

/// A sequence of fingerprints; their positions in it are what pairs name. Threads: one at a time.
class Source {
 public:
  virtual ~Source() = default;
  /// Fills `out` with the next fingerprints and returns how many there were: fewer than asked for at the end alone.
  [[nodiscard]] virtual Result<size_t> read(std::span<fingerprint::Fingerprint> out) = 0;
  /// Returns how many there are in all.
  [[nodiscard]] virtual uint64_t size() const = 0;
  /// Passes over the next `count`, or all that are left where there are fewer.
  [[nodiscard]] virtual Status skip(uint64_t count);
  /// Begins again with the first.
  [[nodiscard]] virtual Status rewind() = 0;
};

/// Raw 64-bit little-endian numbers, one after the other. Errors: kNotFound, kIo; kCorruption where the size is no
/// multiple of 8, or the file became shorter while it was read.
[[nodiscard]] Result<std::unique_ptr<Source>> open_raw_file(const std::string& path);

/// One column of a fingerprint file (docs/formats/fingerprints.md); documents without fingerprints are left out.
/// Errors: those of fingerprint::FileReader; kInvalidArgument where there is no such column.
[[nodiscard]] Result<std::unique_ptr<Source>> open_fingerprint_file(const std::string& path, uint32_t column);

/// An array in memory, which must outlive the source.
[[nodiscard]] std::unique_ptr<Source> make_array_source(std::span<const fingerprint::Fingerprint> set);

}  // namespace neardup::join
