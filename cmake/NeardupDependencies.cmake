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
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(libmd REQUIRED IMPORTED_TARGET libmd)
pkg_check_modules(thrift REQUIRED IMPORTED_TARGET thrift)
pkg_check_modules(hiredis REQUIRED IMPORTED_TARGET hiredis)
pkg_check_modules(gnutls REQUIRED IMPORTED_TARGET gnutls)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy libhwy-contrib)

# Programs have Thrift inside: Arrow's library for Parquet, which they load when they need it, brings another version, and
# would be given the names of a shared one. The archive is not made for shared objects, whose names are their own anyway.
find_library(NEARDUP_THRIFT_ARCHIVE libthrift.a REQUIRED)
if(NOT TARGET neardup::thrift)
  add_library(neardup::thrift INTERFACE IMPORTED)
  set_target_properties(neardup::thrift PROPERTIES INTERFACE_LINK_LIBRARIES
    "$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>,${NEARDUP_THRIFT_ARCHIVE},PkgConfig::thrift>")
endif()

# libstemmer has no package file of its own.
find_library(NEARDUP_STEMMER_FILE stemmer REQUIRED)
if(NOT TARGET neardup::stemmer)
  add_library(neardup::stemmer UNKNOWN IMPORTED)
  set_target_properties(neardup::stemmer PROPERTIES IMPORTED_LOCATION ${NEARDUP_STEMMER_FILE})
endif()
set(NEARDUP_STEMMER_LIBRARY neardup::stemmer)
find_library(NEARDUP_CLD2_FILE cld2 REQUIRED)
if(NOT TARGET neardup::cld2)
  add_library(neardup::cld2 UNKNOWN IMPORTED)
  set_target_properties(neardup::cld2 PROPERTIES IMPORTED_LOCATION ${NEARDUP_CLD2_FILE})
endif()
set(NEARDUP_CLD2_LIBRARY neardup::cld2)
