// lines: duplicate lines removed from files of any size, by bytes or nearly the same, in the order of first appearance.
//
// This is the door of the room: include it for everything, or one of the headers below for its part.
// How it works: docs/design/lines.md.
#pragma once

#include "neardup/lines/option_words.h"
#include "neardup/lines/options.h"
#include "neardup/lines/unique_lines.h"
