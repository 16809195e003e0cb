// Reading the lines that start in a range of a plain file.
#pragma once

#include "neardup/base/result.h"
#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/formats/lines.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/read_options.h"
#include "neardup/corpus/read_plan.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {

/// Fills raw, begin, end and tail of `buffers` from its unit's range of `input`. Reads beyond the range until its last
/// line ends or is longer than max_record_bytes; that line then stands cut in `raw`, longer than allowed.
/// Cost: the range's bytes, a little read-ahead, and the last line: a long line costs each range it covers no more.
/// Errors: as Reader::load().
[[nodiscard]] Status load_range(const Input& input, const ReadOptions& options, BatchBuffers& buffers);

/// Reads the lines of the batch's unit, unless a stream has filled them already, and makes documents of them: of their
/// records alone, or used as `use` says. Errors: as Reader::load().
[[nodiscard]] Status load_lines(const ReadPlan& plan, Load what, LineUse use, Batch& batch);

}  // namespace neardup::corpus
