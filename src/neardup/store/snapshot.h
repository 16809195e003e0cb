// A second store of the files of one.
#pragma once

#include <string>

#include "neardup/base/result.h"
#include "neardup/store/store_manifest.h"

namespace neardup::store {

/// Makes the store that `manifest` names in `folder` in another folder too, which is empty or not there; durable when
/// this returns. Requires: none of its files is removed meanwhile. Errors: kInvalidArgument; kIo, kDiskFull: nothing is
/// left of it.
[[nodiscard]] Status copy_store(const std::string& folder, const StoreManifest& manifest, const std::string& to);

}  // namespace neardup::store
