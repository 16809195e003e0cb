#include "neardup/store/store_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <optional>
#include <set>

#include "neardup/base/disk/file.h"
#include "neardup/base/disk/stale_temporaries.h"
#include "neardup/base/shell_word.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/erased_file.h"
#include "neardup/store/log_format.h"
#include "neardup/store/log_reader.h"
#include "neardup/store/log_writer.h"

namespace neardup::store {
namespace {

// Returns the number in a name like "log-000012.log".
std::optional<uint64_t> number_in(std::string_view name, std::string_view start, std::string_view end) {
  if (!name.starts_with(start) || !name.ends_with(end) || name.size() < start.size() + end.size() + 6) return {};
  const std::string_view digits = name.substr(start.size(), name.size() - start.size() - end.size());
  uint64_t number = 0;
  const auto [rest, error] = std::from_chars(digits.begin(), digits.end(), number);
  if (error != std::errc() || rest != digits.end()) return {};
  return number;
}

Result<std::unique_ptr<bands::KeyIndex>> open_keys(const std::string& folder, const StoreManifest& manifest,
                                                   const StoreOptions& options) {
  std::vector<std::shared_ptr<const bands::KeySegment>> segments;
  uint64_t end = 0;
  for (const KeyFiles& files : manifest.keys) {
    NEARDUP_TRY(options.context.check_cancel());
    const std::string path = keys_path(folder, files.number);
    NEARDUP_ASSIGN(bands::OpenedKeyFile opened, bands::open_key_file(path, hamming::Access::kMap, options.verify));
    if (opened.identity != files.identity || opened.segment.first < end) return not_the_one(path);
    opened.segment.file = files.number;
    end = opened.segment.first + opened.segment.count;
    segments.push_back(std::make_shared<const bands::KeySegment>(std::move(opened.segment)));
  }
  return std::make_unique<bands::KeyIndex>(options.map_keys, std::move(segments));
}

Result<std::shared_ptr<const RecordFile>> open_records(const std::string& folder, const RecordFiles& files) {
  const std::string path = places_path(folder, files);
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  NEARDUP_ASSIGN(LogPlaces places, parse_places(bytes, path));
  if (places.checksum != files.checksum || places.log != files.log || places.first != files.first ||
      places.places.size() != files.count)
    return not_the_one(path);
  return RecordFile::open(records_path(folder, files), std::move(places),
                          {facts_path(folder, files), std::bit_cast<int64_t>(files.oldest), files.facts_checksum});
}

Status open_erased(const std::string& folder, const StoreManifest& manifest, StoreState& state) {
  if (manifest.erased_file == 0) return {};
  const std::string path = erased_path(folder, manifest.erased_file);
  NEARDUP_ASSIGN(ErasedRanges erased, read_erased_ranges(path, manifest.first_free));
  if (erased.checksum != manifest.erased_checksum) return not_the_one(path);
  state.set_erased(std::move(erased.numbers));
  return {};
}

Status open_tags(const std::string& folder, const StoreManifest& manifest, StoreState& state) {
  if (manifest.tags_file == 0) return {};
  const std::string path = tags_path(folder, manifest.tags_file);
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  NEARDUP_ASSIGN(OpenTagsFile file, parse_open_tags(bytes, path, manifest.next_number));
  if (file.checksum != manifest.tags_checksum) return not_the_one(path);
  state.set_open_tags(std::move(file.tags));
  return {};
}

// Of a process that was killed while it wrote a file of ours. What cannot go is no hindrance.
void remove_temporaries(const std::string& folder, std::span<const std::string> names) {
  std::set<std::string> targets;
  for (const std::string& name : names) {
    const size_t end = name.find(".tmp");
    constexpr std::string_view kOurs[] = {"MANIFEST", "SETTINGS", "log-", "records-",     "keys-",
                                          "tags-",    "segment-", "own-", kUnfinishedName};
    const bool is_ours = std::ranges::any_of(kOurs, [&](std::string_view start) { return name.starts_with(start); });
    if (end != std::string::npos && is_ours) targets.insert(name.substr(0, end));
  }
  for (const std::string& target : targets) static_cast<void>(remove_stale_temporaries(folder + "/" + target));
}

}  // namespace

std::string places_path(const std::string& folder, uint64_t log) {
  return fmt::format("{}/log-{:06}.places", folder, log);
}
std::string records_path(const std::string& folder, uint64_t number) {
  return fmt::format("{}/records-{:06}.log", folder, number);
}
std::string record_places_path(const std::string& folder, uint64_t number) {
  return fmt::format("{}/records-{:06}.places", folder, number);
}
std::string records_path(const std::string& folder, const RecordFiles& files) {
  return files.file == 0 ? log_path(folder, files.log) : records_path(folder, files.file);
}
std::string places_path(const std::string& folder, const RecordFiles& files) {
  return files.file == 0 ? places_path(folder, files.log) : record_places_path(folder, files.file);
}
std::string facts_path(const std::string& folder, uint64_t log) {
  return fmt::format("{}/log-{:06}.facts", folder, log);
}
std::string record_facts_path(const std::string& folder, uint64_t number) {
  return fmt::format("{}/records-{:06}.facts", folder, number);
}
std::string facts_path(const std::string& folder, const RecordFiles& files) {
  return files.facts_file == 0 ? facts_path(folder, files.log) : record_facts_path(folder, files.facts_file);
}
std::string tags_path(const std::string& folder, uint64_t number) {
  return fmt::format("{}/tags-{:06}.open", folder, number);
}
std::string keys_path(const std::string& folder, uint64_t number) {
  return fmt::format("{}/keys-{:06}.ndx", folder, number);
}

Result<FolderLock> lock_store(const std::string& folder) {
  return FolderLock::acquire(folder + "/" + std::string(kLockName), false, false,
                             "another process has this store open; ask that one, or end it");
}

Result<bool> has_settings_and_log(const std::string& folder) {
  const auto file = ReadFile::open(settings_path(folder));
  if (!file && file.error().code == Code::kNotFound) return false;
  if (!file) return tl::unexpected<Error>(file.error());
  std::array<char, kStoreMagic.size()> magic{};
  NEARDUP_ASSIGN(const size_t size_bytes, file->read_at(0, magic));
  if (std::string_view(magic.data(), size_bytes) != kStoreMagic) return false;
  NEARDUP_ASSIGN(const std::vector<uint64_t> logs, list_logs(folder, 0));
  return !logs.empty();
}

Result<StoreManifest> read_store_manifest(const std::string& folder) {
  const std::string path = manifest_path(folder);
  const auto bytes = read_file(path);
  const bool is_missing = !bytes && bytes.error().code == Code::kNotFound;
  if (is_missing) {
    NEARDUP_ASSIGN(const bool is_lost, has_settings_and_log(folder));
    if (is_lost)
      return fail(Code::kCorruption, fmt::format("the store '{0}' is damaged: {1} is missing; neardup index check {0} "
                                                 "--repair makes what can be made of the logs again",
                                                 folder, kManifestName));
  }
  if (is_missing)
    return fail(Code::kNotFound, fmt::format("'{}' is not a store: there is no {}", folder, kManifestName));
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  return parse_store_manifest(*bytes, path);
}

Status mark_copied_into(const std::string& folder, bool is_so) {
  const std::string path = folder + "/" + std::string(kUnfinishedName);
  if (is_so) return write_file_atomically(path, {});
  NEARDUP_TRY(remove_all(path));
  return sync_folder(folder);
}

Status check_whole(const std::string& folder) {
  NEARDUP_ASSIGN(const bool is_copied_into, file_exists(folder + "/" + std::string(kUnfinishedName)));
  if (!is_copied_into) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("'{}': a copy into it is under way, or was not made to its end; wait for it, or remove the "
                          "folder and copy again",
                          folder));
}

