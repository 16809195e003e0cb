// The version of neardup, for reports, --version and packages. CMakeLists.txt names the same one.
#pragma once

#include <string_view>

namespace neardup {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace neardup
