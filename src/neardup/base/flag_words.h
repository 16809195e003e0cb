// The words of messages: the library speaks of the flags of the program; other faces have other words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace neardup {

/// A flag, and what stands for it elsewhere.
struct FlagWords {
  std::string_view flag;
  std::string_view word;
};

/// Returns `message` with words in the place of flags, of which those that begin with another one stand before it in
/// `table`. Flags that are not there stay, and so do words with a flag in their midst, such as names of files.
[[nodiscard]] std::string replace_flags(std::string_view message, std::span<const FlagWords> table);

}  // namespace neardup
