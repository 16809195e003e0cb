// The version of neardup, for reports, --version and packages. CMakeLists.txt reads it from here.
#pragma once

#include <string_view>

namespace neardup {

inline constexpr std::string_view kVersion = "0.2.0";

}  // namespace neardup
