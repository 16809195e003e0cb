// store: fingerprints that come and go while they are asked for, in memory and in a folder that survives a crash.
//
//   updatable_index.h   add, erase and query at the same time; its segments are static indexes
//   log_writer.h        what is acknowledged before it is in a segment; log_reader.h reads it again
//   index_directory.h   the same in a folder: segments, manifest, ids
#pragma once

#include "neardup/store/index_directory.h"
#include "neardup/store/updatable_index.h"
