#include "neardup/engine/crawl/capture.h"

#include <optional>
#include <utility>

#include "neardup/corpus/formats/warc_text.h"
#include "neardup/fingerprint/digest.h"

namespace neardup::engine {
namespace {

using corpus::same_name;
using ItemKind = corpus::WarcVerdict::Kind;

constexpr int kPartialContent = 206;

bool is_content_type(std::string_view type) {
  return same_name(type, "response") || same_name(type, "resource") || same_name(type, "conversion");
}

bool is_html_type(std::string_view media_type) {
  return same_name(media_type, "text/html") || same_name(media_type, "application/xhtml+xml");
}

// Whether all of a payload is there, and a later one that is equal may be left out for it.
bool is_whole_payload(const corpus::WarcHeader& header, const corpus::WarcContent& content) {
  if (content.body.empty() || !header.fields.find("WARC-Truncated").empty() ||
      !header.fields.find("WARC-Segment-Number").empty())
    return false;
  return content.status == 0 || (content.status / 100 == 2 && content.status != kPartialContent);
}

// What two SHA-1 collisions cannot have in common, and no record of another kind: a revisit refers to a response alone.
Hash128 checksum_of_payload(std::string_view type, std::string_view sha1, std::string_view payload) {
  std::string name;
  for (const char c : type) name += static_cast<char>(c | 0x20);
  return hash128(name + ' ' + std::string(sha1) + ' ' + to_hex(hash128(payload)) + ' ' +
                 std::to_string(payload.size()));
}

// Some crawlers take the digest of what they stored, chunks and all.
void settle_digest(Capture& capture, std::string_view stored, std::string sha1) {
  const std::string_view said = capture.header.fields.find("WARC-Payload-Digest");
  const auto is_right = [&](std::string_view bytes) { return fingerprint::is_digest_of(said, bytes); };
  const std::optional<bool> is_of_payload = said.empty() ? std::nullopt : is_right(capture.payload);
  const bool is_known = is_of_payload.has_value();
  const bool verified = is_known && (*is_of_payload || is_right(stored) == true);
  capture.has_another_digest = is_known && !verified;
  capture.digest = verified ? std::string(said) : std::move(sha1);
}

void read_payload(Capture& capture, const corpus::WarcContent& content, corpus::Arena& arena) {
  capture.has_payload = true;
  capture.payload = content.body;
  if (same_name(corpus::media_type(content.http.find("Transfer-Encoding")), "chunked"))
    capture.payload = corpus::without_chunks(content.body, arena);
  std::string sha1 = fingerprint::sha1_label(capture.payload);
  capture.payload_checksum = checksum_of_payload(capture.header.type, sha1, capture.payload);
  settle_digest(capture, content.body, std::move(sha1));
}

void read_text(Capture& capture, const corpus::WarcContent& content, const corpus::ReadOptions& options,
               corpus::BatchBuffers& buffers) {
  corpus::WarcPayload page = corpus::read_warc_text(content, options, buffers);
  if (!page.reason.empty()) {
    capture.reason = std::move(page.reason);
    capture.message = capture.item->place + page.message;
    return;
  }
  capture.has_text = true;
  capture.is_html = is_html_type(corpus::media_type(content.content_type));
  capture.text = page.bytes;
}

void set_name(Capture& capture) {
  const corpus::HeaderFields& fields = capture.header.fields;
  capture.name = {std::string(corpus::without_brackets(fields.find("WARC-Record-ID"))),
                  std::string(fields.find("WARC-Date")),
                  std::string(corpus::without_brackets(fields.find("WARC-Target-URI")))};
}

Capture broken_capture(const corpus::WarcItem& item) {
  Capture capture;
  capture.item = &item;
  capture.reason = item.verdict.reason;
  capture.message = item.verdict.says;
  return capture;
}

}  // namespace

Capture read_capture(const corpus::WarcItem& item, const corpus::ReadOptions& options, corpus::BatchBuffers& buffers) {
  if (item.bytes.empty()) return broken_capture(item);
  Capture capture;
  capture.item = &item;
  std::string_view problem;
  capture.header = *corpus::read_warc_header(item.bytes, problem);  // as the stream has read it
  capture.is_content = is_content_type(capture.header.type);
  set_name(capture);
  capture.reason = item.verdict.kind == ItemKind::kRejected ? item.verdict.reason : item.verdict.says;
  if (item.verdict.kind == ItemKind::kRejected) capture.message = item.place + item.verdict.says;
  if (!capture.is_content || item.verdict.kind == ItemKind::kRejected) return capture;
  if (!can_be_stored(capture.name.record, capture.name.date)) {
    capture.reason = capture.name.record.empty() ? "without a WARC-Record-ID" : "WARC-Record-ID or WARC-Date of no use";
    return capture;
  }
  const std::string_view block = item.bytes.substr(capture.header.size);
  const corpus::WarcContent content = corpus::warc_content(capture.header, block);
  if (content.status != 0) capture.http_header = block.substr(0, block.size() - content.body.size());
  const bool is_document = item.verdict.kind == ItemKind::kDocument;
  if ((is_document || content.status != 0) && is_whole_payload(capture.header, content))
    read_payload(capture, content, buffers.arena);
  if (is_document) read_text(capture, content, options, buffers);
  return capture;
}

}  // namespace neardup::engine
