# nanobind: that of the interpreter (`python -m nanobind`), as pip builds; else the one that
# bindings/python/requirements-build.txt pins, fetched once by pip, which checks its hash.
function(neardup_find_nanobind result)
  execute_process(COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE
    OUTPUT_VARIABLE folder RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    set(${result} ${folder} PARENT_SCOPE)
    return()
  endif()
  set(requirements ${PROJECT_SOURCE_DIR}/bindings/python/requirements-build.txt)
  file(STRINGS ${requirements} requirement REGEX "^nanobind==")
  string(REGEX MATCH "==([^ ]+)" version ${requirement})
  set(folder ${NEARDUP_CACHE_FOLDER}/nanobind-${CMAKE_MATCH_1})
  set(${result} ${folder}/nanobind/cmake PARENT_SCOPE)
  if(EXISTS ${folder}/nanobind/cmake)
    return()
  endif()
  set(work ${PROJECT_BINARY_DIR}/nanobind_fetch)
  file(WRITE ${work}/requirements.txt "${requirement}\n")
  execute_process(
    COMMAND ${Python_EXECUTABLE} -m pip install --quiet --no-deps --only-binary :all: --require-hashes
      --disable-pip-version-check --root-user-action ignore --requirement ${work}/requirements.txt --target ${work}/nanobind
    TIMEOUT 900 RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    set(${result} "" PARENT_SCOPE)
    if(NEARDUP_BUILD_PYTHON STREQUAL "AUTO")
      set(kind WARNING)
    else()
      set(kind FATAL_ERROR)
    endif()
    message(${kind} "nanobind is not here and could not be fetched (pip: ${failed}). To build without the Python "
      "package: -DNEARDUP_BUILD_PYTHON=OFF.\n${output}")
    return()
  endif()
  neardup_move_whole(${work}/nanobind ${folder})
endfunction()
