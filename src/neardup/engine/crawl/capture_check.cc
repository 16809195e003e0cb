#include "neardup/engine/crawl/capture_check.h"

#include <deque>
#include <optional>

#include "neardup/engine/online/text_record.h"
#include "neardup/store/document_store.h"

namespace neardup::engine {
namespace {

using VerdictKind = CrawlVerdict::Kind;

// Of payloads alone: no text is compared with one.
constexpr std::string_view kPayloadCategory = "payload";

class EqualOnly : public store::Judge {
 public:
  [[nodiscard]] Result<std::optional<store::Likeness>> compare(const store::Record&,
                                                               const store::Record&) const override {
    return std::optional<store::Likeness>();
  }
};

VerdictKind verdict_kind_of(store::Kind kind) {
  if (kind == store::Kind::kNew) return VerdictKind::kNew;
  return kind == store::Kind::kExact ? VerdictKind::kExact : VerdictKind::kNear;
}

CrawlVerdict verdict_without_comparison(const Capture& capture) {
  CrawlVerdict verdict;
  verdict.kind = capture.item->bytes.empty() ? VerdictKind::kRejected : VerdictKind::kNone;
  return verdict;
}

CrawlVerdict verdict_of_payload(const store::Answer& answer) {
  CrawlVerdict verdict{
      .kind = verdict_kind_of(answer.fate.kind), .is_by_payload = true, .is_repeated = answer.is_repeated};
  if (verdict.kind != VerdictKind::kNew) verdict.original = name_of_id(answer.kept_id);
  return verdict;
}

CrawlVerdict verdict_of_text(const TextVerdict& text) {
  CrawlVerdict verdict{.kind = verdict_kind_of(text.kind),
                       .similarity = text.similarity,
                       .distance = text.distance,
                       .is_estimate = text.is_estimate,
                       .is_repeated = text.is_repeated};
  if (verdict.kind != VerdictKind::kNew) verdict.original = name_of_id(text.duplicate_of);
  return verdict;
}

}  // namespace

Status CaptureCheck::check_payloads(std::span<const Capture> captures, std::vector<CrawlVerdict>& verdicts) {
  std::deque<std::string> ids;
  std::vector<size_t> places;
  std::vector<store::Record> records;
  std::string body;
  append_body(body, {}, RecordsKept::kNone, {});
  for (size_t i = 0; i < captures.size(); ++i) {
    if (!captures[i].has_payload) continue;
    places.push_back(i);
    records.push_back({.id = ids.emplace_back(payload_id(captures[i].name)),
                       .checksum = captures[i].payload_checksum,
                       .size_bytes = captures[i].payload.size(),
                       .time = seconds_of_date(captures[i].name.date),
                       .within = kPayloadCategory,
                       .tag = tag_,
                       .fingerprints = {},
                       .keys = {},
                       .passages = {},
                       .body = body});
  }
  if (records.empty()) return {};
  NEARDUP_ASSIGN(const auto answers, store_.store().check_and_insert(records, EqualOnly()));
  for (size_t i = 0; i < places.size(); ++i) verdicts[places[i]] = verdict_of_payload(answers[i]);
  return {};
}

Status CaptureCheck::check_texts(std::span<const Capture> captures, std::vector<CrawlVerdict>& verdicts) {
  std::deque<std::string> ids;
  std::vector<size_t> places;
  std::vector<ArrivingText> texts;
  const bool finds_pages = store_.recipe().extraction != "none";  // as dedup does, by their bytes
  for (size_t i = 0; i < captures.size(); ++i) {
    if (!captures[i].has_text || verdicts[i].kind == VerdictKind::kExact) continue;
    places.push_back(i);
    texts.push_back({.id = ids.emplace_back(text_id(captures[i].name)),
                     .text = captures[i].text,
                     .is_html = captures[i].is_html && !finds_pages,
                     .tag = tag_,
                     .time = seconds_of_date(captures[i].name.date)});
  }
  if (texts.empty()) return {};
  NEARDUP_ASSIGN(const auto answers, store_.check_and_insert(texts));
  for (size_t i = 0; i < places.size(); ++i) verdicts[places[i]] = verdict_of_text(answers[i]);
  return {};
}

Result<std::vector<CrawlVerdict>> CaptureCheck::check(std::span<const Capture> captures) {
  std::vector<CrawlVerdict> verdicts;
  verdicts.reserve(captures.size());
  for (const Capture& capture : captures) verdicts.push_back(verdict_without_comparison(capture));
  NEARDUP_TRY(check_payloads(captures, verdicts));
  NEARDUP_TRY(check_texts(captures, verdicts));
  return verdicts;
}

}  // namespace neardup::engine
