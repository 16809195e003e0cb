// bands: who has a key of a document, a band of its signature or its checksum, told from few bytes of memory.
#pragma once

#include "neardup/bands/key_file.h"
#include "neardup/bands/key_index.h"
#include "neardup/bands/key_map.h"
#include "neardup/bands/key_table.h"
