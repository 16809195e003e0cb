# Installs BUILD into WORK/prefix, then configures, builds and runs the consumer against it, and the installed program.
# usage: cmake -DBUILD=... -DWORK=... -DCONSUMER=... -DGENERATOR=... -DVERSION=... -P run.cmake
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
# Programs see the public door alone: the headers that it names are here, and no other one.
file(GLOB_RECURSE headers RELATIVE ${WORK}/prefix/include ${WORK}/prefix/include/neardup/*.h)
file(STRINGS ${WORK}/prefix/include/neardup/neardup.h named REGEX "^#include \"neardup/")
list(TRANSFORM named REPLACE "^#include \"(.*)\"$" "\\1")
list(APPEND named neardup/neardup.h)
list(SORT headers)
list(SORT named)
if(NOT headers STREQUAL named)
  message(FATAL_ERROR "installed are ${headers}, neardup/neardup.h names ${named}")
endif()
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DVERSION=${VERSION})
run(${CMAKE_COMMAND} --build ${WORK}/build)
file(WRITE ${WORK}/in.jsonl "{\"text\":\"one two three four\"}\n{\"text\":\"five six seven\"}\n{\"text\":\"One, two: three, four!\"}\n")
execute_process(COMMAND ${WORK}/build/consumer ${WORK}/in.jsonl ${WORK}/out COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
if(NOT output MATCHES "distance [0-9]+ of 64 bits\nkept 2 of 3\n")
  message(FATAL_ERROR "the consumer ran, but printed: ${output}")
endif()

execute_process(COMMAND ${WORK}/prefix/bin/neardup --version COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output)
if(NOT output STREQUAL "neardup ${VERSION}\n")
  message(FATAL_ERROR "the installed program is not version ${VERSION}: ${output}")
endif()