Result<std::vector<uint64_t>> list_logs(const std::string& folder, uint64_t first) {
  NEARDUP_ASSIGN(const auto names, list_folder(folder));
  std::vector<uint64_t> logs;
  for (const std::string& name : names)
    if (const auto number = number_in(name, "log-", ".log"); number && *number >= first) logs.push_back(*number);
  std::sort(logs.begin(), logs.end());
  return logs;
}

Result<std::unique_ptr<StoreState>> open_state(const std::string& folder, const StoreManifest& manifest,
                                               const StoreOptions& options, FingerprintIndex::Commit commit) {
  NEARDUP_ASSIGN(auto keys, open_keys(folder, manifest, options));
  NEARDUP_ASSIGN(auto index,
                 FingerprintIndex::open(folder, manifest.settings, manifest.segments, options, std::move(commit)));
  auto state = std::make_unique<StoreState>(std::move(keys), std::move(index));
  for (const RecordFiles& files : manifest.records) {
    NEARDUP_ASSIGN(auto file, open_records(folder, files));
    state->add_file(std::move(file));
  }
  NEARDUP_TRY(open_erased(folder, manifest, *state));
  NEARDUP_TRY(open_tags(folder, manifest, *state));
  return state;
}

std::string settings_path(const std::string& folder) { return folder + "/SETTINGS"; }

