#include "neardup/sif/index_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include "neardup/base/bytes.h"
#include "neardup/base/disk/file_system.h"
#include "neardup/base/disk/folders.h"
#include "neardup/base/disk/stale_temporaries.h"

namespace neardup::sif {
namespace {

constexpr std::string_view kCatalogueName = "CATALOGUE", kLockName = "LOCK";
constexpr std::string_view kDataPrefix = "fingerprints-", kDataSuffix = ".bin";
constexpr std::string_view kTemporary = ".tmp";  // of AtomicFile, behind the name of what is written
constexpr std::string_view kMethodWord = "method ";
constexpr size_t kMostDataFiles = 8;

const char* fold_name(Fold fold) { return fold == Fold::kCode ? "code" : fold == Fold::kSpace ? "space" : "none"; }

// How fingerprints are made, then a line for each setting that they depend on: its flag, and its value.
std::string settings_of(const SimilarOptions& options) {
  const Selection& selection = options.selection;
  std::string out =
      fmt::format("method {}\nsubstring {}\nfold {}\n", kMethod, selection.substring_bytes, fold_name(options.fold));
  if (selection.kind == SelectionKind::kWinnow) out += fmt::format("select winnow\nwindow {}\n", selection.window);
  if (selection.kind == SelectionKind::kSample)
    out += fmt::format("select sample\nzero-bits {}\n", selection.zero_bits);
  if (selection.kind != SelectionKind::kAnchors) return out;
  out += "select anchors\n";
  for (const std::string& anchor : selection.anchors) {
    out += "anchor ";
    for (const char byte : anchor) out += fmt::format("{:02x}", static_cast<uint8_t>(byte));
    out += "\n";
  }
  return out;
}

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// What two indexes are made with, where they first differ.
Status other_settings(const std::string& folder, std::string_view there, std::string_view here) {
  while (!there.empty() && !here.empty() && first_line(there) == first_line(here)) {
    there.remove_prefix(first_line(there).size() + 1);
    here.remove_prefix(first_line(here).size() + 1);
  }
  if (there.starts_with(kMethodWord) || here.starts_with(kMethodWord))
    return fail(Code::kMismatch,
                fmt::format("the index '{}' was made by another version of neardup; {}, or give another folder", folder,
                            kCatalogueKind.cure));
  const auto shown = [](std::string_view rest) { return rest.empty() ? "nothing more" : "--" + first_line(rest); };
  return fail(Code::kMismatch,
              fmt::format("the index '{}' was made with {}, this run has {}; give what it was made with, or another "
                          "folder",
                          folder, shown(there), shown(here)));
}

std::string data_name(uint64_t number) { return fmt::format("{}{:06}{}", kDataPrefix, number, kDataSuffix); }

// The number in the name of a file of fingerprints; 0: it is none.
uint64_t data_number(std::string_view name) {
  if (!name.starts_with(kDataPrefix)) return 0;
  const std::string_view digits = name.substr(kDataPrefix.size());
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && name == data_name(number) ? number : 0;
}

// What a temporary file was to become; of another name itself.
std::string target_of(std::string_view name) { return std::string(name.substr(0, name.rfind(kTemporary))); }

bool is_of_kind(const std::string& path, const FileKind& kind) {
  const auto info = file_info(path);
  if (!info || !info->is_regular) return false;
  const auto file = ReadFile::open(path);
  std::string magic(kind.magic.size(), '\0');
  return file && file->read_exact_at(0, std::span(magic.data(), magic.size())) && magic == kind.magic;
}

// Whether that is a file which the index has, or has left. The name alone is anybody's.
bool is_ours(const std::string& folder, const std::string& name) {
  if (name == kLockName) return true;
  if (name == kCatalogueName) return is_of_kind(folder + "/" + name, kCatalogueKind);
  if (data_number(name) != 0) return is_of_kind(folder + "/" + name, kFingerprintsKind);
  const std::string target = target_of(name);
  return target != name && (target == kCatalogueName || data_number(target) != 0);
}

Status check_folder_is_ours(const std::string& folder) {
  NEARDUP_ASSIGN(const std::vector<std::string> names, list_folder(folder));
  if (is_ours(folder, std::string(kCatalogueName))) return {};
  const auto other = std::ranges::find_if_not(names, [&](const std::string& name) { return is_ours(folder, name); });
  if (other == names.end()) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("'{}' holds other files ({}) and no index of fingerprints; give a folder of its own", folder,
                          *other));
}

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(std::filesystem::symlink_status(path, error));
}

}  // namespace

