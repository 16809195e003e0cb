// The files of an index of fingerprints, as bytes (docs/formats/similar_index.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/checked_bytes.h"
#include "neardup/base/hash.h"
#include "neardup/sif/fingerprint_file.h"

namespace neardup::sif {

inline constexpr FileKind kCatalogueKind{"NDUPSIFC", 2, "catalogue of an index",
                                         "remove CATALOGUE and fingerprints-*.bin in the folder of the index: the next "
                                         "run makes them again"};
inline constexpr FileKind kFingerprintsKind{"NDUPSIFF", 1, "file of fingerprints",
                                            "remove CATALOGUE and fingerprints-*.bin in the folder of the index: the "
                                            "next run makes them again"};

/// How fingerprints are made of bytes, literals and languages told included. To be raised with each change after which
/// the same bytes have others: an index of another method is refused.
inline constexpr uint32_t kMethod = 2;

/// What fingerprints depend on, beside the settings of the index.
struct ContentKey {
  Hash128 checksum;  // of the bytes of the file, of a compressed one of those it holds
  uint64_t size_bytes = 0;
  uint32_t language = 0;  // fold_code.h; 0: compared as it is
  auto operator<=>(const ContentKey&) const = default;
};

/// Where the fingerprints of a content are: bytes [offset, offset + size_bytes) of a file of fingerprints.
struct RecordPlace {
  ContentKey content;
  uint64_t file = 0;  // its number
  uint64_t offset = 0, size_bytes = 0;
  uint64_t checksum = 0;  // XXH3-64 of those bytes
  bool operator==(const RecordPlace&) const = default;
};

/// A file as the last run found it.
struct KnownFile {
  std::string path;  // absolute
  ContentKey content;
  FileStamp stamp;  // modified_ns is kUnsure: it may have changed since without another one
  bool is_binary = false;
  bool operator==(const KnownFile&) const = default;
};
inline constexpr int64_t kUnsure = INT64_MIN;

/// A file of fingerprints.
struct FingerprintsFile {
  uint64_t number = 0, size_bytes = 0;
  bool operator==(const FingerprintsFile&) const = default;
};

/// All that an index knows but the fingerprints themselves.
struct Catalogue {
  std::string settings;                // "method", then a line for each: name, blank, value
  std::vector<FingerprintsFile> data;  // ascending
  std::vector<RecordPlace> records;    // ascending by content
  std::vector<KnownFile> files;        // ascending by path
  bool operator==(const Catalogue&) const = default;
};

[[nodiscard]] std::string catalogue_bytes(const Catalogue& catalogue);
/// Errors: kCorruption, naming `path` and the cure.
[[nodiscard]] Result<Catalogue> parse_catalogue(std::string_view bytes, std::string_view path);

[[nodiscard]] std::string record_bytes(const FileFingerprints& fingerprints);
/// Returns whether `bytes` are a record; then `out` is what it holds.
[[nodiscard]] bool parse_record(std::string_view bytes, FileFingerprints& out);

}  // namespace neardup::sif
