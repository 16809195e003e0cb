// What a run may write into its output folder.
#pragma once

#include <string>
#include <vector>

namespace neardup::engine {

/// Returns the names of everything that a run may write into its output folder.
[[nodiscard]] const std::vector<std::string>& output_names();

}  // namespace neardup::engine
