// How files of a format are told, be it one that is read (formats.h) or one that is not (foreign.h).
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace neardup::corpus {

struct FileSigns {
  std::string_view magic = {};                    // the bytes that stand at `at`; empty: there are none
  size_t at = 0;                                  // less than kForeignProbeBytes
  std::array<std::string_view, 16> endings = {};  // of names in small letters, without that of a compression

  [[nodiscard]] bool has_ending(std::string_view name) const;
  /// `bytes`: the first ones of a file.
  [[nodiscard]] bool has_magic(std::string_view bytes) const;
};

}  // namespace neardup::corpus