std::string absolute_path_of(const std::string& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.lexically_normal().string();
}

std::string IndexFolder::file_path(uint64_t number) const { return folder_ + "/" + data_name(number); }

Result<IndexFolder> IndexFolder::open(const std::string& folder, const SimilarOptions& options) {
  NEARDUP_ASSIGN(const bool is_there_already, file_exists(folder));
  if (is_there_already) {
    NEARDUP_TRY(check_folder_is_ours(folder));
  } else {
    NEARDUP_TRY(create_directories_durably(folder));
  }
  NEARDUP_ASSIGN(FolderLock lock,
                 FolderLock::acquire(folder + "/" + std::string(kLockName), false, false,
                                     "another process is using this index; wait for it, or give another folder"));
  IndexFolder index(folder, std::move(lock));
  NEARDUP_TRY(index.read_catalogue(settings_of(options)));
  return index;
}

Status IndexFolder::read_catalogue(const std::string& settings) {
  const std::string path = folder_ + "/" + std::string(kCatalogueName);
  NEARDUP_ASSIGN(const bool is_there_already, file_exists(path));
  catalogue_.settings = settings;
  if (is_there_already) {
    NEARDUP_ASSIGN(const std::string bytes, read_file(path));
    NEARDUP_ASSIGN(catalogue_, parse_catalogue(bytes, path));
    if (catalogue_.settings != settings) return other_settings(folder_, catalogue_.settings, settings);
  }
  for (const FingerprintsFile& known : catalogue_.data) {
    const std::string name = file_path(known.number);
    auto file = ReadFile::open(name);
    if (!file && file.error().code == Code::kNotFound) return damaged_file(kFingerprintsKind, name, "it is not there");
    if (!file) return tl::unexpected<Error>(std::move(file).error());
    if (file->size_bytes() != known.size_bytes)
      return damaged_file(kFingerprintsKind, name,
                          fmt::format("it has {} bytes, expected {}", file->size_bytes(), known.size_bytes));
    next_number_ = known.number + 1;
    data_.emplace_back(known.number, std::move(*file));
  }
  remove_files_without_name();
  return {};
}

// What runs that ended early have left. It harms nobody if it stays. What is not ours stays, whatever its name.
void IndexFolder::remove_files_without_name() {
  (void)remove_stale_temporaries(folder_ + "/" + std::string(kCatalogueName));
  const auto names = list_folder(folder_);
  if (!names) return;
  for (const std::string& name : *names) {
    const std::string path = folder_ + "/" + name, target = target_of(name);
    const uint64_t number = data_number(name);
    const bool is_known =
        std::ranges::find(catalogue_.data, number, &FingerprintsFile::number) != catalogue_.data.end();
    if (number != 0 && !is_known && is_ours(folder_, name)) file_system().unlink(path.c_str());
    if (target != name && data_number(target) != 0) (void)remove_stale_temporaries(folder_ + "/" + target);
  }
}

const KnownFile* IndexFolder::find(const std::string& absolute_path) const {
  const auto found = std::ranges::lower_bound(catalogue_.files, absolute_path, {}, &KnownFile::path);
  return found != catalogue_.files.end() && found->path == absolute_path ? &*found : nullptr;
}

Result<std::string> IndexFolder::read_record(const RecordPlace& place) const {
  const auto file = std::ranges::find(data_, place.file, &std::pair<uint64_t, ReadFile>::first);
  std::string record(place.size_bytes, '\0');
  NEARDUP_TRY(file->second.read_exact_at(place.offset, std::span(record.data(), record.size())));
  if (hash64(record) != place.checksum)
    return damaged_file(kFingerprintsKind, file->second.path(),
                        fmt::format("the record at byte {} fails its checksum", place.offset));
  return record;
}

