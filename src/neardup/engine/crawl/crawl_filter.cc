#include "neardup/engine/crawl/crawl_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "neardup/base/threads.h"
#include "neardup/corpus/warc_records.h"
#include "neardup/engine/crawl/capture_check.h"
#include "neardup/engine/crawl/warc_output.h"
#include "neardup/engine/crawl/warc_writing.h"
#include "neardup/engine/record_limits.h"

namespace neardup::engine {
namespace {

using VerdictKind = CrawlVerdict::Kind;

constexpr uint64_t kMostDecodedBytes = uint64_t{32} << 20;  // of a batch at once

/// The records of a batch, and captures of the next of them.
struct CrawlSlot {
  corpus::WarcItems items;
  size_t input = 0;
  size_t next_item = 0;
  std::vector<Capture> captures;
};

class CrawlFilter {
 public:
  CrawlFilter(TextStore& store, const std::vector<corpus::Input>& inputs, const CrawlFilterOptions& options,
              const CrawlFilterListener& listener)
      : inputs_(inputs),
        options_(options),
        listener_(listener),
        check_(store, options.tag),
        recipe_id_(store.recipe_id()) {
    record_options_.batch_bytes = options.batch_bytes;
    record_options_.max_record_bytes = options.max_record_bytes;
    record_options_.context = options.context;
    record_options_.too_long_cure = "raise --max-record-bytes";
    text_options_.max_record_bytes = options.max_text_bytes;
    text_options_.any_encoding = true;
    text_options_.to_utf8 = to_utf8;
    text_options_.too_long_cure = "raise --max-text-bytes";
  }

  Result<CrawlFigures> run() {
    if (!options_.output.empty()) {
      NEARDUP_ASSIGN(output_, WarcOutput::create(options_.output));
    }
    const int num_threads = resolve_num_threads(options_.num_threads);
    slots_.resize(static_cast<size_t>(num_threads) + 1);
    Progress* progress = options_.context.progress;
    if (progress != nullptr) progress->begin_stage("filter", "records", 0, 0);
    NEARDUP_TRY(run_pipeline({.num_threads = num_threads,
                              .window = slots_.size(),
                              .begin = [this](size_t index) { return read_batch(slot_of(index)); },
                              .work =
                                  [this](size_t index, int) {
                                    read_captures(slot_of(index));
                                    return Status();
                                  },
                              .commit = [this](size_t index) { return take_batch(slot_of(index)); }}));
    if (progress != nullptr) progress->end_stage();
    NEARDUP_TRY(listener_.finish());
    if (output_) {
      figures_.output_bytes = output_->size_bytes();
      NEARDUP_TRY(output_->commit());
    }
    return std::move(figures_);
  }

 private:
  CrawlSlot& slot_of(size_t index) { return slots_[index % slots_.size()]; }
  Result<bool> read_batch(CrawlSlot& slot);
  void read_captures(CrawlSlot& slot) const;
  Status take_batch(CrawlSlot& slot);
  Status take_captures(const CrawlSlot& slot);
  Status take(const corpus::Input& input, const Capture& capture, const CrawlVerdict& verdict);
  Status tell(const corpus::Input& input, const Capture& capture, const CrawlVerdict& verdict);
  Status write(const corpus::Input& input, const Capture& capture, const CrawlVerdict& verdict);
  Status write_record(std::string_view record);

