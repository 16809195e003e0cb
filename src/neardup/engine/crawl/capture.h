// Capture: what is looked at of one record of a crawl.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/hash.h"
#include "neardup/corpus/formats/warc_header.h"
#include "neardup/corpus/warc_records.h"
#include "neardup/engine/crawl/capture_name.h"

namespace neardup::engine {

/// Views are of the item, and of the arena of the buffers with which it was read.
struct Capture {
  const corpus::WarcItem* item = nullptr;
  corpus::WarcHeader header;     // not set where the item has no bytes
  bool is_content = false;       // a response, resource or conversion: it gets a verdict of its own
  CaptureName name;              // as the record says; may be empty
  std::string_view http_header;  // of a response of an HTTP server, with the empty line behind it

  bool has_payload = false;         // it is compared by its payload
  std::string_view payload;         // as the server sent it: chunks are undone, and nothing else
  Hash128 payload_checksum;         // of the payload and what kind of record has it
  std::string digest;               // WARC-Payload-Digest: that of the record where it is right, else computed
  bool has_another_digest = false;  // the record says another one than it has

  bool has_text = false;  // it is compared by its text
  bool is_html = false;
  std::string_view text;

  std::string reason;   // why one of the two is not compared: a word as in corpus::Rejection, or what it is instead
  std::string message;  // more about it, where it is a fault
};

/// Returns what there is of `item`. Of `options` max_record_bytes, any_encoding and to_utf8 are looked at, for texts.
/// Cost: one pass over the record, and SHA-1 of its payload.
[[nodiscard]] Capture read_capture(const corpus::WarcItem& item, const corpus::ReadOptions& options,
                                   corpus::BatchBuffers& buffers);

}  // namespace neardup::engine
