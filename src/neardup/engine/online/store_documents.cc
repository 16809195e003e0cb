// Batches are read one after the other, fingerprinted by all threads, and given to the store in order.
#include "neardup/engine/online/store_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "neardup/base/threads.h"
#include "neardup/corpus/each_document.h"
#include "neardup/engine/online/place_id.h"

namespace neardup::engine {
namespace {

constexpr size_t kRecordsAtOnce = 1024;  // of one call of the store: what one sync is waited for

struct StoringSlot {
  corpus::Batch batch;
  uint64_t lines_before = 0;
  std::vector<std::string> ids;  // of each document
  std::vector<MadeRecord> records;
};

ArrivingText arriving_of(const corpus::Document& document, std::string_view id, std::string_view tag) {
  ArrivingText arriving;
  arriving.id = id;
  arriving.text = document.text;
  arriving.within = document.within;
  arriving.tag = tag;
  return arriving;
}

// Takes batches to `commit`, fingerprinted, in order.
class StoringPass {
 public:
  StoringPass(const TextStore& store, const std::vector<corpus::Input>& inputs, const StoringOptions& options,
              const Context& context, const StoringCalls& calls)
      : store_(store), inputs_(inputs), options_(options), context_(context), calls_(calls) {}

  Status run(const std::function<Status(StoringSlot& slot)>& commit) {
    corpus::ReadOptions read = options_.read;
    read.context = context_;
    NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs_, read));
    const int num_threads = resolve_num_threads(options_.num_threads);
    std::vector<StoringSlot> slots(static_cast<size_t>(num_threads) + 2);
    const auto slot = [&](size_t index) -> StoringSlot& { return slots[index % slots.size()]; };
    return run_pipeline({.num_threads = num_threads,
                         .window = slots.size(),
                         .begin = [&](size_t index) { return begin(reader, slot(index)); },
                         .work = [&](size_t index, int) { return make(slot(index)); },
                         .commit = [&](size_t index) { return finish(slot(index), commit); }});
  }

  /// Gives documents without an id of their own one to be stored under.
  static void name_by_text(StoringSlot& slot) {
    for (size_t i = 0; i < slot.ids.size(); ++i) {
      if (slot.batch.documents[i].has_id) continue;
      slot.ids[i] = place_id(slot.ids[i], slot.records[i].view().checksum);
      slot.records[i].rename(slot.ids[i]);
    }
  }

  [[nodiscard]] uint64_t num_rejected() const { return num_rejected_; }

 private:
  Result<bool> begin(corpus::Reader& reader, StoringSlot& slot) {
    NEARDUP_TRY(context_.check_cancel());
    NEARDUP_ASSIGN(const bool more, reader.next(slot.batch));
    if (!more) return false;
    NEARDUP_TRY(reader.load(slot.batch));
    if (slot.batch.begins_input) next_line_ = 0;
    slot.lines_before = next_line_;
    next_line_ += slot.batch.num_lines;
    return true;
  }

  Status make(StoringSlot& slot) const {
    slot.ids.clear();
    for (const corpus::Document& document : slot.batch.documents)
      slot.ids.push_back(document.has_id
                             ? std::string(document.id)
                             : corpus::line_name(inputs_[document.input], slot.lines_before + document.line + 1));
    slot.records.clear();
    for (size_t i = 0; i < slot.ids.size(); ++i) {
      const ArrivingText arriving = arriving_of(slot.batch.documents[i], slot.ids[i], options_.tag);
      NEARDUP_ASSIGN(MadeRecord made, store_.make(arriving));
      slot.records.push_back(std::move(made));
    }
    return {};
  }

  Status finish(StoringSlot& slot, const std::function<Status(StoringSlot& slot)>& commit) {
    NEARDUP_TRY(commit(slot));
    num_rejected_ += slot.batch.rejections.size();
    for (const corpus::Rejection& rejection : slot.batch.rejections) tell(rejection, slot.lines_before);
    return {};
  }

  void tell(const corpus::Rejection& rejection, uint64_t lines_before) const {
    if (!calls_.rejected) return;
    const std::string place = corpus::line_place(inputs_[rejection.input], lines_before + rejection.line + 1);
    calls_.rejected(fmt::format("{}: {}", place, rejection.message));
  }

  const TextStore& store_;
  const std::vector<corpus::Input>& inputs_;
  const StoringOptions& options_;
  const Context& context_;
  const StoringCalls& calls_;
  uint64_t next_line_ = 0;  // of the input
  uint64_t num_rejected_ = 0;
};

void count(const TextVerdict& verdict, StoredCounts& counts) {
  if (verdict.is_repeated)
    ++counts.repeated;
  else if (verdict.kind == store::Kind::kNew)
    ++counts.fresh;
  else
    ++(verdict.kind == store::Kind::kExact ? counts.exact : counts.near);
}

}  // namespace

Result<StoredCounts> store_documents(TextStore& store, const std::vector<corpus::Input>& inputs,
                                     const StoringOptions& options, const Context& context, const StoringCalls& calls) {
  StoredCounts counts;
  StoringPass pass(store, inputs, options, context, calls);
  NEARDUP_TRY(pass.run([&](StoringSlot& slot) -> Status {
    StoringPass::name_by_text(slot);
    const std::span<const MadeRecord> records(slot.records);
    for (size_t begin = 0; begin < records.size(); begin += kRecordsAtOnce) {
      NEARDUP_TRY(context.check_cancel());
      const auto some = records.subspan(begin, std::min(kRecordsAtOnce, records.size() - begin));
      NEARDUP_ASSIGN(const std::vector<TextVerdict> verdicts, store.check_and_insert(some));
      for (size_t i = 0; i < verdicts.size(); ++i) {
        count(verdicts[i], counts);
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
  StoringPass pass(store, inputs, options, context, calls);
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
