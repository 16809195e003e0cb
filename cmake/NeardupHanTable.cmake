# The table of traditional and simplified Chinese characters: made from OpenCC's and ICU's data when neardup is built, so
# that the program needs neither of the two for it and every machine that runs it folds alike.
pkg_check_modules(opencc REQUIRED IMPORTED_TARGET opencc)
add_executable(neardup_han_table ${PROJECT_SOURCE_DIR}/tools/han_table.cc)
target_link_libraries(neardup_han_table PRIVATE PkgConfig::opencc ICU::i18n ICU::uc)
set(NEARDUP_GENERATED_FOLDER ${PROJECT_BINARY_DIR}/generated)
set(NEARDUP_HAN_TABLE ${NEARDUP_GENERATED_FOLDER}/neardup/text/han_table.inc)
file(MAKE_DIRECTORY ${NEARDUP_GENERATED_FOLDER}/neardup/text)
# Other data make another table: where OpenCC keeps them is known to it alone, but this is the place of all packages.
file(GLOB opencc_data ${opencc_PREFIX}/share/opencc/t2s.json ${opencc_PREFIX}/share/opencc/TS*)
add_custom_command(OUTPUT ${NEARDUP_HAN_TABLE}
  COMMAND neardup_han_table ${NEARDUP_HAN_TABLE}
  DEPENDS neardup_han_table ${opencc_data} VERBATIM COMMENT "Making the table of Chinese characters")
add_custom_target(neardup_han_table_file DEPENDS ${NEARDUP_HAN_TABLE})
# The data are under the Apache licence 2.0, whose text is ours: this says what of the program they are.
set(NEARDUP_OPENCC_NOTICE ${PROJECT_SOURCE_DIR}/cmake/opencc_notice.txt)
