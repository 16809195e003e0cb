# The client of HBase's Thrift 2 gateway: made from src/neardup/remote/hbase/hbase.thrift when neardup is built.
find_program(NEARDUP_THRIFT_COMPILER thrift REQUIRED)
set(NEARDUP_HBASE_IDL ${PROJECT_SOURCE_DIR}/src/neardup/remote/hbase/hbase.thrift)
set(NEARDUP_HBASE_WIRE ${NEARDUP_GENERATED_FOLDER}/hbase_wire)
set(NEARDUP_HBASE_SOURCES ${NEARDUP_HBASE_WIRE}/THBaseService.cpp ${NEARDUP_HBASE_WIRE}/hbase_types.cpp)
file(MAKE_DIRECTORY ${NEARDUP_HBASE_WIRE})
add_custom_command(OUTPUT ${NEARDUP_HBASE_SOURCES} ${NEARDUP_HBASE_WIRE}/THBaseService.h ${NEARDUP_HBASE_WIRE}/hbase_types.h
  COMMAND ${NEARDUP_THRIFT_COMPILER} --gen cpp:no_skeleton -out ${NEARDUP_HBASE_WIRE} ${NEARDUP_HBASE_IDL}
  DEPENDS ${NEARDUP_HBASE_IDL} VERBATIM COMMENT "Making the client of HBase's gateway")
add_custom_target(neardup_hbase_wire_files DEPENDS ${NEARDUP_HBASE_SOURCES})