std::vector<std::string> files_of(const StoreManifest& manifest) {
  std::vector<std::string> paths{settings_path("")};
  for (const RecordFiles& files : manifest.records) {
    paths.push_back(records_path("", files));
    paths.push_back(places_path("", files));
    paths.push_back(facts_path("", files));
  }
  for (const KeyFiles& files : manifest.keys) paths.push_back(keys_path("", files.number));
  for (const SegmentFiles& files : manifest.segments) {
    paths.push_back(segment_path("", files.number));
    if (files.num_erased > 0) paths.push_back(erased_path("", files.number));
  }
  if (manifest.erased_file != 0) paths.push_back(erased_path("", manifest.erased_file));
  if (manifest.tags_file != 0) paths.push_back(tags_path("", manifest.tags_file));
  for (const OwnFile& file : manifest.settings.files) paths.push_back(own_file_path("", file.name));
  for (std::string& path : paths) path = name_of(path);
  return paths;
}

Status sweep_store(const std::string& folder, const StoreManifest& manifest) {
  const std::vector<std::string> all = files_of(manifest);
  const std::set<std::string> named(all.begin(), all.end());
  NEARDUP_ASSIGN(const auto names, list_folder(folder));
  remove_temporaries(folder, names);
  for (const std::string& name : names) {
    const auto log = number_in(name, "log-", ".log");
    const bool is_ours = (log && *log < manifest.first_log) || number_in(name, "log-", ".places") ||
                         number_in(name, "log-", ".facts") || number_in(name, "records-", ".log") ||
                         number_in(name, "records-", ".places") || number_in(name, "records-", ".facts") ||
                         number_in(name, "tags-", ".open") || number_in(name, "keys-", ".ndx") ||
                         number_in(name, "segment-", ".ndx") || number_in(name, "segment-", ".del") ||
                         is_own_file(name);
    if (is_ours && !named.contains(name)) NEARDUP_TRY(remove_all(folder + "/" + name));
  }
  return {};
}

namespace {

// Nothing was ever written to it: of one with a torn group nobody knows what was in it.
bool is_empty_log(const std::string& path) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 16;  // of a new one
  const auto info = file_info(path);
  if (!info || info->size_bytes > kMostBytes || !read_log_header(path)) return false;
  const auto bytes = read_file(path);
  return bytes && bytes->find_first_not_of('\0', kLogHeaderBytes) == std::string::npos;
}

}  // namespace

void remove_empty_logs(const std::string& folder, uint64_t first, uint64_t end) {
  const auto logs = list_logs(folder, first);
  if (!logs) return;
  for (auto log = logs->rbegin(); log != logs->rend(); ++log) {
    if (*log >= end) continue;
    if (!is_empty_log(log_path(folder, *log))) return;
    remove_all_quietly(log_path(folder, *log));
  }
}

// Files of an owner are of a store that was not made to its end.
Status check_empty(const std::string& folder, bool copied_into) {
  NEARDUP_ASSIGN(const auto names, list_folder(folder));
  const auto is_no_hindrance = [](const std::string& name) {
    return name == kLockName || name == "SETTINGS" || name == kUnfinishedName || is_own_file(name) ||
           is_temporary_of(name, "SETTINGS") || is_temporary_of(name, kManifestName) ||
           is_temporary_of(name, kUnfinishedName);
  };
  if (!std::ranges::all_of(names, is_no_hindrance))
    return fail(Code::kInvalidArgument, fmt::format("'{}' is not empty; a store needs a folder of its own", folder));
  if (copied_into || std::ranges::find(names, kUnfinishedName) == names.end()) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("'{}' is not empty: a copy into it was not made to its end, or is under way (there is {}); "
                          "wait for it, or remove it: rm -r {}",
                          folder, kUnfinishedName, shell_word(folder)));
}

}  // namespace neardup::store
