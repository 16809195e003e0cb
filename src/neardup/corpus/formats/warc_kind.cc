#include "neardup/corpus/formats/warc_kind.h"

#include <algorithm>
#include <array>
#include <vector>

#include "neardup/corpus/find/encoding.h"
#include "neardup/corpus/find/foreign.h"

namespace neardup::corpus {
namespace {

using RecordKind = WarcVerdict::Kind;

constexpr size_t kMostKinds = 1000;
constexpr size_t kMostKindsShown = 12;
constexpr size_t kMostKindBytes = 60;

/// Types that begin with text/ and are no texts to read.
constexpr std::array<std::string_view, 8> kNoTexts = {"text/css",          "text/javascript", "text/ecmascript",
                                                      "text/x-javascript", "text/jscript",    "text/dns",
                                                      "text/vtt",          "text/x-component"};
constexpr std::array<std::string_view, 8> kTexts = {
    "application/xml",           "application/json",  "application/x-ndjson", "application/yaml",
    "application/x-wais-source", "application/x-tex", "application/x-latex",  "application/jsonl"};

std::string small_letters(std::string_view text) {
  std::string small(text.substr(0, kMostKindBytes));
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
    if (c <= ' ' || c > '~') c = '?';
  }
  return small;
}

/// Pages that a crawler made of itself: wget its log, browsertrix its notes on each page.
bool is_of_crawler(std::string_view uri) { return uri.starts_with("metadata:") || uri.starts_with("urn:pageinfo:"); }

WarcVerdict none(std::string kind) { return {RecordKind::kNone, std::move(kind), {}}; }

bool is_candidate(std::string_view type) {
  return same_name(type, "response") || same_name(type, "resource") || same_name(type, "conversion");
}

WarcVerdict long_http() {
  const std::string most = std::to_string(kMaxWarcHeaderBytes);
  return {RecordKind::kRejected, "has an HTTP header of more than " + most + " bytes, which is not read", "too_long"};
}

WarcVerdict judge_content(const WarcContent& content) {
  if (content.lacks_http) return {RecordKind::kRejected, "is a response without an HTTP header", "invalid_warc"};
  if (content.status < 0) return none("HTTP without a status");
  if (content.status != 0 && content.status / 100 != 2) return none("HTTP status " + std::to_string(content.status));
  if (content.has_long_http) return long_http();
  if (content.body.empty()) return none("without content");
  const std::string_view type = media_type(content.content_type);
  if (!type.empty()) return is_text_type(type) ? WarcVerdict() : none(small_letters(type));
  const bool is_text = why_other_format(content.body.substr(0, kForeignProbeBytes), "").empty() &&
                       (why_no_text(content.body, false).empty() || has_wide_mark(content.body));
  return is_text ? WarcVerdict() : none("without a type");
}

}  // namespace

bool is_text_type(std::string_view media_type) {
  const std::string type = small_letters(media_type);
  if (std::ranges::find(kNoTexts, type) != kNoTexts.end()) return false;
  if (type.starts_with("text/") || std::ranges::find(kTexts, type) != kTexts.end()) return true;
  return type != "image/svg+xml" && (type.ends_with("+xml") || type.ends_with("+json"));
}

WarcContent warc_content(const WarcHeader& header, std::string_view block) {
  WarcContent content;
  content.content_type = header.fields.find("Content-Type");
  content.body = block;
  const std::string_view type = media_type(content.content_type);
  const bool says_http = same_name(type, "application/http");
  if (!same_name(header.type, "response") || !(says_http || type.empty() || header.is_arc)) return content;
  const auto http = read_http_header(block);
  content.lacks_http = says_http && !http && !header.is_arc;
  if (!http) return content;
  content.status = http->status == 0 ? -1 : http->status;
  content.has_long_http = http->is_too_long;
  content.http = http->fields;
  content.body = block.substr(http->size);
  content.content_type = http->fields.find("Content-Type");
  if (content.content_type.empty() && header.is_arc) content.content_type = header.fields.find("Content-Type");
  if (content.content_type.empty()) content.content_type = header.fields.find("WARC-Identified-Payload-Type");
  return content;
}

WarcVerdict judge_warc_record(const WarcHeader& header, std::string_view block) {
  if (same_name(header.type, "warcinfo")) return {RecordKind::kInfo, header.is_arc ? "filedesc" : "warcinfo", {}};
  if (!is_candidate(header.type) || is_of_crawler(without_brackets(header.fields.find("WARC-Target-URI"))))
    return none(small_letters(header.type));
  if (!header.fields.find("WARC-Segment-Number").empty())
    return {RecordKind::kRejected, "is one of several segments of a record, which are not joined", "unsupported"};
  return judge_content(warc_content(header, block));
}

void WarcTally::add(const std::string& kind) {
  ++total_;
  const bool is_new = kinds_.size() >= kMostKinds && !kinds_.contains(kind);
  ++kinds_[is_new ? "of other kinds" : kind];
}

std::string WarcTally::kinds() const {
  std::vector<std::pair<std::string, uint64_t>> kinds(kinds_.begin(), kinds_.end());
  std::ranges::stable_sort(kinds, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string says;
  uint64_t others = 0;
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (i >= kMostKindsShown) others += kinds[i].second;
    if (i < kMostKindsShown) says += (i == 0 ? "" : ", ") + std::to_string(kinds[i].second) + " " + kinds[i].first;
  }
  if (others == 0) return says;
  return says + ", " + std::to_string(others) + " of " + std::to_string(kinds.size() - kMostKindsShown) +
         " other kinds";
}

std::string WarcTally::message(uint64_t num_records) const {
  return std::to_string(total_) + " of " + std::to_string(num_records) + " records are no documents: " + kinds();
}

}  // namespace neardup::corpus
