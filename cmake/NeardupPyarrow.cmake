# neardup_find_pyarrow(RESULT): a folder with include/, libarrow.so.* and libparquet.so.* of pyarrow: that of
# -DNEARDUP_PYARROW=FOLDER, else of the interpreter where it has the version that tests/python/requirements.txt pins, else
# of that wheel, fetched once by pip, which checks its hash. Empty where it cannot be had.
set(NEARDUP_PYARROW "" CACHE PATH "Folder of pyarrow with its headers and libraries; found or fetched where empty")
set(pyarrow_requirements ${CMAKE_CURRENT_LIST_DIR}/../tests/python/requirements.txt)

function(neardup_find_pyarrow result)
  set(${result} "" PARENT_SCOPE)
  if(NEARDUP_PYARROW)
    set(${result} ${NEARDUP_PYARROW} PARENT_SCOPE)
    return()
  endif()
  file(STRINGS ${pyarrow_requirements} requirement REGEX "^pyarrow==")
  string(REGEX MATCH "==([^ ]+)" version ${requirement})
  set(version ${CMAKE_MATCH_1})
  if(NOT Python_EXECUTABLE)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(Python_EXECUTABLE ${Python3_EXECUTABLE})
  endif()
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import pyarrow; print(pyarrow.__version__, pyarrow.__path__[0])"
    OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE found RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed AND found MATCHES "^([^ ]+) (.+)$" AND CMAKE_MATCH_1 STREQUAL version)
    set(${result} ${CMAKE_MATCH_2} PARENT_SCOPE)
    return()
  endif()
  set(folder ${NEARDUP_CACHE_FOLDER}/pyarrow-${version})
  if(NOT EXISTS ${folder}/include)
    message(NOTICE "Fetching pyarrow ${version} into ${folder}; half a minute, once")
    set(work ${PROJECT_BINARY_DIR}/pyarrow_fetch)
    file(REMOVE_RECURSE ${work})
    file(WRITE ${work}/requirements.txt "${requirement}\n")
    execute_process(
      COMMAND ${Python_EXECUTABLE} -m pip install --quiet --no-deps --only-binary :all: --require-hashes
        --python-version 3.11 --disable-pip-version-check --root-user-action ignore
        --requirement ${work}/requirements.txt --target ${work}/all
      TIMEOUT 900 RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(failed)
      message(WARNING "pyarrow ${version} could not be fetched (pip: ${failed}).\n${output}")
      return()
    endif()
    file(GLOB wanted ${work}/all/pyarrow/include ${work}/all/pyarrow/libarrow.so.* ${work}/all/pyarrow/libparquet.so.*
      ${work}/all/pyarrow-*/licenses ${work}/all/pyarrow-*/LICENSE.txt ${work}/all/pyarrow/LICENSE.txt
      ${work}/all/pyarrow/NOTICE.txt)
    file(COPY ${wanted} DESTINATION ${work}/part)
    get_filename_component(parent ${folder} DIRECTORY)
    file(MAKE_DIRECTORY ${parent})
    file(REMOVE_RECURSE ${folder})
    file(COPY ${work}/part/ DESTINATION ${folder}.part)
    file(RENAME ${folder}.part ${folder})
    file(REMOVE_RECURSE ${work})
  endif()
  set(${result} ${folder} PARENT_SCOPE)
endfunction()
