// MANIFEST of an index directory: what the index is and which files are its content. The format: docs/formats/index.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/hamming/static_index.h"

namespace neardup::store {

/// What an index is, fixed when it is created, but for the recipe: that of the first fingerprints that have one.
struct IndexSettings {
  int num_bits = 64;
  int max_distance = 3;
  hamming::Codec codec = hamming::Codec::kPacked;
  std::string plan;          // plan_text.h; empty: chosen for the number of documents of each segment
  uint32_t num_columns = 0;  // fingerprints of each document that has any; 0 = not known yet
  std::string recipe_id;     // empty = not known
  std::string recipe_json;
  bool operator==(const IndexSettings&) const = default;
};

/// The files of one segment. A checksum is the one that the file itself carries, so that no other file can stand in.
struct SegmentFiles {
  uint64_t number = 0;
  uint64_t num_entries = 0;
  uint64_t index_bytes = 0;
  uint64_t index_checksum = 0;
  uint64_t num_erased = 0;  // 0: there is no file of erased documents
  uint64_t erased_checksum = 0;
  bool operator==(const SegmentFiles&) const = default;
};

/// The file of the ids of documents [first_document, first_document + num_documents).
struct IdPieceFile {
  uint64_t number = 0;
  uint64_t first_document = 0;
  uint64_t num_documents = 0;
  uint64_t file_bytes = 0;
  uint64_t checksum = 0;
  bool operator==(const IdPieceFile&) const = default;
};

struct Manifest {
  IndexSettings settings;
  uint64_t commit = 0;         // how many there were
  uint64_t next_document = 0;  // numbers are not given twice
  uint64_t num_documents = 0;  // that are not erased
  uint64_t next_file = 1;
  std::vector<SegmentFiles> segments;  // oldest first
  std::vector<IdPieceFile> ids;        // by document
  bool operator==(const Manifest&) const = default;
};

inline constexpr std::string_view kManifestName = "MANIFEST";
inline constexpr std::string_view kManifestMagic = "NDUPMANI";

/// Returns the bytes of the file.
[[nodiscard]] std::string to_bytes(const Manifest& manifest);
/// Reads and validates them. Errors: kCorruption, naming `path` and the cure.
[[nodiscard]] Result<Manifest> parse_manifest(std::string_view bytes, std::string_view path);

}  // namespace neardup::store
