// MANIFEST of a store: what it is, which files are its content, and from which log a restart reads. The format:
// docs/formats/store.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/bands/key_file.h"
#include "neardup/base/result.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/manifest.h"

namespace neardup::store {

/// A closed log, and the file that says where the records of its documents stand.
struct RecordFiles {
  uint64_t log = 0;
  uint64_t file = 0;   // in its names, where it was written again; 0: those of the log
  uint64_t first = 0;  // document
  uint64_t count = 0;
  uint64_t checksum = 0;  // of the file of places
  uint64_t facts_checksum = 0;
  uint64_t oldest = 0;      // time of a document that is known, as 64 bits
  uint64_t facts_file = 0;  // in the name of its times and tags, where they were written again; 0: that of the log
  bool operator==(const RecordFiles&) const = default;
};

struct KeyFiles {
  uint64_t number = 0;  // in the name of the file
  bands::KeyFileIdentity identity;
  bool operator==(const KeyFiles&) const = default;
};

struct StoreManifest {
  StoreSettings settings;
  uint64_t first_log = 1;      // a restart reads it, and those after it
  uint64_t last_sequence = 0;  // of the last record before it that counts
  uint64_t next_number = 0;    // of the first document in it
  uint64_t first_free = 0;     // no segment knows this number or a greater one
  uint64_t next_file = 1;      // greater than all named here, logs apart
  uint64_t erased_file = 0;    // 0: nothing is erased
  uint64_t erased_checksum = 0;
  uint64_t tags_file = 0;  // 0: no tag is open
  uint64_t tags_checksum = 0;
  std::vector<RecordFiles> records;    // by document
  std::vector<KeyFiles> keys;          // oldest first
  std::vector<SegmentFiles> segments;  // of fingerprints, oldest first
  bool operator==(const StoreManifest&) const = default;
};

inline constexpr std::string_view kStoreMagic = "NDUPSTOR";

/// Returns the bytes of the file.
[[nodiscard]] std::string to_bytes(const StoreManifest& manifest);
/// Reads and validates them. Errors: kCorruption, naming `path` and the cure.
[[nodiscard]] Result<StoreManifest> parse_store_manifest(std::string_view bytes, std::string_view path);

}  // namespace neardup::store
