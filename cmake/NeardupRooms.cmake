# neardup_unity(TARGET): with NEARDUP_UNITY, up to NEARDUP_UNITY_SIZE sources of TARGET are compiled as one. Sources that
# are compiled once for each kind of processor (Highway's foreach_target.h) name themselves and stay alone. Names in
# anonymous namespaces therefore differ within a room; warnings that only an included source gives are off.
function(neardup_unity target)
  if(NOT NEARDUP_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${NEARDUP_UNITY_SIZE})
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} kernel REGEX "(foreach|each)_target.h" LIMIT_COUNT 1)
    if(kernel)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# neardup_room(NAME DEPS ... LIBRARIES ...): one static library per room. DEPS are other rooms (the layer table of
# tools/check_layers.py is the law; this mirrors it for the linker), LIBRARIES are third-party targets.
function(neardup_room name)
  cmake_parse_arguments(ROOM "" "" "DEPS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cc)
  if(NOT sources)
    return()
  endif()
  add_library(neardup_${name} STATIC ${sources})
  add_library(neardup::${name} ALIAS neardup_${name})
  neardup_unity(neardup_${name})
  target_include_directories(neardup_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
  target_compile_features(neardup_${name} PUBLIC cxx_std_20)
  target_link_libraries(neardup_${name} PRIVATE $<BUILD_INTERFACE:neardup_flags> PUBLIC ${ROOM_LIBRARIES})
  foreach(dep IN LISTS ROOM_DEPS)
    if(TARGET neardup_${dep})
      target_link_libraries(neardup_${name} PUBLIC neardup_${dep})
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY NEARDUP_ROOMS ${name})
endfunction()

# neardup_all_rooms(): neardup_rooms links every room that was declared; users of the installed package know it as
# neardup::neardup.
function(neardup_all_rooms)
  get_property(rooms GLOBAL PROPERTY NEARDUP_ROOMS)
  list(TRANSFORM rooms PREPEND neardup_)
  add_library(neardup_rooms INTERFACE)
  add_library(neardup::neardup ALIAS neardup_rooms)
  target_link_libraries(neardup_rooms INTERFACE ${rooms})
endfunction()
