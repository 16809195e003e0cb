// Whole text files as documents.
#pragma once

#include <vector>

#include "neardup/base/result.h"
#include "neardup/corpus/batch.h"
#include "neardup/corpus/input.h"
#include "neardup/corpus/read_options.h"
#include "neardup/corpus/source.h"

namespace neardup::corpus {

/// Fills documents and rejections of `batch` with the text files of its unit. Load::kRecords runs no program: of an
/// input with one there is no record. Errors: as Reader::load().
[[nodiscard]] Status load_text_files(const std::vector<Input>& inputs, const ReadOptions& options, Load what,
                                     Batch& batch);

}  // namespace neardup::corpus
