// Helpers to write records in the format in which they came.
#pragma once

#include <string>
#include <string_view>

#include "neardup/base/base.h"
#include "neardup/corpus/compression.h"

namespace neardup::corpus {

/// Returns `bytes` as one complete gzip member or zstd frame (kNone: unchanged); such pieces one after the other are a
/// valid file. The same bytes give the same piece. Errors: kMemory. Threads: any.
[[nodiscard]] Result<std::string> compress(Compression compression, std::string_view bytes);

/// Appends `record` to `out` with `members` ("\"a\":1,\"b\":2") added before its closing brace; all bytes of the record
/// are kept. Requires: `record` is a JSON object, white space around it allowed.
/// Members of an earlier annotation, the last two, are taken out.
void append_annotated_json(std::string& out, std::string_view record, std::string_view members);

}  // namespace neardup::corpus
