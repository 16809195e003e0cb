// Batches are read one after the other, fingerprinted by all threads, and given to the store in order.
#include "neardup/engine/online/store_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <deque>
#include <string_view>
#include <vector>

#include "neardup/corpus/each_document.h"
#include "neardup/engine/online/place_id.h"
#include "neardup/engine/online/text_maker.h"
#include "neardup/engine/read/document_pipeline.h"
#include "neardup/engine/record_limits.h"

namespace neardup::engine {
namespace {

constexpr size_t kRecordsAtOnce = 1024;  // of one call of the store: what one sync is waited for

struct StoredDocument {
  uint32_t input = 0;
  uint64_t line = 0;
  bool has_id = false;
};

// A batch, and what is left of it when its texts are gone.
struct StoringSlot {
  corpus::Batch batch;
  int64_t time = 0;  // when it was read, seconds since 1970
  std::vector<StoredDocument> documents;
  std::vector<std::string> ids;
  std::deque<std::string> categories;  // views of these are in records
  std::vector<MadeRecord> records;
};

// Takes batches to `commit`, fingerprinted, in order.
class StoringPass {
 public:
  StoringPass(const TextStore& store, std::string_view stage, const std::vector<corpus::Input>& inputs,
              const StoringOptions& options, const Context& context, const StoringCalls& calls)
      : store_(store), stage_(stage), inputs_(inputs), options_(options), context_(context), calls_(calls) {}

  /// Gives documents without an id of their own one to be stored under.
  static void name_by_text(StoringSlot& slot) {
    for (size_t i = 0; i < slot.ids.size(); ++i) {
      if (slot.documents[i].has_id) continue;
      slot.ids[i] = place_id(slot.ids[i], slot.records[i].view().checksum);
      slot.records[i].rename(slot.ids[i]);
    }
  }

  using Commit = std::function<Status(StoringSlot& slot)>;
  Status run(const Commit& commit) {
    DedupOptions as_dedup = store_.settings().matching;
    as_dedup.memory_bytes = options_.memory_bytes;
    as_dedup.num_threads = options_.num_threads;
    const int num_threads = num_batch_threads(as_dedup);
    corpus::ReadOptions read = within_memory(options_.read, store_.recipe(), options_.memory_bytes, num_threads);
    read.context = context_;
    NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs_, read));
    NEARDUP_ASSIGN(auto pipeline,
                   DocumentPipeline<StoringSlot>::create(store_.recipe(), store_.matcher().idf, read.record_memory,
                                                         num_threads, static_cast<size_t>(num_threads) + 2));
    Progress* progress = context_.progress;
    if (progress != nullptr) progress->begin_stage(stage_, "documents", reader.total_bytes(), 0);
    NEARDUP_TRY(pipeline.run(
        context_, {.next = [&](StoringSlot& slot) { return next(reader, slot); },
                   .load = [&](StoringSlot& slot) { return load(reader, slot); },
                   .use = [&](StoringSlot& slot, size_t, const corpus::Document& document, auto& fingerprinter,
                              auto& made) { add(slot, document, fingerprinter, made); },
                   .commit = [&](StoringSlot& slot) { return finish(slot, commit); }}));
    if (progress != nullptr) progress->end_stage();
    return {};
  }

  [[nodiscard]] uint64_t num_rejected() const { return num_rejected_; }

 private:
  // Once a batch: what is read for hours came in these hours.
  [[nodiscard]] Result<bool> next(corpus::Reader& reader, StoringSlot& slot) const {
    slot.time = options_.clock ? options_.clock() : std::time(nullptr);
    return reader.next(slot.batch);
  }

  static Status load(const corpus::Reader& reader, StoringSlot& slot) {
    slot.documents.clear();
    slot.ids.clear();
    slot.categories.clear();
    slot.records.clear();
    return reader.load(slot.batch);
  }

  void add(StoringSlot& slot, const corpus::Document& document, recipe::Fingerprinter& fingerprinter,
           recipe::TextFingerprint& buffers) const {
    MadeText made{std::move(buffers), {}};
    fingerprinter.fingerprint(document.text, made.text_fingerprint);
    made.settle(store_.matcher().decision);
    store::Record head;
    head.size_bytes = made.text_fingerprint.size_bytes;
    head.time = slot.time;
    head.within = slot.categories.emplace_back(document.within);
    head.tag = options_.tag;
    slot.records.push_back(store_.make(made.side(), head, {.bytes = document.text}));
    slot.documents.push_back({document.input, document.line, document.has_id});
    slot.ids.emplace_back(document.id);
    buffers = std::move(made.text_fingerprint);
  }

