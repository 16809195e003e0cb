// What a Reader reads, and for what: known to the sources of all formats.
#pragma once

#include <vector>

#include "neardup/corpus/formats/json_line.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/read_options.h"

namespace neardup::corpus {

struct ReadPlan {
  std::vector<Input> inputs;
  ReadOptions options;
  JsonLine::Keys keys;  // names of the wanted fields, in the order of WantedField
};

}  // namespace neardup::corpus
