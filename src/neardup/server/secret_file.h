// Files that hold keys: who may read them may do what the keys are good for.
#pragma once

#include <string>

#include "neardup/base/result.h"

namespace neardup::server {

/// Returns the bytes of a file that is its owner's alone; one of root may be read by its group, too. Errors: of
/// reading; kInvalidArgument, with the cure, where others may read or change it.
[[nodiscard]] Result<std::string> read_secret_file(const std::string& path);

}  // namespace neardup::server