  const std::vector<corpus::Input>& inputs_;
  const CrawlFilterOptions& options_;
  const CrawlFilterListener& listener_;
  CaptureCheck check_;
  const std::string recipe_id_;
  corpus::ReadOptions record_options_, text_options_;
  std::optional<WarcOutput> output_;
  std::vector<CrawlSlot> slots_;
  std::optional<corpus::WarcRecords> reader_;
  size_t next_input_ = 0;
  CrawlFigures figures_;
  uint64_t num_records_ = 0;
  std::string written_about_;  // WARC-Record-ID of the metadata that was written last
};

/// Of the first input that has one left.
Result<bool> CrawlFilter::read_batch(CrawlSlot& slot) {
  slot.next_item = 0;
  slot.captures.clear();
  while (true) {
    NEARDUP_TRY(options_.context.check_cancel());
    if (!reader_) {
      if (next_input_ == inputs_.size()) return false;
      NEARDUP_ASSIGN(reader_, corpus::WarcRecords::open(inputs_[next_input_++], record_options_));
    }
    slot.input = next_input_ - 1;
    NEARDUP_ASSIGN(const bool more, reader_->next(slot.items));
    if (more) return true;
    reader_.reset();
  }
}

/// Of as many of the next records as take no more than kMostDecodedBytes, and one.
void CrawlFilter::read_captures(CrawlSlot& slot) const {
  slot.captures.clear();
  slot.items.buffers.arena.clear();
  const std::vector<corpus::WarcItem>& items = slot.items.items;
  for (uint64_t decoded = 0; slot.next_item < items.size() && decoded < kMostDecodedBytes; ++slot.next_item) {
    slot.captures.push_back(read_capture(items[slot.next_item], text_options_, slot.items.buffers));
    decoded += slot.captures.back().text.size() + slot.captures.back().payload.size();
  }
}

Status CrawlFilter::take_batch(CrawlSlot& slot) {
  for (; !slot.captures.empty(); read_captures(slot)) {
    NEARDUP_TRY(options_.context.check_cancel());
    NEARDUP_TRY(take_captures(slot));
  }
  return {};
}

Status CrawlFilter::take_captures(const CrawlSlot& slot) {
  NEARDUP_ASSIGN(const std::vector<CrawlVerdict> verdicts, check_.check(slot.captures));
  for (size_t i = 0; i < verdicts.size(); ++i) NEARDUP_TRY(take(inputs_[slot.input], slot.captures[i], verdicts[i]));
  num_records_ += verdicts.size();
  if (options_.context.progress != nullptr) options_.context.progress->advance(0, num_records_);
  return {};
}

Status CrawlFilter::take(const corpus::Input& input, const Capture& capture, const CrawlVerdict& verdict) {
  add_to_figures(figures_, capture, verdict);
  NEARDUP_TRY(tell(input, capture, verdict));
  return output_ ? write(input, capture, verdict) : Status();
}

Status CrawlFilter::tell(const corpus::Input& input, const Capture& capture, const CrawlVerdict& verdict) {
  if (!capture.message.empty()) listener_.note(fmt::format("{}: {}", input.name, capture.message));
  const bool is_told = capture.is_content || verdict.kind == VerdictKind::kRejected;
  return is_told ? listener_.verdict(verdict_line(capture, verdict)) : Status();
}

/// Where the output of an earlier run is filtered, it has the metadata already.
Status CrawlFilter::write(const corpus::Input& input, const Capture& capture, const CrawlVerdict& verdict) {
  if (verdict.kind == VerdictKind::kRejected) {
    if (capture.reason != "too_long") return {};
    return fail(Code::kUnsupported,
                fmt::format("{}: {}, and would be missing in '{}'", input.name, capture.message, options_.output));
  }
  if (!written_about_.empty() && capture.name.record == written_about_) return {};
  const bool is_revisit = options_.revisits && can_be_revisit(capture, verdict);
  NEARDUP_TRY(write_record(is_revisit ? revisit_record(capture, verdict) : capture.item->bytes));
  if (is_revisit) ++figures_.revisits;
  if (is_revisit || (verdict.kind != VerdictKind::kExact && verdict.kind != VerdictKind::kNear)) return {};
  written_about_ = metadata_id(capture, verdict, recipe_id_);
  ++figures_.metadata_records;
  return write_record(metadata_record(capture, verdict, recipe_id_));
}

Status CrawlFilter::write_record(std::string_view record) {
  ++figures_.written;
  return output_->write(record);
}

Status check_limits(const CrawlFilterOptions& options) {
  for (const uint64_t bytes : {options.max_record_bytes, options.max_text_bytes})
    if (bytes < 1 || bytes > corpus::kMostRecordBytes)
      return fail(Code::kInvalidArgument, fmt::format("expected records and texts of 1 to {} bytes, found {}",
                                                      corpus::kMostRecordBytes, bytes));
  return {};
}

}  // namespace

Result<CrawlFigures> filter_crawl(TextStore& store, const std::vector<corpus::Input>& inputs,
                                  const CrawlFilterOptions& options, const CrawlFilterListener& listener) {
  NEARDUP_TRY(check_limits(options));
  if (store.settings().matching.contained)
    return fail(Code::kUnsupported,
                "a crawl tells which of its pages are equal or near to others, not which others contain, as this store "
                "does: take a store that was made without --contained");
  if (!options.is_transaction) return CrawlFilter(store, inputs, options, listener).run();
  NEARDUP_ASSIGN(const bool is_begun, store.store().begin_tag(options.tag));
  if (!is_begun) listener.note(fmt::format("the transaction '{}' is open already: it goes on", options.tag));
  Result<CrawlFigures> figures = CrawlFilter(store, inputs, options, listener).run();
  // The output is there already: what others are told to be copies of can be read.
  const Result<bool> ended = figures ? store.store().commit_tag(options.tag) : store.store().cancel_tag(options.tag);
  if (ended) return figures;
  listener.note(fmt::format("the transaction '{}' stays open: the same again goes on with it", options.tag));
  if (figures) return tl::unexpected<Error>(ended.error());
  return figures;
}

}  // namespace neardup::engine