  Status finish(StoringSlot& slot, const Commit& commit) {
    if (slot.batch.begins_input) lines_before_ = 0;
    for (size_t i = 0; i < slot.ids.size(); ++i) name(slot, i);
    NEARDUP_TRY(commit(slot));
    num_rejected_ += slot.batch.rejections.size();
    for (const corpus::Rejection& rejection : slot.batch.rejections)
      if (calls_.rejected)
        calls_.rejected(fmt::format("{}: {}", corpus::line_place(inputs_[rejection.input], line_of(rejection.line)),
                                    rejection.message));
    for (const corpus::Rejection& note : slot.batch.notes)
      if (calls_.noted) calls_.noted(fmt::format("{}: {}", inputs_[note.input].path, note.message));
    lines_before_ += slot.batch.num_lines;
    done_bytes_ += slot.batch.bytes;
    num_documents_ += slot.ids.size();
    if (context_.progress != nullptr) context_.progress->advance(done_bytes_, num_documents_);
    return {};
  }

  [[nodiscard]] uint64_t line_of(uint64_t line_of_batch) const { return lines_before_ + line_of_batch + 1; }

  // Which line it is of the input is known once all batches before are.
  void name(StoringSlot& slot, size_t i) const {
    const StoredDocument& document = slot.documents[i];
    std::string& id = slot.ids[i];
    if (!document.has_id) id = corpus::line_name(inputs_[document.input], line_of(document.line));
    slot.records[i].rename(id);
  }

  const TextStore& store_;
  const std::string_view stage_;
  const std::vector<corpus::Input>& inputs_;
  const StoringOptions& options_;
  const Context& context_;
  const StoringCalls& calls_;
  uint64_t lines_before_ = 0;  // of the input
  uint64_t num_rejected_ = 0;
  uint64_t done_bytes_ = 0, num_documents_ = 0;
};

uint64_t& count_of(const TextVerdict& verdict, StoredCounts& counts) {
  if (verdict.is_repeated) return counts.repeated;
  switch (verdict.kind) {
    case store::Kind::kExact:
      return counts.exact;
    case store::Kind::kNear:
      return counts.near;
    case store::Kind::kContained:
      return counts.contained;
    case store::Kind::kNew:
      break;
  }
  return counts.fresh;
}

}  // namespace

Result<StoredCounts> store_documents(TextStore& store, const std::vector<corpus::Input>& inputs,
                                     const StoringOptions& options, const Context& context, const StoringCalls& calls) {
  StoredCounts counts;
  StoringPass pass(store, "add", inputs, options, context, calls);
  NEARDUP_TRY(pass.run([&](StoringSlot& slot) -> Status {
    StoringPass::name_by_text(slot);
    const std::span<const MadeRecord> records(slot.records);
    for (size_t begin = 0; begin < records.size(); begin += kRecordsAtOnce) {
      NEARDUP_TRY(context.check_cancel());
      const auto some = records.subspan(begin, std::min(kRecordsAtOnce, records.size() - begin));
      NEARDUP_ASSIGN(const std::vector<TextVerdict> verdicts, store.check_and_insert(some));
      for (size_t i = 0; i < verdicts.size(); ++i) {
        ++count_of(verdicts[i], counts);
        if (calls.verdict) NEARDUP_TRY(calls.verdict(slot.ids[begin + i], verdicts[i]));
      }
    }
    return {};
  }));
  counts.rejected = pass.num_rejected();
  return counts;
}

Status query_documents(const TextStore& store, const std::vector<corpus::Input>& inputs, const StoringOptions& options,
                       size_t limit, const Context& context, const FoundCall& found, const StoringCalls& calls) {
  StoringPass pass(store, "query", inputs, options, context, calls);
  return pass.run([&](StoringSlot& slot) -> Status {
    for (size_t i = 0; i < slot.records.size(); ++i) {
      NEARDUP_TRY(context.check_cancel());
      NEARDUP_ASSIGN(const store::StoredNeighbours near, store.query(slot.records[i], limit));
      NEARDUP_TRY(found(slot.ids[i], near));
    }
    return {};
  });
}

}  // namespace neardup::engine
