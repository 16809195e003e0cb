# Every header of the rooms compiles alone: neardup_headers has one source for each, which includes it and nothing else
# before it. Part of "all", so that a header that leans on its neighbours stops the build; once is enough, so builds with
# sanitizers leave it out.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/neardup/*.h)
list(FILTER headers EXCLUDE REGEX "-inl\\.h$")
set(header_sources "")
foreach(header IN LISTS headers)
  set(source ${PROJECT_BINARY_DIR}/headers/${header}.cc)
  # A header without #pragma once would fail here by its second inclusion.
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"@header@\"\n#include \"@header@\"\n" @ONLY)
  list(APPEND header_sources ${source})
endforeach()
if(header_sources AND TARGET neardup_rooms)
  add_library(neardup_headers OBJECT ${header_sources})
  target_link_libraries(neardup_headers PRIVATE neardup_flags neardup_rooms)
  target_compile_options(neardup_headers PRIVATE -O0)
endif()
