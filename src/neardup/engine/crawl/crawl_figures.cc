#include "neardup/engine/crawl/crawl_figures.h"

#include <fmt/format.h>

#include "neardup/base/sizes.h"

namespace neardup::engine {
namespace {

void append_row(std::string& text, std::string_view name, uint64_t count, std::string_view more = {}) {
  text += fmt::format("  {:<24}{:>12}{}{}\n", name, human_count(count), more.empty() ? "" : "  ", more);
}

void append_row_if_any(std::string& text, std::string_view name, uint64_t count, std::string_view more = {}) {
  if (count > 0) append_row(text, name, count, more);
}

/// What a record that is not compared is called: documents of other types by these, all else by the type of record.
std::string other_kind(const Capture& capture) {
  return capture.reason.empty() ? std::string(capture.header.type) : capture.reason;
}

}  // namespace

void add_to_figures(CrawlFigures& figures, const Capture& capture, const CrawlVerdict& verdict) {
  ++figures.records;
  if (verdict.kind == CrawlVerdict::Kind::kNew) ++figures.fresh;
  if (verdict.kind == CrawlVerdict::Kind::kExact)
    ++(verdict.is_by_payload ? figures.exact_payload : figures.exact_text);
  if (verdict.kind == CrawlVerdict::Kind::kNear) ++figures.near;
  if (verdict.kind == CrawlVerdict::Kind::kRejected) ++figures.rejected;
  if (verdict.kind == CrawlVerdict::Kind::kNone) figures.others.add(other_kind(capture));
  const bool is_compared = verdict.kind != CrawlVerdict::Kind::kNone && verdict.kind != CrawlVerdict::Kind::kRejected;
  if (is_compared && !capture.message.empty()) ++figures.unread_texts;
  if (verdict.is_repeated) ++figures.repeated;
  if (capture.has_another_digest) ++figures.other_digests;
}

std::string figures_text(const CrawlFigures& figures) {
  std::string text;
  append_row(text, "records", figures.records);
  append_row(text, "compared", figures.compared());
  append_row(text, "  new", figures.fresh);
  append_row(text, "  equal payloads", figures.exact_payload);
  append_row(text, "  equal texts", figures.exact_text);
  append_row(text, "  near-duplicates", figures.near);
  append_row_if_any(text, "not compared", figures.others.total(), figures.others.kinds());
  append_row_if_any(text, "rejected", figures.rejected, "broken, or too long");
  append_row_if_any(text, "compared by payload", figures.unread_texts, "their texts cannot be read");
  append_row_if_any(text, "came before", figures.repeated, "and got their first verdicts again");
  append_row_if_any(text, "other digests", figures.other_digests, "than their WARC-Payload-Digest says");
  if (figures.written == 0) return text;
  append_row(text, "written", figures.written, human_bytes(static_cast<double>(figures.output_bytes)));
  append_row_if_any(text, "  as revisits", figures.revisits);
  append_row_if_any(text, "  metadata about others", figures.metadata_records);
  return text;
}

}  // namespace neardup::engine
