# Build switches and the flags that every target of ours takes.
option(NEARDUP_BUILD_TESTS "Build the tests" ON)
option(NEARDUP_SHORT_TESTS "Of the tests only those of single rooms, of broken input, of the service and of failing disks" OFF)
option(NEARDUP_BUILD_BENCH "Build the programs under bench/" ON)
set(NEARDUP_BUILD_PYTHON OFF CACHE STRING "The native part of the Python package: AUTO (where it can be), ON or OFF")
set(NEARDUP_BUILD_PARQUET OFF CACHE STRING "The module that reads Parquet: AUTO (where it can be), ON or OFF")
option(NEARDUP_BUILD_FUZZ "Build the fuzz targets with libFuzzer (needs clang)" OFF)
option(NEARDUP_UNITY "Compile many sources as one: a third of the time for a build from nothing" OFF)
cmake_host_system_information(RESULT num_cores QUERY NUMBER_OF_LOGICAL_CORES)
set(unity_size 16)
if(num_cores LESS_EQUAL 4)  # which are busy with whole rooms, too: three quarters of the time
  set(unity_size 0)
endif()
set(NEARDUP_UNITY_SIZE ${unity_size} CACHE STRING "With NEARDUP_UNITY: how many sources are one at most; 0 = a whole room")
set(NEARDUP_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, such as address,undefined or thread")

# What is fetched once and kept for all build folders.
if(DEFINED ENV{XDG_CACHE_HOME})
  set(NEARDUP_CACHE_FOLDER $ENV{XDG_CACHE_HOME}/neardup)
elseif(DEFINED ENV{HOME})
  set(NEARDUP_CACHE_FOLDER $ENV{HOME}/.cache/neardup)
else()
  set(NEARDUP_CACHE_FOLDER ${PROJECT_BINARY_DIR}/downloads)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()

find_program(NEARDUP_CCACHE ccache)
if(NEARDUP_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${NEARDUP_CCACHE})
endif()

add_library(neardup_flags INTERFACE)
target_compile_options(neardup_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion
  -Wnon-virtual-dtor -Woverloaded-virtual -Werror=return-type
  $<$<NOT:$<BOOL:${NEARDUP_UNITY}>>:-Wshadow>  # a source beside it in a unit is not what a name is hidden from
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # GCC 12 warns wrongly on string assignment (GCC bug 105329)
  $<$<CXX_COMPILER_ID:Clang>:-Wno-bitwise-instead-of-logical>  # where a branch could not be foreseen
  -ffp-contract=off)  # figures are the same whether or not a machine multiplies and adds in one step
if(NEARDUP_SANITIZE)
  add_compile_options(-fsanitize=${NEARDUP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${NEARDUP_SANITIZE})
  add_compile_definitions(XXH_NO_INLINE_HINTS=1)  # xxhash's demands for inlining cannot be met by -Og
  if(NEARDUP_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # A large function calls the checks instead of containing them: GCC then takes two thirds of the time.
    add_compile_options(--param=asan-instrumentation-with-call-threshold=30)
  endif()
endif()
if(NEARDUP_BUILD_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
