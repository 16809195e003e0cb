# neardup_lexbor: the HTML5 parser lexbor (Apache-2.0) as a static library, of which only parser and tree are built.
# Debian 12 has no package of it. Its sources come in the source distribution of the Python package selectolax.
include(NeardupSdist)
set(lexbor_sha256 f0508ad927aa426425d4aa7a2bb2f8b21c01412534465bd227e241d4d0a6a418)
set(lexbor_name selectolax-1.0.2)  # holds lexbor 3.1.0
neardup_fetch_sdist(selectolax 1.0.2 ${lexbor_sha256} lexbor_archive)

set(lexbor_unpacked ${PROJECT_BINARY_DIR}/lexbor)
set(lexbor_source ${lexbor_unpacked}/${lexbor_name}/lexbor/source)
set(lexbor_stamp ${lexbor_unpacked}/${lexbor_sha256}.unpacked)
if(NOT EXISTS ${lexbor_stamp})
  file(REMOVE_RECURSE ${lexbor_unpacked})
  file(ARCHIVE_EXTRACT INPUT ${lexbor_archive} DESTINATION ${lexbor_unpacked}
    PATTERNS ${lexbor_name}/lexbor/LICENSE ${lexbor_name}/lexbor/NOTICE ${lexbor_name}/lexbor/source/*)
  file(TOUCH ${lexbor_stamp})
endif()

set(lexbor_globs ${lexbor_source}/lexbor/ports/posix/lexbor/core/*.c)
foreach(module core dom html ns tag)
  list(APPEND lexbor_globs ${lexbor_source}/lexbor/${module}/*.c)
endforeach()
file(GLOB_RECURSE lexbor_files ${lexbor_globs})
add_library(neardup_lexbor STATIC ${lexbor_files})
target_include_directories(neardup_lexbor SYSTEM INTERFACE $<BUILD_INTERFACE:${lexbor_source}>)
target_include_directories(neardup_lexbor PRIVATE ${lexbor_source})
target_compile_definitions(neardup_lexbor PUBLIC LEXBOR_STATIC)
# Its own warnings are its authors' affair. It computes with null pointers (offset 0), which the undefined-behaviour
# sanitizer objects to; addresses are checked.
# -fexceptions: refused memory is thrown through its functions (src/neardup/text/html/memory.h).
target_compile_options(neardup_lexbor PRIVATE -w -O3 -fexceptions)
if(NEARDUP_SANITIZE)
  target_compile_options(neardup_lexbor PRIVATE -fno-sanitize=undefined)
endif()
