# neardup_nanoarrow: reading Arrow's C data interface (nanoarrow, Apache-2.0) as a static library. Debian 12 has no package
# of it; its sources come in the source distribution of the Python package of that name.
include(NeardupSdist)
set(nanoarrow_version 0.9.0)
neardup_fetch_sdist(nanoarrow ${nanoarrow_version} 1ce15bbed8532839347faa78824c5dbd3769bff60661003e34c6fba5dd881bd3
  nanoarrow_archive)
set(nanoarrow_folder nanoarrow-${nanoarrow_version}/subprojects/arrow-nanoarrow/src)
set(nanoarrow_unpacked ${PROJECT_BINARY_DIR}/nanoarrow)
set(nanoarrow_source ${nanoarrow_unpacked}/${nanoarrow_folder})
if(NOT EXISTS ${nanoarrow_source}/nanoarrow/nanoarrow_config.h)
  file(ARCHIVE_EXTRACT INPUT ${nanoarrow_archive} DESTINATION ${nanoarrow_unpacked} PATTERNS ${nanoarrow_folder}/nanoarrow/*)
  string(REGEX MATCH "^([0-9]+).([0-9]+).([0-9]+)" NANOARROW_VERSION ${nanoarrow_version})
  set(NANOARROW_VERSION_MAJOR ${CMAKE_MATCH_1})
  set(NANOARROW_VERSION_MINOR ${CMAKE_MATCH_2})
  set(NANOARROW_VERSION_PATCH ${CMAKE_MATCH_3})
  set(NANOARROW_NAMESPACE_DEFINE "#define NANOARROW_NAMESPACE Neardup")  # beside another copy in the process
  configure_file(${nanoarrow_source}/nanoarrow/nanoarrow_config.h.in ${nanoarrow_source}/nanoarrow/nanoarrow_config.h @ONLY)
endif()
add_library(neardup_nanoarrow STATIC)
foreach(file array array_stream schema utils)
  target_sources(neardup_nanoarrow PRIVATE ${nanoarrow_source}/nanoarrow/common/${file}.c)
endforeach()
target_include_directories(neardup_nanoarrow SYSTEM PUBLIC ${nanoarrow_source})
target_compile_options(neardup_nanoarrow PRIVATE -w)
