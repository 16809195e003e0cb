# neardup_lexbor: the HTML5 parser lexbor (Apache-2.0) as a static library, of which only parser and tree are built.
# Debian 12 has no package of it. Its sources come in the source distribution of the Python package selectolax, which pip
# fetches once; what was fetched is kept outside the build folder and its hash is checked before each use. pip is given
# the hash, too: it checks it before it runs anything of what it fetched.
set(NEARDUP_LEXBOR_PACKAGE selectolax)
set(NEARDUP_LEXBOR_PACKAGE_VERSION 1.0.2)  # holds lexbor 3.1.0
set(NEARDUP_LEXBOR_SHA256 f0508ad927aa426425d4aa7a2bb2f8b21c01412534465bd227e241d4d0a6a418)
set(lexbor_name ${NEARDUP_LEXBOR_PACKAGE}-${NEARDUP_LEXBOR_PACKAGE_VERSION})

set(NEARDUP_LEXBOR_ARCHIVE ${NEARDUP_CACHE_FOLDER}/${lexbor_name}.tar.gz CACHE FILEPATH
  "Source distribution ${lexbor_name}.tar.gz; fetched where it is missing")

function(neardup_lexbor_has_hash file result)
  set(${result} FALSE PARENT_SCOPE)
  if(EXISTS ${file})
    file(SHA256 ${file} found)
    if(found STREQUAL NEARDUP_LEXBOR_SHA256)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

neardup_lexbor_has_hash(${NEARDUP_LEXBOR_ARCHIVE} lexbor_there)
if(NOT lexbor_there)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_filename_component(lexbor_folder ${NEARDUP_LEXBOR_ARCHIVE} DIRECTORY)
  message(NOTICE "Fetching ${lexbor_name} (the sources of lexbor) into ${lexbor_folder}; half a minute, once")
  set(lexbor_fetch ${PROJECT_BINARY_DIR}/lexbor_fetch)
  file(REMOVE_RECURSE ${lexbor_fetch})
  file(MAKE_DIRECTORY ${lexbor_fetch} ${lexbor_folder})
  file(WRITE ${lexbor_fetch}/requirements.txt
    "${NEARDUP_LEXBOR_PACKAGE}==${NEARDUP_LEXBOR_PACKAGE_VERSION} --hash=sha256:${NEARDUP_LEXBOR_SHA256}\n")
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -m pip download --quiet --no-deps --no-binary ${NEARDUP_LEXBOR_PACKAGE}
      --require-hashes --requirement ${lexbor_fetch}/requirements.txt --dest ${lexbor_fetch}
    TIMEOUT 900 RESULT_VARIABLE lexbor_failed OUTPUT_VARIABLE lexbor_output ERROR_VARIABLE lexbor_output)
  neardup_lexbor_has_hash(${lexbor_fetch}/${lexbor_name}.tar.gz lexbor_there)
  if(NOT lexbor_there)
    message(FATAL_ERROR "${lexbor_name}.tar.gz with the SHA-256 ${NEARDUP_LEXBOR_SHA256} could not be fetched "
      "(pip: ${lexbor_failed}). Offline, copy the file here and configure with -DNEARDUP_LEXBOR_ARCHIVE=FILE.\n"
      "${lexbor_output}")
  endif()
  file(RENAME ${lexbor_fetch}/${lexbor_name}.tar.gz ${NEARDUP_LEXBOR_ARCHIVE})
  file(REMOVE_RECURSE ${lexbor_fetch})
endif()

set(lexbor_unpacked ${PROJECT_BINARY_DIR}/lexbor)
set(lexbor_source ${lexbor_unpacked}/${lexbor_name}/lexbor/source)
set(lexbor_stamp ${lexbor_unpacked}/${NEARDUP_LEXBOR_SHA256}.unpacked)
if(NOT EXISTS ${lexbor_stamp})
  file(REMOVE_RECURSE ${lexbor_unpacked})
  file(ARCHIVE_EXTRACT INPUT ${NEARDUP_LEXBOR_ARCHIVE} DESTINATION ${lexbor_unpacked}
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
target_compile_options(neardup_lexbor PRIVATE -w -O3)
if(NEARDUP_SANITIZE)
  target_compile_options(neardup_lexbor PRIVATE -fno-sanitize=undefined)
endif()
