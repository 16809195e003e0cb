# neardup_fetch_sdist(PACKAGE VERSION SHA256 RESULT): the source distribution PACKAGE-VERSION.tar.gz, which pip fetches
# once; what was fetched is kept outside the build folder and its hash is checked before each use. pip is given the hash,
# too: it checks it before it runs anything of what it fetched. RESULT is the archive's path; offline,
# -DNEARDUP_<PACKAGE>_ARCHIVE=FILE names it.
function(neardup_has_hash file sha256 result)
  set(${result} FALSE PARENT_SCOPE)
  if(EXISTS ${file})
    file(SHA256 ${file} found)
    if(found STREQUAL sha256)
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endif()
endfunction()

function(neardup_fetch_sdist package version sha256 result)
  set(name ${package}-${version})
  string(TOUPPER NEARDUP_${package}_ARCHIVE variable)
  set(${variable} ${NEARDUP_CACHE_FOLDER}/${name}.tar.gz CACHE FILEPATH
    "Source distribution ${name}.tar.gz; fetched where it is missing")
  set(archive ${${variable}})
  set(${result} ${archive} PARENT_SCOPE)
  neardup_has_hash(${archive} ${sha256} is_there)
  if(is_there)
    return()
  endif()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  get_filename_component(folder ${archive} DIRECTORY)
  message(NOTICE "Fetching ${name} into ${folder}; half a minute, once")
  set(fetch ${PROJECT_BINARY_DIR}/${package}_fetch)
  file(REMOVE_RECURSE ${fetch})
  file(MAKE_DIRECTORY ${fetch} ${folder})
  file(WRITE ${fetch}/requirements.txt "${package}==${version} --hash=sha256:${sha256}\n")
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -m pip download --quiet --no-deps --no-binary ${package}
      --require-hashes --requirement ${fetch}/requirements.txt --dest ${fetch}
    TIMEOUT 900 RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  neardup_has_hash(${fetch}/${name}.tar.gz ${sha256} is_there)
  if(NOT is_there)
    message(FATAL_ERROR "${name}.tar.gz with the SHA-256 ${sha256} could not be fetched (pip: ${failed}). Offline, copy "
      "the file here and configure with -D${variable}=FILE.\n${output}")
  endif()
  file(RENAME ${fetch}/${name}.tar.gz ${archive})
  file(REMOVE_RECURSE ${fetch})
endfunction()
