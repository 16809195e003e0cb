// The files of a store: their names, which are ours, and opening what a manifest names.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/store_manifest.h"
#include "neardup/store/store_state.h"

namespace neardup::store {

[[nodiscard]] std::string places_path(const std::string& folder, uint64_t log);
[[nodiscard]] std::string keys_path(const std::string& folder, uint64_t number);

/// Reads MANIFEST. Errors: kNotFound with the cure, kIo, kCorruption.
[[nodiscard]] Result<StoreManifest> read_store_manifest(const std::string& folder);

/// Returns the numbers of the logs in a folder from `first` on, ascending. Errors: kIo.
[[nodiscard]] Result<std::vector<uint64_t>> list_logs(const std::string& folder, uint64_t first);

/// Opens all that `manifest` names, and makes sure that each file is the one that was written. `commit` is called by
/// the index of fingerprints. Errors: kNotFound, kIo, kCorruption, kMemory, kCancelled.
[[nodiscard]] Result<std::unique_ptr<StoreState>> open_state(const std::string& folder, const StoreManifest& manifest,
                                                             const StoreOptions& options,
                                                             UpdatableIndex<fingerprint::Fingerprint>::Commit commit);

/// Removes files of ours that `manifest` does not name: of a process that was killed, or of before a checkpoint.
[[nodiscard]] Status sweep_store(const std::string& folder, const StoreManifest& manifest);

/// Makes sure that a new store may be made in a folder. Errors: kInvalidArgument.
[[nodiscard]] Status check_empty(const std::string& folder);

}  // namespace neardup::store
