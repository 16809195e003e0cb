#include "neardup/engine/crawl/crawl_verdict.h"

#include <fmt/format.h>

#include "neardup/base/json.h"
#include "neardup/engine/match/shown_pair.h"
#include "neardup/engine/online/verdict_json.h"

namespace neardup::engine {
namespace {

using VerdictKind = CrawlVerdict::Kind;

std::string_view name_of_verdict(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::kNew:
      return name_of(store::Kind::kNew);
    case VerdictKind::kExact:
      return name_of(store::Kind::kExact);
    case VerdictKind::kNear:
      return name_of(store::Kind::kNear);
    case VerdictKind::kNone:
      return "none";
    case VerdictKind::kRejected:
      return "rejected";
  }
  return {};
}

void append_member(std::string& line, std::string_view name, std::string_view value) {
  line += fmt::format("{}\"{}\":", line.size() > 1 ? "," : "", name);
  append_json_string(line, value);
}

void append_member_if_any(std::string& line, std::string_view name, std::string_view value) {
  if (!value.empty()) append_member(line, name, value);
}

void append_original(std::string& line, const CrawlVerdict& verdict) {
  append_member(line, "duplicate_of", verdict.original.record);
  append_member_if_any(line, "duplicate_of_uri", verdict.original.uri);
  append_member_if_any(line, "duplicate_of_date", verdict.original.date);
  line += fmt::format(",\"similarity\":{},\"distance\":{}", similarity_text(verdict.similarity), verdict.distance);
  if (verdict.is_estimate) line += ",\"estimate\":true";
}

}  // namespace

std::string similarity_text(float similarity) {
  std::string text;
  append_json_number(text, shown_similarity(similarity));
  return text;
}

std::string verdict_line(const Capture& capture, const CrawlVerdict& verdict) {
  const bool is_compared = verdict.kind != VerdictKind::kNone && verdict.kind != VerdictKind::kRejected;
  std::string line = "{";
  if (capture.name.record.empty()) {
    line += "\"record\":null";
  } else {
    append_member(line, "record", capture.name.record);
  }
  append_member_if_any(line, "uri", capture.name.uri);
  append_member_if_any(line, "date", capture.name.date);
  append_member(line, "verdict", name_of_verdict(verdict.kind));
  if (is_compared) append_member(line, "by", verdict.is_by_payload ? "payload" : "text");
  if (verdict.kind == VerdictKind::kExact || verdict.kind == VerdictKind::kNear) append_original(line, verdict);
  append_member_if_any(line, "digest", capture.digest);
  append_member_if_any(line, "reason", capture.reason);
  append_member_if_any(line, "message", capture.message);
  return line + "}\n";
}

}  // namespace neardup::engine
