// The files of an index directory: opened by the names in the manifest, and swept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/store/id_piece.h"
#include "neardup/store/index_directory.h"

namespace neardup::store {

/// The content that a manifest names.
template <fingerprint::AnyFingerprint F>
struct DirectoryContent {
  std::vector<Segment<F>> segments;
  std::vector<IdPiece> ids;
};

/// Opens every file that `manifest` names, and makes sure that it is the one that was written. Errors: kNotFound, kIo,
/// kCorruption, kMismatch, kMemory, kCancelled (between two files).
template <fingerprint::AnyFingerprint F>
[[nodiscard]] Result<DirectoryContent<F>> open_content(const std::string& folder, const Manifest& manifest,
                                                       hamming::Access access, bool verify, const Context& context);

/// Writes the files of a segment and returns their facts. Errors: kIo, kDiskFull.
template <fingerprint::AnyFingerprint F>
[[nodiscard]] Result<SegmentFiles> write_segment(const std::string& folder, uint64_t file_number,
                                                 const Segment<F>& segment);

/// Returns an error to give back where a file is another one than the manifest names.
[[nodiscard]] tl::unexpected<Error> not_the_one(const std::string& path);
/// Returns the name at the end of `path`.
[[nodiscard]] std::string name_of(const std::string& path);
/// Chooses plans by the number of documents alone.
[[nodiscard]] PlanMaker plans_by_number(int num_bits, int max_distance);

inline constexpr std::string_view kLockName = "LOCK";
[[nodiscard]] std::string manifest_path(const std::string& folder);

/// The mark of an index that is being made: until its first manifest is written nothing in its folder counts.
inline constexpr std::string_view kUnfinishedName = "UNFINISHED";
[[nodiscard]] std::string unfinished_path(const std::string& folder);

/// Makes sure that a new index may be made in a folder: nothing is there but what an index leaves that was killed
/// before it had a manifest. Errors: kInvalidArgument; kCorruption where an index has lost its manifest.
[[nodiscard]] Status check_new_folder(const std::string& folder);

/// Removes files of ours that `manifest` does not name: of a process that was killed, or of segments that were merged.
[[nodiscard]] Status sweep(const std::string& folder, const Manifest& manifest);

}  // namespace neardup::store
