# The libraries that the rooms stand on, all from the system's package manager (tools/packages.txt names the Debian
# packages). Installed beside neardupConfig.cmake, which finds the same ones for users of the installed libraries.
find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(simdjson REQUIRED)
find_package(tl-expected REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc i18n)
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(libmd REQUIRED IMPORTED_TARGET libmd)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy libhwy-contrib)

# libstemmer has no package file of its own.
find_library(NEARDUP_STEMMER_FILE stemmer REQUIRED)
if(NOT TARGET neardup::stemmer)
  add_library(neardup::stemmer UNKNOWN IMPORTED)
  set_target_properties(neardup::stemmer PROPERTIES IMPORTED_LOCATION ${NEARDUP_STEMMER_FILE})
endif()
set(NEARDUP_STEMMER_LIBRARY neardup::stemmer)
