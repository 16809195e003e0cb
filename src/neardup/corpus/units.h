// The inputs cut into units: what one batch takes, or a whole compressed file. Known before anything is read,
// so that shards can be cut and batches handed out in a fixed order.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "neardup/corpus/input.h"
#include "neardup/corpus/read_options.h"

namespace neardup::corpus {

struct Unit {
  uint32_t first_input = 0;
  uint32_t num_inputs = 1;  // more than 1 only for plain text files
  uint64_t begin = 0;       // bytes on disk: a range of a plain file, else [0, size)
  uint64_t end = 0;         // of text files the sum of their sizes
  uint64_t first_row = 0;   // of rows and Parquet: [first_row, first_row + num_rows); begin and end count their bytes
  uint64_t num_rows = 0;
};

/// Plain files are cut every `options.batch_bytes`; plain text files that follow one another are gathered until they
/// reach it, or are 4,096. A compressed file is a unit of its own: how long its text is cannot be known before. Plain
/// files of lines without a byte have no unit.
[[nodiscard]] std::vector<Unit> cut_units(const std::vector<Input>& inputs, const ReadOptions& options);

/// Returns the range of `units` that is shard `index` of `count`, balanced by bytes.
[[nodiscard]] std::pair<size_t, size_t> shard_of_units(const std::vector<Unit>& units, int index, int count);

[[nodiscard]] uint64_t total_unit_bytes(const std::vector<Unit>& units, size_t first, size_t last);

}  // namespace neardup::corpus
