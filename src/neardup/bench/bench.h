// bench: measures the rooms, for the command line and the programs in bench/.
#pragma once

#include "neardup/bench/fingerprint.h"
#include "neardup/bench/join.h"
#include "neardup/bench/query.h"
#include "neardup/bench/serve.h"
#include "neardup/bench/store.h"
