// How the names of all keys of a store begin.
#pragma once

#include <string>
#include <string_view>

namespace neardup::remote::redis {

/// Returns the prefix that a URI names in braces, so that in a cluster all keys of the store share a slot.
[[nodiscard]] inline std::string braced(std::string_view prefix) { return "{" + std::string(prefix) + "}"; }

}  // namespace neardup::remote::redis