Result<bool> IndexFolder::load(const ContentKey& content, FileFingerprints& out) const {
  const auto place = std::ranges::lower_bound(catalogue_.records, content, {}, &RecordPlace::content);
  if (place == catalogue_.records.end() || place->content != content) return false;
  NEARDUP_ASSIGN(const std::string record, read_record(*place));
  if (!parse_record(record, out))
    return damaged_file(kFingerprintsKind, file_path(place->file),
                        fmt::format("the record at byte {} is none", place->offset));
  return true;
}

Status IndexFolder::append(const ContentKey& content, std::string_view record) {
  if (!added_file_) {
    NEARDUP_ASSIGN(added_file_, AtomicFile::create(file_path(next_number_)));
    NEARDUP_TRY(added_file_->write(begin_frame(kFingerprintsKind)));
  }
  added_[content] = {content, next_number_, added_file_->size_bytes(), record.size(), hash64(record)};
  return added_file_->write(record);
}

Status IndexFolder::add(const ContentKey& content, const FileFingerprints& fingerprints) {
  const std::string record = record_bytes(fingerprints);
  const std::lock_guard lock(*mutex_);
  return added_.contains(content) ? Status{} : append(content, record);
}

// Records that no file has are dead: they go once they are half of all, or once there would be many files.
Status IndexFolder::keep_records_of(const std::vector<KnownFile>& files) {
  std::set<ContentKey> contents;
  for (const KnownFile& file : files) contents.insert(file.content);
  std::erase_if(catalogue_.records, [&](const RecordPlace& place) { return !contents.contains(place.content); });
  uint64_t live = 0, all = 0;
  for (const RecordPlace& place : catalogue_.records) live += place.size_bytes;
  for (const FingerprintsFile& file : catalogue_.data) all += file.size_bytes - kFrameHeaderBytes;
  if (2 * live < all || (added_file_ && catalogue_.data.size() >= kMostDataFiles)) NEARDUP_TRY(gather_records());
  return {};
}

// All records into the file that is written.
Status IndexFolder::gather_records() {
  for (const RecordPlace& place : catalogue_.records) {
    if (added_.contains(place.content)) continue;
    NEARDUP_ASSIGN(const std::string record, read_record(place));
    NEARDUP_TRY(append(place.content, record));
  }
  catalogue_.records.clear();
  catalogue_.data.clear();
  return {};
}

Status IndexFolder::commit(std::vector<KnownFile> files) {
  std::ranges::sort(files, {}, &KnownFile::path);
  const auto is_same = [](const KnownFile& a, const KnownFile& b) { return a.path == b.path; };
  files.erase(std::unique(files.begin(), files.end(), is_same), files.end());
  const size_t num_own = files.size();
  for (const KnownFile& before : catalogue_.files) {
    const auto end = files.begin() + static_cast<ptrdiff_t>(num_own);
    const auto own = std::lower_bound(files.begin(), end, before.path,
                                      [](const KnownFile& file, const std::string& path) { return file.path < path; });
    if ((own == end || own->path != before.path) && is_there(before.path)) files.push_back(before);
  }
  std::ranges::sort(files, {}, &KnownFile::path);
  const size_t num_records = catalogue_.records.size();
  NEARDUP_TRY(keep_records_of(files));
  const bool has_changed =
      files != catalogue_.files || catalogue_.records.size() != num_records || added_file_.has_value();
  if (added_file_) {
    catalogue_.data.push_back({next_number_, added_file_->size_bytes()});
    NEARDUP_TRY(added_file_->commit());
    for (const auto& [content, place] : added_) catalogue_.records.push_back(place);
    std::ranges::sort(catalogue_.records, {}, &RecordPlace::content);
  }
  catalogue_.files = std::move(files);
  const std::string path = folder_ + "/" + std::string(kCatalogueName);
  NEARDUP_ASSIGN(const bool is_there_already, file_exists(path));
  if (has_changed || !is_there_already) NEARDUP_TRY(write_file_atomically(path, catalogue_bytes(catalogue_)));
  data_.clear();
  remove_files_without_name();
  return {};
}

}  // namespace neardup::sif
