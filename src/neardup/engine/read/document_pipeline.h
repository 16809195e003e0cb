// The way of documents through all threads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/base/threads.h"
#include "neardup/corpus/corpus.h"
#include "neardup/engine/record_limits.h"

namespace neardup::engine {

/// Batches are read one after the other, their documents worked on by any thread, and committed in the order in which
/// they were read: what comes out is the same for any number of threads. A Slot has a corpus::Batch `batch`, and beside
/// it what is made of its documents; it is used again for later batches. Threads: run() from one at a time.
template <class Slot>
class DocumentPipeline {
 public:
  /// The documents of a batch are loaded, used and finished by one thread, which may be any.
  struct Steps {
    std::function<Result<bool>(Slot&)> next;  // takes the next batch, in order; false where there is none
    std::function<Status(Slot&)> load;
    std::function<void(Slot&, size_t thread, const corpus::Document&, recipe::Fingerprinter&, recipe::TextFingerprint&)>
        use;
    std::function<Status(Slot&, size_t thread)> finish = {};  // may be empty
    std::function<Status(Slot&)> commit = {};                 // in order; may be empty
  };

  /// `memory` may be null. Requires: num_slots > num_threads. Errors: as DocumentWorker::create().
  [[nodiscard]] static Result<DocumentPipeline> create(const recipe::Recipe& recipe,
                                                       const std::shared_ptr<const feature::Idf>& idf,
                                                       const std::shared_ptr<corpus::RecordMemory>& memory,
                                                       int num_threads, size_t num_slots) {
    std::vector<DocumentWorker> workers;
    for (int thread = 0; thread < num_threads; ++thread) {
      NEARDUP_ASSIGN(auto worker, DocumentWorker::create(recipe, idf, memory));
      workers.push_back(std::move(worker));
    }
    return DocumentPipeline(std::move(workers), num_slots);
  }

  /// Errors: the first of those of the steps; kCancelled.
  [[nodiscard]] Status run(const Context& context, const Steps& steps) {
    std::vector<Slot> slots(num_slots_);
    const auto slot = [&](size_t index) -> Slot& { return slots[index % slots.size()]; };
    return run_pipeline(
        {.num_threads = static_cast<int>(workers_.size()),
         .window = slots.size(),
         .begin = [&](size_t index) -> Result<bool> {
           NEARDUP_TRY(context.check_cancel());
           return steps.next(slot(index));
         },
         .work = [&](size_t index, int thread) { return work(slot(index), static_cast<size_t>(thread), steps); },
         .commit = [&](size_t index) { return steps.commit ? steps.commit(slot(index)) : Status(); }});
  }

 private:
  DocumentPipeline(std::vector<DocumentWorker> workers, size_t num_slots)
      : workers_(std::move(workers)), num_slots_(num_slots) {}

  Status work(Slot& slot, size_t thread, const Steps& steps) {
    NEARDUP_TRY(steps.load(slot));
    for (const corpus::Document& document : slot.batch.documents)
      workers_[thread].work(slot.batch, document.text, [&](auto& fingerprinter, auto& text_fingerprint) {
        steps.use(slot, thread, document, fingerprinter, text_fingerprint);
      });
    DocumentWorker::end_batch(slot.batch);
    return steps.finish ? steps.finish(slot, thread) : Status();
  }

  std::vector<DocumentWorker> workers_;  // one per thread
  size_t num_slots_;
};

}  // namespace neardup::engine
