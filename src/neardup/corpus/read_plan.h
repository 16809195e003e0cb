// What a Reader reads, and for what: known to the sources of all formats.
#pragma once

#include <vector>

#include "neardup/corpus/formats/json_line.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/read_options.h"
#include "neardup/corpus/text_path.h"

namespace neardup::corpus {

struct ReadPlan {
  std::vector<Input> inputs;
  ReadOptions options;
  JsonLine::Keys keys;  // names of the wanted fields, in the order of WantedField
  TextKey text_key;     // options.text_key
};

}  // namespace neardup::corpus
