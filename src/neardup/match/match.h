// match: compares lists and buckets of fingerprints, several at a time, and collects those within k bits.
#pragma once

#include "neardup/match/hits.h"
#include "neardup/match/kernels.h"
#include "neardup/match/narrow.h"
