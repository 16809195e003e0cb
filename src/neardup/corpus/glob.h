// Patterns of paths.
#pragma once

#include <string_view>

namespace neardup::corpus {

/// Returns whether `text` has a character that means something in a pattern.
[[nodiscard]] bool is_glob(std::string_view text);

}  // namespace neardup::corpus
