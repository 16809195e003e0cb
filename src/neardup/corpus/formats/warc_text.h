// The text of a WARC record that is a document.
#pragma once

#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/formats/warc_kind.h"
#include "neardup/corpus/formats/warc_payload.h"

namespace neardup::corpus {

/// Returns the page in `content` without its encodings, in UTF-8 where its server said what it sent, else as it came;
/// or why there is none. Views are of the content, or of the arena of `buffers`.
[[nodiscard]] WarcPayload read_warc_text(const WarcContent& content, const ReadOptions& options, BatchBuffers& buffers);

}  // namespace neardup::corpus
