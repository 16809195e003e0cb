// Names of inputs below the output folder: short, unique, and none another one's folder.
#pragma once

#include <string>
#include <vector>

#include "neardup/base/base.h"

namespace neardup::corpus {

/// A file that was found for an argument.
struct Found {
  size_t argument = 0;   // index in the arguments' absolute paths
  std::string relative;  // below the argument where that is a folder, else empty
};

/// Returns the name of each of `found`. `arguments` are absolute, normal paths without a slash at the end.
/// Starts with a file's own name, and with the path below a folder (`folder_first`: after the folder's own name), and
/// puts more parent folders first for arguments whose files collide.
[[nodiscard]] std::vector<std::string> choose_names(const std::vector<std::string>& arguments,
                                                    const std::vector<Found>& found, bool folder_first);

}  // namespace neardup::corpus
