// Which files of a folder are the index's is told by their names alone, and only those are ever removed: a file of
// anybody else's stays, whatever happens. A folder with our files but without MANIFEST has lost it, unless the mark of
// one that is still being made is there; so nobody makes a new index over the remains of an old one.
#include "neardup/store/directory_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "neardup/base/disk/file.h"
#include "neardup/hamming/index_file.h"
#include "neardup/store/erased_file.h"

namespace neardup::store {

namespace {

constexpr std::string_view kCure = "restore it from a copy, or make the index again";

tl::unexpected<Error> not_the_one(const std::string& path) {
  return fail(Code::kCorruption,
              fmt::format("'{}' is not the file that the manifest names: it was exchanged; {}", path, kCure));
}

// A file that the manifest names and that is not there is damage, not a wrong name.
template <class T>
Result<T> named(Result<T> opened) {
  if (opened || opened.error().code != Code::kNotFound) return opened;
  return fail(Code::kNotFound, fmt::format("{}, though the manifest names it; {}", opened.error().message, kCure));
}

template <fingerprint::AnyFingerprint F>
Result<Segment<F>> open_segment(const std::string& folder, const SegmentFiles& files, hamming::Access access,
                                bool verify) {
  const std::string path = segment_path(folder, files.number);
  NEARDUP_ASSIGN(hamming::IndexFile file, named(hamming::IndexFile::open(path, access, verify)));
  if (file.checksum() != files.index_checksum || file.size_bytes() != files.index_bytes ||
      file.header().num_documents != files.num_entries)
    return not_the_one(path);
  NEARDUP_ASSIGN(auto index, hamming::StaticIndex<F>::open(std::move(file)));
  if (files.num_erased == 0) return Segment<F>{files.number, std::move(index), {}};
  NEARDUP_ASSIGN(ErasedFile erased, named(read_erased_file(erased_path(folder, files.number))));
  if (erased.checksum != files.erased_checksum || erased.documents.size() != files.num_erased)
    return not_the_one(erased_path(folder, files.number));
  return Segment<F>{files.number, std::move(index), std::move(erased.documents)};
}

Result<IdPiece> open_ids(const std::string& folder, const IdPieceFile& file, bool verify) {
  const std::string path = ids_path(folder, file.number);
  NEARDUP_ASSIGN(IdPiece piece, named(IdPiece::open(path, verify)));
  if (piece.checksum() != file.checksum || piece.file_bytes() != file.file_bytes ||
      piece.first_document() != file.first_document || piece.num_documents() != file.num_documents)
    return not_the_one(path);
  return piece;
}

std::string name_of(const std::string& path) { return std::filesystem::path(path).filename(); }

bool skip(std::string_view& rest, std::string_view start) {
  if (!rest.starts_with(start)) return false;
  rest.remove_prefix(start.size());
  return true;
}

bool skip_digits(std::string_view& rest, size_t at_least) {
  const size_t count = std::min(rest.find_first_not_of("0123456789"), rest.size());
  rest.remove_prefix(count);
  return count >= at_least;
}

// Content of an index, the mark of one that is being made, or a file on its way there (AtomicFile). By the whole name:
// a folder may hold other files too.
bool is_ours(std::string_view name) {
  const bool manifest = skip(name, kManifestName);
  if (!manifest && !skip(name, kUnfinishedName)) {
    const bool ids = skip(name, "ids-");
    if (!ids && !skip(name, "segment-")) return false;
    if (!skip_digits(name, 6)) return false;
    if (ids ? !skip(name, ".bin") : !skip(name, ".ndx") && !skip(name, ".del")) return false;
  }
  if (name.empty()) return !manifest;
  return skip(name, ".tmp") && skip_digits(name, 1) && skip(name, "-") && skip_digits(name, 1) && name.empty();
}

// Whether there are files of an index that has lost its MANIFEST. Those of one that is still being made do not count.
Result<bool> lost_its_manifest(const std::string& folder) {
  NEARDUP_ASSIGN(const bool is_unfinished, file_exists(unfinished_path(folder)));
  if (is_unfinished) return false;
  NEARDUP_ASSIGN(const auto names, list_folder(folder));
  for (const std::string& name : names) {
    if (is_ours(name) && !name.starts_with(kManifestName) && !name.starts_with(kUnfinishedName)) return true;
  }
  return false;
}

tl::unexpected<Error> manifest_lost(const std::string& folder) {
  return fail(Code::kCorruption,
              fmt::format("the index '{}' is damaged: {} is missing; restore it from a copy, or remove the folder and "
                          "make the index again",
                          folder, kManifestName));
}

}  // namespace

std::string manifest_path(const std::string& folder) { return folder + "/" + std::string(kManifestName); }
std::string unfinished_path(const std::string& folder) { return folder + "/" + std::string(kUnfinishedName); }
std::string segment_path(const std::string& folder, uint64_t number) {
  return fmt::format("{}/segment-{:06}.ndx", folder, number);
}
std::string erased_path(const std::string& folder, uint64_t number) {
  return fmt::format("{}/segment-{:06}.del", folder, number);
}
std::string ids_path(const std::string& folder, uint64_t number) {
  return fmt::format("{}/ids-{:06}.bin", folder, number);
}

Result<Manifest> read_manifest(const std::string& folder) {
  const std::string path = manifest_path(folder);
  auto bytes = read_file(path);
  if (!bytes && bytes.error().code == Code::kNotFound) {
    NEARDUP_ASSIGN(const bool is_lost, lost_its_manifest(folder));
    if (is_lost) return manifest_lost(folder);
    return fail(Code::kNotFound, fmt::format("'{}' is not an index: there is no {}; make one with neardup index create",
                                             folder, kManifestName));
  }
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  return parse_manifest(*bytes, path);
}

template <fingerprint::AnyFingerprint F>
Result<DirectoryContent<F>> open_content(const std::string& folder, const Manifest& manifest, hamming::Access access,
                                         bool verify, const Context& context) {
  DirectoryContent<F> content;
  for (const SegmentFiles& files : manifest.segments) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(Segment<F> segment, open_segment<F>(folder, files, access, verify));
    if (segment.index.plan().max_distance < manifest.settings.max_distance)
      return not_the_one(segment_path(folder, files.number));
    content.segments.push_back(std::move(segment));
  }
  for (const IdPieceFile& file : manifest.ids) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_ASSIGN(IdPiece piece, open_ids(folder, file, verify));
    content.ids.push_back(std::move(piece));
  }
  return content;
}

