// Patterns of paths.
#pragma once

#include <string_view>

namespace neardup::corpus {

/// Returns whether `text` has a character that means something in a pattern.
[[nodiscard]] bool is_glob(std::string_view text);

/// Returns whether `path` matches `pattern` as described at DiscoverOptions.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view path);

/// Returns whether an excluding `pattern` takes all of the folder `path` (without a slash at its end): the folder
/// itself, or all that is in it.
[[nodiscard]] bool takes_folder(std::string_view pattern, std::string_view path);

}  // namespace neardup::corpus
