// The files of a store: their names, which are ours, and opening what a manifest names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "neardup/base/disk/folder_lock.h"
#include "neardup/base/result.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/store_manifest.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

[[nodiscard]] std::string places_path(const std::string& folder, uint64_t log);
/// Those of a log that was written again.
[[nodiscard]] std::string records_path(const std::string& folder, uint64_t number);
[[nodiscard]] std::string record_places_path(const std::string& folder, uint64_t number);
/// Where the records of a closed log are, and the list of their places.
[[nodiscard]] std::string records_path(const std::string& folder, const RecordFiles& files);
[[nodiscard]] std::string places_path(const std::string& folder, const RecordFiles& files);
[[nodiscard]] std::string facts_path(const std::string& folder, uint64_t log);
[[nodiscard]] std::string record_facts_path(const std::string& folder, uint64_t number);
[[nodiscard]] std::string facts_path(const std::string& folder, const RecordFiles& files);
[[nodiscard]] std::string tags_path(const std::string& folder, uint64_t number);
[[nodiscard]] std::string keys_path(const std::string& folder, uint64_t number);

/// Locks a store for this process. Errors: kIo where another one has it open.
[[nodiscard]] Result<FolderLock> lock_store(const std::string& folder);

/// Returns whether a folder holds a store, be its MANIFEST there or not: SETTINGS, and a log, which a store has from
/// its first opening on. Errors: kIo.
[[nodiscard]] Result<bool> has_settings_and_log(const std::string& folder);

/// Reads MANIFEST. Errors: kNotFound with the cure, kIo; kCorruption, also where a store has lost it.
[[nodiscard]] Result<StoreManifest> read_store_manifest(const std::string& folder);

/// Says that another store is copied into the one in a folder (UNFINISHED is there), or that this is done, durably.
/// Errors: kIo, kDiskFull.
[[nodiscard]] Status mark_copied_into(const std::string& folder, bool is_so);
/// Errors: kInvalidArgument with the cure where it is, or such a copy was not made to its end; kIo.
[[nodiscard]] Status check_whole(const std::string& folder);

/// Returns the numbers of the logs in a folder from `first` on, ascending. Errors: kIo.
[[nodiscard]] Result<std::vector<uint64_t>> list_logs(const std::string& folder, uint64_t first);

/// Opens all that `manifest` names, and makes sure that each file is the one that was written. `commit` is called by
/// the index of fingerprints. Errors: kNotFound, kIo, kCorruption, kMemory, kCancelled.
[[nodiscard]] Result<std::unique_ptr<StoreState>> open_state(const std::string& folder, const StoreManifest& manifest,
                                                             const StoreOptions& options,
                                                             FingerprintIndex::Commit commit);

/// Returns the names of all files that `manifest` names, in its folder; not MANIFEST.
[[nodiscard]] std::vector<std::string> files_of(const StoreManifest& manifest);

/// What a store is, for a repair that has no MANIFEST: the bytes of its first one.
[[nodiscard]] std::string settings_path(const std::string& folder);

/// Removes files of ours that `manifest` does not name: of a process that was killed, or of before a checkpoint.
[[nodiscard]] Status sweep_store(const std::string& folder, const StoreManifest& manifest);

/// Removes logs from `first` on, and before `end`, behind the last one with a record or a trace of one: each opening
/// that writes nothing leaves one. Requires: log `end` is there, and durable; it tells from where the logs go on. What
/// cannot be removed stays.
void remove_empty_logs(const std::string& folder, uint64_t first, uint64_t end);

/// Makes sure that a new store may be made in a folder. `copied_into`: the mark of a copy that was killed before its
/// store was there is no hindrance. Errors: kInvalidArgument; where that mark is the only one, with how to remove it.
[[nodiscard]] Status check_empty(const std::string& folder, bool copied_into = false);

}  // namespace neardup::store
