// hamming: which fingerprints lie within k bits of each other; the distance kernels that everything else stands on.
//
//   hits.h    where kernels put the pairs that they find
//   match.h   all pairs of two lists, of one list, and of the buckets of two tables, by SIMD
#pragma once

#include "neardup/hamming/hits.h"
#include "neardup/hamming/match.h"
