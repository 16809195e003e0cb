// engine: the bridge between the towers: documents in, clusters and reports out.
#pragma once

#include "neardup/engine/options.h"
#include "neardup/engine/run/dedup.h"
