// Lines of a batch made into documents.
#pragma once

#include <string_view>
#include <vector>

#include "neardup/corpus/batch.h"
#include "neardup/corpus/formats/json_line.h"
#include "neardup/corpus/read_options.h"
#include "neardup/corpus/read_plan.h"

namespace neardup::corpus {

/// The wanted fields of a JSONL line, in the order of want_keys().
enum WantedField : size_t { kTextField, kIdField, kValueField, kGroupField, kWithinField };
[[nodiscard]] JsonLine::Keys want_keys(const ReadOptions& options);

enum class LineUse { kParseJson, kWholeLine, kRecordOnly };

/// Fills documents, rejections and num_lines of `batch` from the lines in its buffers. The tail follows the last line.
void lines_to_documents(Batch& batch, LineUse use, const ReadPlan& plan);

/// Returns `bytes` without the UTF-8 byte order mark at their start.
[[nodiscard]] inline std::string_view without_byte_order_mark(std::string_view bytes) {
  return bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes;
}

}  // namespace neardup::corpus
