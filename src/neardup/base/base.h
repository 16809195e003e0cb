// base: helpers that know no word of near-duplicates: errors, files, threads, progress, hashes, JSON output.
//
// This is the door of the room: include it for everything, or one of the headers below for its part.
#pragma once

#include "neardup/base/context.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/disk/mapped_file.h"
#include "neardup/base/disk/temporary_folder.h"
#include "neardup/base/hash.h"
#include "neardup/base/json.h"
#include "neardup/base/result.h"
#include "neardup/base/threads.h"
