// hamming: which stored fingerprints lie within k bits of a query; all of them, proven for every plan.
//
//   plan.h           which bits each table looks at, and the proof that together they miss nothing
//   static_index.h   many fingerprints, built once, asked often, in memory or mapped from a file
//   index_file.h     the file of it
//   oracle.h         the naive ways to the same answers, that all others are held against
#pragma once

#include "neardup/hamming/plan.h"
#include "neardup/hamming/static_index.h"
