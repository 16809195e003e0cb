#include "neardup/engine/input_commonness.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <unordered_set>

#include "neardup/base/hash.h"
#include "neardup/base/threads.h"
#include "neardup/engine/commonness_pass.h"
#include "neardup/engine/idf_pass.h"
#include "neardup/engine/record_limits.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/shingles.h"

namespace neardup::engine {
namespace {

using UsePrint = std::function<void(const simhash::Print& print)>;

// Of the cheapest family, with the tokens that the rule compares.
simhash::Recipe marking_recipe(const simhash::Recipe& recipe) {
  simhash::Recipe marking = counting_recipe(recipe);
  marking.family = simhash::Family::kSimHash;
  marking.mark_numbers = true;
  return marking;
}

/// The checksums that were seen. Threads: any.
class Seen {
 public:
  /// Returns whether it is a new one.
  bool add(const Hash128& checksum) {
    const std::lock_guard lock(mutex_);
    return known_.insert(checksum).second;
  }
  void clear() { known_ = {}; }

 private:
  struct Low {
    size_t operator()(const Hash128& checksum) const { return checksum.low; }
  };
  std::mutex mutex_;
  std::unordered_set<Hash128, Low> known_;
};

/// Reads all documents, one pass for each call.
class Passes {
 public:
  Passes(const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read, const simhash::Recipe& recipe,
         int num_threads, const Context& context)
      : inputs_(inputs),
        read_(read),
        recipe_(marking_recipe(recipe)),
        num_threads_(resolve_num_threads(num_threads)),
        context_(context) {}

  /// Calls `use` for each different text, from many threads at once.
  Status run(const UsePrint& use) {
    NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs_, read_));
    NEARDUP_TRY(make_workers());
    seen_.clear();
    std::vector<corpus::Batch> slots(workers_.size() * 2 + 1);
    const auto slot = [&](size_t index) -> corpus::Batch& { return slots[index % slots.size()]; };
    return run_pipeline({.num_threads = num_threads_,
                         .window = slots.size(),
                         .begin = [&](size_t index) -> Result<bool> {
                           NEARDUP_TRY(context_.check_cancel());
                           return reader.next(slot(index));
                         },
                         .work = [&](size_t index, int thread) -> Status {
                           NEARDUP_TRY(reader.load(slot(index)));
                           work(slot(index), static_cast<size_t>(thread), use);
                           return {};
                         },
                         .commit = [](size_t) { return Status(); }});
  }

 private:
  Status make_workers() {
    while (workers_.size() < static_cast<size_t>(num_threads_)) {
      NEARDUP_ASSIGN(auto worker, DocumentWorker::create(recipe_, nullptr, read_.record_memory));
      workers_.push_back(std::move(worker));
    }
    return {};
  }

  void work(corpus::Batch& batch, size_t thread, const UsePrint& use) {
    for (const corpus::Document& document : batch.documents) {
      workers_[thread].work(batch, document.text, [&](simhash::Fingerprinter& fingerprinter, simhash::Print& print) {
        fingerprinter.fingerprint(document.text, print);
        if (seen_.add(print.checksum)) use(print);
      });
    }
    DocumentWorker::end_batch(batch);
  }

  const std::vector<corpus::Input>& inputs_;
  const corpus::ReadOptions& read_;
  const simhash::Recipe recipe_;
  const int num_threads_;
  const Context& context_;
  std::vector<DocumentWorker> workers_;  // one per thread
  Seen seen_;
};

}  // namespace

Result<std::shared_ptr<const verify::Commonness>> learn_commonness(const std::vector<corpus::Input>& inputs,
                                                                   const corpus::ReadOptions& read,
                                                                   const simhash::Recipe& recipe,
                                                                   const CommonnessMeans& means,
                                                                   const Context& context) {
  Passes passes(inputs, read, recipe, means.num_threads, context);
  std::atomic<uint64_t> num_tokens = 0;
  NEARDUP_TRY(passes.run([&](const simhash::Print& print) { num_tokens += print.tokens.size(); }));
  const auto table = std::make_shared<verify::Commonness>(num_tokens, means.memory_bytes / kCommonnessShare);
  NEARDUP_TRY(passes.run([&](const simhash::Print& print) {
    table->add(verify::make_shingle_set(print.tokens, verify::kContentNgram).hashes);
  }));
  table->settle();
  return table;
}

}  // namespace neardup::engine
