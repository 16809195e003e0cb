#include "neardup/engine/crawl/warc_writing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "neardup/base/hash.h"
#include "neardup/fingerprint/digest.h"

namespace neardup::engine {
namespace {

using corpus::same_name;
using VerdictKind = CrawlVerdict::Kind;

constexpr std::string_view kVersionLine = "WARC/1.1\r\n";
constexpr std::string_view kProfile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/// What is no more true of a block without its payload, or is said anew.
constexpr std::array<std::string_view, 13> kSaidAnew = {"WARC-Type",
                                                        "WARC-Profile",
                                                        "WARC-Refers-To",
                                                        "WARC-Refers-To-Target-URI",
                                                        "WARC-Refers-To-Date",
                                                        "WARC-Truncated",
                                                        "WARC-Block-Digest",
                                                        "WARC-Payload-Digest",
                                                        "Content-Type",
                                                        "Content-Length",
                                                        "WARC-Segment-Number",
                                                        "WARC-Segment-Origin-ID",
                                                        "WARC-Segment-Total-Length"};

bool is_said_anew(std::string_view name) {
  return std::ranges::any_of(kSaidAnew, [&](std::string_view said) { return same_name(said, name); });
}

/// Ids of a store may hold anything, and so may the headers of a crawl; a field ends at its line's end.
std::string in_one_line(std::string_view value) {
  std::string line(value);
  std::ranges::replace_if(line, corpus::is_header_control, '?');
  return line;
}

/// Fields as they stand there; lines that go on with the field before go with it.
void append_kept_fields(std::string& record, std::string_view header) {
  static_cast<void>(corpus::take_header_line(header));  // the version
  for (bool is_kept = false; !header.empty();) {
    const std::string_view line = corpus::take_header_line(header);
    if (line.empty()) continue;
    const bool goes_on = line.front() == ' ' || line.front() == '\t';
    const std::string_view name = corpus::header_name(line);
    if (!goes_on) is_kept = !name.empty() && !is_said_anew(name);
    if (is_kept) record += fmt::format("{}\r\n", in_one_line(line));
  }
}

void append_field(std::string& record, std::string_view name, std::string_view value) {
  if (!value.empty()) record += fmt::format("{}: {}\r\n", name, in_one_line(value));
}

void append_id_field(std::string& record, std::string_view name, std::string_view id) {
  append_field(record, name, fmt::format("<{}>", id));
}

void append_block(std::string& record, std::string_view content_type, std::string_view block) {
  append_field(record, "WARC-Block-Digest", fingerprint::sha1_label(block));
  append_field(record, "Content-Type", content_type);
  record += fmt::format("Content-Length: {}\r\n\r\n{}", block.size(), block);
}

/// The block of a metadata record.
std::string metadata_block(const CrawlVerdict& verdict, const std::string& recipe_id) {
  const std::string_view what = verdict.kind == VerdictKind::kNear ? "near-duplicate-of" : "duplicate-of";
  std::string block;
  append_field(block, what, verdict.original.record);
  append_field(block, fmt::format("{}-uri", what), verdict.original.uri);
  append_field(block, fmt::format("{}-date", what), verdict.original.date);
  append_field(block, "compared-by", verdict.is_by_payload ? "payload" : "text");
  append_field(block, "similarity", similarity_text(verdict.similarity));
  append_field(block, "distance", std::to_string(verdict.distance));
  if (verdict.is_estimate) append_field(block, "estimate", "yes");
  append_field(block, "recipe", recipe_id);
  return block;
}

/// A UUID (RFC 9562, version 8) of what it names.
std::string uuid_of(std::string_view bytes) {
  Hash128 hash = hash128(bytes);
  hash.high = (hash.high & ~uint64_t{0xf000}) | 0x8000;
  hash.low = (hash.low & ~(uint64_t{3} << 62)) | uint64_t{1} << 63;
  const std::string digits = to_hex(hash);
  return fmt::format("urn:uuid:{}-{}-{}-{}-{}", digits.substr(0, 8), digits.substr(8, 4), digits.substr(12, 4),
                     digits.substr(16, 4), digits.substr(20));
}

}  // namespace

bool can_be_revisit(const Capture& capture, const CrawlVerdict& verdict) {
  return verdict.kind == VerdictKind::kExact && verdict.is_by_payload && !capture.http_header.empty() &&
         verdict.original.record != capture.name.record;
}

std::string revisit_record(const Capture& capture, const CrawlVerdict& verdict) {
  std::string record(kVersionLine);
  append_field(record, "WARC-Type", "revisit");
  append_kept_fields(record, capture.item->bytes.substr(0, capture.header.size));
  append_field(record, "WARC-Profile", kProfile);
  append_id_field(record, "WARC-Refers-To", verdict.original.record);
  append_field(record, "WARC-Refers-To-Target-URI", verdict.original.uri);
  append_field(record, "WARC-Refers-To-Date", verdict.original.date);
  append_field(record, "WARC-Payload-Digest", capture.digest);
  append_field(record, "WARC-Truncated", "length");
  append_block(record, "application/http; msgtype=response", capture.http_header);
  return record;
}

std::string metadata_id(const Capture& capture, const CrawlVerdict& verdict, const std::string& recipe_id) {
  return uuid_of(capture.name.record + "\r\n" + metadata_block(verdict, recipe_id));
}

std::string metadata_record(const Capture& capture, const CrawlVerdict& verdict, const std::string& recipe_id) {
  std::string record(kVersionLine);
  append_field(record, "WARC-Type", "metadata");
  append_id_field(record, "WARC-Record-ID", metadata_id(capture, verdict, recipe_id));
  append_field(record, "WARC-Date", capture.name.date);
  append_field(record, "WARC-Target-URI", capture.name.uri);
  const bool is_conversion = same_name(capture.header.type, "conversion");
  append_id_field(record, is_conversion ? "WARC-Refers-To" : "WARC-Concurrent-To", capture.name.record);
  append_block(record, "application/warc-fields", metadata_block(verdict, recipe_id));
  return record;
}

}  // namespace neardup::engine
