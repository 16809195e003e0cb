// The page in an HTTP response: what its Transfer-Encoding and Content-Encoding hide.
#pragma once

#include <string>
#include <string_view>

#include "neardup/corpus/batch_buffers.h"
#include "neardup/corpus/formats/warc_header.h"

namespace neardup::corpus {

/// Returns what the chunks of `body` hold (RFC 9112, section 7.1), of chunks without an end what is there; `body`
/// itself where it does not begin with a chunk, as with crawlers that undo this and leave the header as it was.
/// Memory: `arena`.
[[nodiscard]] std::string_view without_chunks(std::string_view body, Arena& arena);

/// A page, or why there is none: then `reason` as in Rejection.
struct WarcPayload {
  std::string_view bytes;  // of the arena of the buffers, or of the body itself
  std::string reason = {};
  std::string message = {};
};

/// Returns the page behind an HTTP header with `fields`. Undone are chunks, gzip, deflate and zstd; what begins like
/// none of these was undone by the crawler. Of data that end too early is returned what they hold.
/// Cost: no more than options.max_record_bytes are made.
[[nodiscard]] WarcPayload decode_http_body(const HeaderFields& fields, std::string_view body,
                                           const ReadOptions& options, BatchBuffers& buffers);

}  // namespace neardup::corpus