template <fingerprint::AnyFingerprint F>
Result<SegmentFiles> write_segment(const std::string& folder, uint64_t file_number, const Segment<F>& segment) {
  SegmentFiles files;
  files.number = file_number;
  files.num_entries = segment.index.size();
  files.num_erased = segment.erased.size();
  const std::string path = segment_path(folder, file_number);
  NEARDUP_TRY(segment.index.write(path, fmt::format("{{\"segment\":{}}}", file_number)));
  NEARDUP_ASSIGN(const hamming::IndexFile file, hamming::IndexFile::open(path, hamming::Access::kMap, false));
  files.index_bytes = file.size_bytes();
  files.index_checksum = file.checksum();
  if (!segment.erased.empty()) {
    NEARDUP_ASSIGN(files.erased_checksum, write_erased_file(erased_path(folder, file_number), segment.erased));
  }
  return files;
}

Status check_new_folder(const std::string& folder) {
  NEARDUP_ASSIGN(const bool has_manifest, file_exists(manifest_path(folder)));
  if (has_manifest) {
    return fail(Code::kInvalidArgument,
                fmt::format("'{}' holds an index already; add to it, or choose another folder", folder));
  }
  NEARDUP_ASSIGN(const auto names, list_folder(folder));
  for (const std::string& name : names) {
    if (name == kLockName || is_ours(name)) continue;
    return fail(Code::kInvalidArgument, fmt::format("'{}' is not empty; an index needs a folder of its own", folder));
  }
  NEARDUP_ASSIGN(const bool is_lost, lost_its_manifest(folder));
  if (is_lost) return manifest_lost(folder);
  return {};
}

Status sweep(const std::string& folder, const Manifest& manifest) {
  std::set<std::string> named;
  for (const SegmentFiles& files : manifest.segments) {
    named.insert(name_of(segment_path(folder, files.number)));
    if (files.num_erased > 0) named.insert(name_of(erased_path(folder, files.number)));
  }
  for (const IdPieceFile& file : manifest.ids) named.insert(name_of(ids_path(folder, file.number)));
  std::vector<std::string> strays;
  NEARDUP_ASSIGN(const auto names, list_folder(folder));
  for (const std::string& name : names) {
    if (is_ours(name) && !named.contains(name)) strays.push_back(folder + "/" + name);
  }
  // The mark last: what is there without it is taken for an index that has lost its manifest.
  std::partition(strays.begin(), strays.end(),
                 [&](const std::string& path) { return path != unfinished_path(folder); });
  for (const std::string& path : strays) NEARDUP_TRY(remove_all(path));
  return {};
}

template Result<DirectoryContent<fingerprint::Fingerprint>> open_content(const std::string&, const Manifest&,
                                                                         hamming::Access, bool, const Context&);
template Result<DirectoryContent<fingerprint::Fingerprint128>> open_content(const std::string&, const Manifest&,
                                                                            hamming::Access, bool, const Context&);
template Result<SegmentFiles> write_segment(const std::string&, uint64_t, const Segment<fingerprint::Fingerprint>&);
template Result<SegmentFiles> write_segment(const std::string&, uint64_t, const Segment<fingerprint::Fingerprint128>&);

}  // namespace neardup::store
