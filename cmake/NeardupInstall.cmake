# `cmake --install`: the program, the rooms' libraries, the public headers, and find_package(neardup).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/neardup)

get_property(rooms GLOBAL PROPERTY NEARDUP_ROOMS)
set_target_properties(neardup_lexbor PROPERTIES EXPORT_NAME lexbor)
install(TARGETS neardup_lexbor EXPORT neardupTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${lexbor_unpacked}/${lexbor_name}/lexbor/LICENSE ${lexbor_unpacked}/${lexbor_name}/lexbor/NOTICE
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/lexbor)
if(NEARDUP_HAS_WEB)
  foreach(bundled uplot d3-hierarchy)
    install(FILES ${NEARDUP_PAGE_MODULES}/${bundled}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}/${bundled})
  endforeach()
endif()
install(FILES ${NEARDUP_OPENCC_NOTICE} DESTINATION ${CMAKE_INSTALL_DOCDIR}/opencc RENAME NOTICE)
foreach(room IN LISTS rooms)
  set_target_properties(neardup_${room} PROPERTIES EXPORT_NAME ${room})
  install(TARGETS neardup_${room} EXPORT neardupTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
# What neardup/neardup.h leads to, and nothing else: the test consumer sees to it that they need no other header of ours.
set(public_headers neardup.h base/context.h base/result.h api/compare.h api/dedup.h api/deduplicator.h api/fingerprinter.h
  api/index.h api/lines.h api/matching.h api/recipe.h api/similar.h api/store.h)
foreach(header IN LISTS public_headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/src/neardup/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/neardup/${folder})
endforeach()
set_target_properties(neardup_rooms PROPERTIES EXPORT_NAME neardup)
install(TARGETS neardup_rooms EXPORT neardupTargets)
install(EXPORT neardupTargets NAMESPACE neardup:: DESTINATION ${package_folder})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/neardupConfig.cmake.in
  ${PROJECT_BINARY_DIR}/neardupConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/neardupConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/neardupConfig.cmake ${PROJECT_BINARY_DIR}/neardupConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/NeardupDependencies.cmake DESTINATION ${package_folder})

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET neardup_program)
  install(TARGETS neardup_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The program writes its own man page and completions, from the definitions of its flags.
  set(pages ${PROJECT_BINARY_DIR}/install_pages)
  install(CODE "set(program \"$<TARGET_FILE:neardup_program>\")\nset(pages \"${pages}\")")
  install(CODE [[
    foreach(page bash zsh fish man)
      if(page STREQUAL "man")
        set(arguments help --output-format man)
      else()
        set(arguments completion ${page})
      endif()
      file(MAKE_DIRECTORY ${pages})
      execute_process(COMMAND ${program} ${arguments} OUTPUT_FILE ${pages}/${page} COMMAND_ERROR_IS_FATAL ANY)
    endforeach()]])
  install(FILES ${pages}/man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME neardup.1)
  install(FILES ${pages}/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME neardup)
  install(FILES ${pages}/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _neardup)
  install(FILES ${pages}/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME neardup.fish)
endif()
