// The file of a segment of keys: an index file whose one table is asked for distance 0. The format:
// docs/formats/index.md.
#pragma once

#include <cstdint>
#include <string>

#include "neardup/bands/key_index.h"
#include "neardup/hamming/static_index.h"

namespace neardup::bands {

/// What tells a file from any other.
struct KeyFileIdentity {
  uint64_t size_bytes = 0;
  uint64_t checksum = 0;  // of its header, and so of the checksums of all arrays
  bool operator==(const KeyFileIdentity&) const = default;
};

/// Writes a segment; the file appears whole. Errors: kIo, kDiskFull.
[[nodiscard]] Result<KeyFileIdentity> write_key_file(const std::string& path, const KeySegment& segment);

struct OpenedKeyFile {
  KeySegment segment;
  KeyFileIdentity identity;
};
/// Opens it. `verify`: every byte is checked. Errors: kNotFound, kIo, kMemory; kCorruption that names the file and the
/// cure.
[[nodiscard]] Result<OpenedKeyFile> open_key_file(const std::string& path, hamming::Access access, bool verify);
/// The same of bytes in memory, which must outlive the segment.
[[nodiscard]] Result<OpenedKeyFile> open_key_bytes(std::string_view bytes, const std::string& name, bool verify);

}  // namespace neardup::bands
