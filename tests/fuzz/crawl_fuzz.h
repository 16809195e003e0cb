// A record of a crawl from outside: what is made of it is a record again, refers to what it should, and keeps the id.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "neardup/engine/crawl/crawl_verdict.h"
#include "neardup/engine/crawl/warc_writing.h"
#include "neardup/fingerprint/digest.h"

namespace neardup::engine {

/// Whoever takes another character for the end of a line reads the same lines.
inline void check_plain_lines(std::string_view header) {
  while (!header.empty()) {
    const size_t end = header.find("\r\n");
    if (end == std::string_view::npos) std::abort();
    for (const char c : header.substr(0, end))
      if (corpus::is_header_control(c)) std::abort();
    header.remove_prefix(end + 2);
  }
}

inline corpus::WarcHeader header_made(const std::string& record) {
  std::string_view problem;
  const auto header = corpus::read_warc_header(record, problem);
  if (!header || header->size + header->content_length != record.size()) std::abort();
  check_plain_lines(std::string_view(record).substr(0, header->size));
  return *header;
}

inline void check_made_records(const Capture& capture) {
  const CrawlVerdict verdict{.kind = CrawlVerdict::Kind::kExact,
                             .is_by_payload = true,
                             .original = {"urn:original", "2026-11-22T12:00:00Z", "http://a/"}};
  if (can_be_revisit(capture, verdict)) {
    const std::string record = revisit_record(capture, verdict);
    const corpus::WarcHeader header = header_made(record);
    const auto field = [&](std::string_view name) { return header.fields.find(name); };
    if (header.type != "revisit" || field("WARC-Refers-To") != "<urn:original>") std::abort();
    if (corpus::without_brackets(field("WARC-Record-ID")) != capture.name.record) std::abort();
    if (field("WARC-Payload-Digest") != capture.digest || field("WARC-Truncated") != "length") std::abort();
    if (record.substr(header.size) != capture.http_header) std::abort();
  }
  const std::string record = metadata_record(capture, verdict, "recipe");
  if (header_made(record).type != "metadata") std::abort();
}

inline void check_capture(const Capture& capture) {
  if (!capture.has_payload && !capture.has_text) return;
  if (!(name_of_id(text_id(capture.name)) == capture.name)) std::abort();
  if (!(name_of_id(payload_id(capture.name)) == capture.name)) std::abort();
  if (capture.has_payload && fingerprint::is_digest_of(capture.digest, capture.payload) != true &&
      fingerprint::is_digest_of(
          capture.digest, corpus::warc_content(capture.header, capture.item->bytes.substr(capture.header.size)).body) !=
          true)
    std::abort();
  check_made_records(capture);
}

}  // namespace neardup::engine

inline int fuzz_crawl(const uint8_t* data, size_t size) {
  using namespace neardup;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(engine::seconds_of_date(bytes));
  static_cast<void>(fingerprint::is_digest_of(bytes, "abc"));
  static_cast<void>(engine::text_id(engine::name_of_id(bytes)));
  std::string_view problem;
  const auto header = corpus::read_warc_header(bytes, problem);
  if (!header || header->content_length > size - header->size) return 0;
  corpus::WarcItem item;
  item.bytes = bytes.substr(0, header->size + header->content_length);
  item.verdict = corpus::judge_warc_record(*header, item.bytes.substr(header->size));
  corpus::ReadOptions options;
  options.max_record_bytes = 1 << 20;
  corpus::BatchBuffers buffers;
  const engine::Capture capture = engine::read_capture(item, options, buffers);
  engine::check_capture(capture);
  static_cast<void>(engine::verdict_line(capture, {}));
  return 0;
}
