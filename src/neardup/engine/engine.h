// engine: the bridge between the towers: documents in, clusters and reports out.
#pragma once

#include "neardup/engine/dedup.h"
#include "neardup/engine/options.h"
