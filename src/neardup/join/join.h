// join: all pairs of fingerprints within k bits, or of signatures that share a band; of one set or between two.
//
//   NEARDUP_TRY(join::self_join(set, {.max_distance = 3}, sink));   // in_memory.h; external.h does the same in files
#pragma once

#include "neardup/join/banding.h"
#include "neardup/join/disk/external.h"
#include "neardup/join/in_memory.h"
#include "neardup/join/pair.h"
