// What a folder holds: an index of fingerprints, or a store.
#pragma once

#include <string>

#include "neardup/base/result.h"

namespace neardup::store {

enum class FolderKind {
  kOther,  // neither, or nothing is there
  kIndex,  // IndexDirectory
  kStore,  // EmbeddedStore
};

/// Looks at the first bytes of its MANIFEST; where these tell nothing, at what a store has beside it. Errors: kIo.
[[nodiscard]] Result<FolderKind> kind_of_folder(const std::string& folder);

}  // namespace neardup::store
