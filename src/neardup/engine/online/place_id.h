// The id under which a store keeps a document that has none of its own.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "neardup/base/hash.h"

namespace neardup::engine {

/// Returns `place` ("name:line") and 16 digits of its text's checksum: the same place of another file of that name has
/// another text, which must not take the place of the first.
[[nodiscard]] inline std::string place_id(std::string_view place, const Hash128& checksum) {
  return fmt::format("{}#{}", place, to_hex(checksum.high));
}

}  // namespace neardup::engine
