# NEARDUP_SEAM_DIGEST: the version and the checksum of the header that program and Parquet module share. Each side writes
# it down, so that one refuses the other where they were built from different sources.
get_filename_component(seam_source ${CMAKE_CURRENT_LIST_DIR}/../src/neardup ABSOLUTE)
set(seam_header ${seam_source}/corpus/parquet/module.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${seam_header})
file(SHA256 ${seam_header} seam_checksum)
string(SUBSTRING ${seam_checksum} 0 12 seam_checksum)
file(STRINGS ${seam_source}/base/version.h seam_version REGEX "kVersion = ")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" seam_version ${seam_version})
set(NEARDUP_SEAM_DIGEST "${seam_version}-${seam_checksum}")
