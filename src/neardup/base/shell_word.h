// Words of commands that are shown to be typed.
#pragma once

#include <string>
#include <string_view>

namespace neardup {

/// Returns `word` as it must be typed in a POSIX shell (or zsh): as it is where that is safe, else in single quotes.
[[nodiscard]] std::string shell_word(std::string_view word);

}  // namespace neardup
