#include "neardup/corpus/formats/warc_text.h"

#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/find/foreign.h"
#include "neardup/corpus/formats/lines.h"

namespace neardup::corpus {
namespace {

/// In UTF-8 where the server said what it sent; else whoever reads it looks at it.
std::string_view decoded(const WarcContent& content, std::string_view bytes, const ReadOptions& options, Arena& arena) {
  const std::string_view charset = charset_of(content.content_type);
  if (options.to_utf8 == nullptr || charset.empty() || same_name(charset, "utf-8")) return bytes;
  const std::string text = options.to_utf8(bytes, charset);
  char* const out = arena.reserve(text.size());
  text.copy(out, text.size());
  arena.use(text.size());
  return {out, text.size()};
}

/// A server may call anything text.
std::string why_binary(std::string_view text, const ReadOptions& options) {
  const std::string foreign = why_other_format(text.substr(0, kForeignProbeBytes), "");
  if (!foreign.empty()) return "is said to be text, and what it holds " + foreign.substr(0, foreign.find(','));
  if (why_no_text(text, true).empty() || (options.any_encoding && is_wide(text))) return {};
  return "is said to be text, and is not: it has NUL bytes";
}

}  // namespace

WarcPayload read_warc_text(const WarcContent& content, const ReadOptions& options, BatchBuffers& buffers) {
  WarcPayload payload{content.body};
  if (content.status != 0) payload = decode_http_body(content.http, content.body, options, buffers);
  if (!payload.reason.empty()) return payload;
  const std::string_view text = decoded(content, payload.bytes, options, buffers.arena);
  if (text.size() > options.max_record_bytes)
    return {{}, "too_long", "holds a page that is " + too_long_message(options)};
  if (std::string why = why_binary(text, options); !why.empty()) return {{}, "binary", std::move(why)};
  return {without_byte_order_mark(text)};
}

}  // namespace neardup::corpus
