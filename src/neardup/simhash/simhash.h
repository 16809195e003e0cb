// simhash: weighted features -> SimHash fingerprint.
//
// SimHash: a counter per bit; each feature adds its weight where its hash has a 1 and subtracts it where it has a 0; a
// bit of the fingerprint is 1 where its counter is > 0 (Charikar 2002, section 3; Manku, Jain, Das Sarma 2007, section
// 2).
#pragma once

#include "neardup/simhash/counters.h"
#include "neardup/simhash/kernel.h"
