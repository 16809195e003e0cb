# Every header of the rooms compiles alone: a header that leans on what happens to stand before it stops the build.
# Headers share a source where that hides nothing (tools/header_chains.py); the chains are those of the last configure.
# Part of "all"; once is enough, so builds with sanitizers leave it out. What most of them include of the standard library
# is compiled once for all, a third of the time: that a header of ours names those too, `make tidy` sees to, where each
# source stands alone.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/neardup/*.h)
execute_process(COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/header_chains.py ${PROJECT_SOURCE_DIR}/src
  ${PROJECT_BINARY_DIR}/headers OUTPUT_VARIABLE header_sources COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n" ";" header_sources "${header_sources}")
list(FILTER header_sources EXCLUDE REGEX "^$")
add_library(neardup_headers OBJECT ${header_sources})
target_link_libraries(neardup_headers PRIVATE neardup_flags neardup_rooms)
target_compile_options(neardup_headers PRIVATE -O0)
target_precompile_headers(neardup_headers PRIVATE <algorithm> <array> <atomic> <bit> <chrono> <cstddef> <cstdint> <cstring>
  <functional> <map> <memory> <mutex> <optional> <span> <string> <string_view> <utility> <vector>
  <tl/expected.hpp> <fmt/format.h>)
