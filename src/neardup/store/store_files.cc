#include "neardup/store/store_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "neardup/base/disk/file.h"
#include "neardup/store/directory_files.h"
#include "neardup/store/erased_file.h"
#include "neardup/store/log_writer.h"

namespace neardup::store {
namespace {

using fingerprint::Fingerprint;

// Returns the number in a name like "log-000012.log".
std::optional<uint64_t> number_in(std::string_view name, std::string_view start, std::string_view end) {
  if (!name.starts_with(start) || !name.ends_with(end) || name.size() < start.size() + end.size() + 6) return {};
  const std::string_view digits = name.substr(start.size(), name.size() - start.size() - end.size());
  uint64_t number = 0;
  const auto [rest, error] = std::from_chars(digits.begin(), digits.end(), number);
  if (error != std::errc() || rest != digits.end()) return {};
  return number;
}

UpdateOptions update_options(const StoreManifest& manifest, const StoreOptions& options) {
  UpdateOptions update;
  update.max_distance = manifest.settings.max_distance;
  update.plan_for = plans_by_number(64, update.max_distance);
  update.context = options.context;
  return update;
}

Result<std::unique_ptr<bands::KeyIndex>> open_keys(const std::string& folder, const StoreManifest& manifest,
                                                   const StoreOptions& options) {
  std::vector<std::shared_ptr<const bands::KeySegment>> segments;
  uint64_t end = 0;
  for (const KeyFiles& files : manifest.keys) {
    NEARDUP_TRY(options.context.check_cancel());
    const std::string path = keys_path(folder, files.number);
    NEARDUP_ASSIGN(bands::OpenedKeyFile opened, bands::open_key_file(path, hamming::Access::kMap, options.verify));
    if (opened.identity != files.identity || opened.segment.first != end) return not_the_one(path);
    opened.segment.file = files.number;
    end = opened.segment.first + opened.segment.count;
    segments.push_back(std::make_shared<const bands::KeySegment>(std::move(opened.segment)));
  }
  return std::make_unique<bands::KeyIndex>(options.map_keys, std::move(segments));
}

Result<std::shared_ptr<const RecordFile>> open_records(const std::string& folder, const RecordFiles& files) {
  const std::string path = places_path(folder, files.log);
  NEARDUP_ASSIGN(const std::string bytes, read_file(path));
  NEARDUP_ASSIGN(Places places, parse_places(bytes, path));
  if (places.checksum != files.checksum || places.log != files.log || places.first != files.first ||
      places.offsets.size() != files.count)
    return not_the_one(path);
  return RecordFile::open(folder, files.log, files.first, std::move(places.offsets));
}

// A segment by the functions of index folders, whose manifest differs.
Result<std::vector<Segment<Fingerprint>>> open_segments(const std::string& folder, const StoreManifest& manifest,
                                                        const StoreOptions& options) {
  Manifest named;
  named.settings.max_distance = manifest.settings.max_distance;
  named.segments = manifest.segments;
  NEARDUP_ASSIGN(auto content,
                 open_content<Fingerprint>(folder, named, hamming::Access::kMap, options.verify, options.context));
  return std::move(content.segments);
}

}  // namespace

std::string places_path(const std::string& folder, uint64_t log) {
  return fmt::format("{}/log-{:06}.places", folder, log);
}
std::string keys_path(const std::string& folder, uint64_t number) {
  return fmt::format("{}/keys-{:06}.ndx", folder, number);
}

Result<StoreManifest> read_store_manifest(const std::string& folder) {
  const std::string path = manifest_path(folder);
  const auto bytes = read_file(path);
  if (!bytes && bytes.error().code == Code::kNotFound)
    return fail(Code::kNotFound, fmt::format("'{}' is not a store: there is no {}", folder, kManifestName));
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  return parse_store_manifest(*bytes, path);
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
                                               const StoreOptions& options,
                                               UpdatableIndex<Fingerprint>::Commit commit) {
  NEARDUP_ASSIGN(auto keys, open_keys(folder, manifest, options));
  NEARDUP_ASSIGN(auto segments, open_segments(folder, manifest, options));
  auto index = std::make_unique<UpdatableIndex<Fingerprint>>(update_options(manifest, options), std::move(segments),
                                                             std::move(commit));
  auto state = std::make_unique<StoreState>(manifest.settings.num_fingerprints, manifest.settings.max_distance,
                                            std::move(keys), std::move(index));
  for (const RecordFiles& files : manifest.records) {
    NEARDUP_ASSIGN(auto file, open_records(folder, files));
    state->add_file(std::move(file));
  }
  if (manifest.erased_file == 0) return state;
  const std::string path = erased_path(folder, manifest.erased_file);
  NEARDUP_ASSIGN(const ErasedFile erased, read_erased_file(path));
  if (erased.checksum != manifest.erased_checksum) return not_the_one(path);
  state->set_erased(NumberSet(erased.documents.sorted()));
  return state;
}

Status sweep_store(const std::string& folder, const StoreManifest& manifest) {
  std::set<std::string> named;
  for (const RecordFiles& files : manifest.records) {
    named.insert(name_of(log_path(folder, files.log)));
    named.insert(name_of(places_path(folder, files.log)));
  }
  for (const KeyFiles& files : manifest.keys) named.insert(name_of(keys_path(folder, files.number)));
  for (const SegmentFiles& files : manifest.segments) {
    named.insert(name_of(segment_path(folder, files.number)));
    if (files.num_erased > 0) named.insert(name_of(erased_path(folder, files.number)));
  }
  if (manifest.erased_file != 0) named.insert(name_of(erased_path(folder, manifest.erased_file)));
  NEARDUP_ASSIGN(const auto names, list_folder(folder));
  for (const std::string& name : names) {
    const auto log = number_in(name, "log-", ".log");
    const bool is_ours = (log && *log < manifest.first_log) || number_in(name, "log-", ".places") ||
                         number_in(name, "keys-", ".ndx") || number_in(name, "segment-", ".ndx") ||
                         number_in(name, "segment-", ".del");
    if (is_ours && !named.contains(name)) NEARDUP_TRY(remove_all(folder + "/" + name));
  }
  return {};
}

Status check_empty(const std::string& folder) {
  NEARDUP_ASSIGN(const auto names, list_folder(folder));
  for (const std::string& name : names)
    if (name != kLockName && !name.starts_with(std::string(kManifestName) + ".tmp"))
      return fail(Code::kInvalidArgument, fmt::format("'{}' is not empty; a store needs a folder of its own", folder));
  return {};
}

}  // namespace neardup::store
