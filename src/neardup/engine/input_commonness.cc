#include "neardup/engine/input_commonness.h"

#include <algorithm>
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

/// The checksums that were seen, of one part of all. Threads: any.
class Seen {
 public:
  explicit Seen(uint64_t memory_bytes) : most_(std::max<size_t>(kLeastTexts, memory_bytes / kBytesPerText)) {}

  /// Returns whether it is of this part, and a new one; from then on never when there are too many to be held.
  bool add(const Hash128& checksum) {
    if (checksum.high % num_parts_ != part_) return false;
    const std::lock_guard lock(mutex_);
    if (known_.size() == most_ && !known_.contains(checksum)) is_full_ = true;
    return !is_full_ && known_.insert(checksum).second;
  }
  void begin(uint64_t part) {
    known_ = {};
    part_ = part;
  }
  /// Makes more and smaller parts.
  void split() {
    num_parts_ *= 2;
    is_full_ = false;
  }
  [[nodiscard]] bool is_full() const { return is_full_; }
  [[nodiscard]] uint64_t num_parts() const { return num_parts_; }

 private:
  static constexpr uint64_t kBytesPerText = 64;  // a node of the set, its place in a bucket, and growth
  static constexpr size_t kLeastTexts = 64;
  struct Low {
    size_t operator()(const Hash128& checksum) const { return checksum.low; }
  };
  const size_t most_;
  uint64_t num_parts_ = 1, part_ = 0;
  std::atomic<bool> is_full_ = false;
  std::mutex mutex_;
  std::unordered_set<Hash128, Low> known_;
};

/// Reads all documents, once for each part of the checksums.
class Passes {
 public:
  Passes(const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read, const simhash::Recipe& recipe,
         const CommonnessMeans& means, const Context& context)
      : inputs_(inputs),
        read_(read),
        recipe_(marking_recipe(recipe)),
        num_threads_(resolve_num_threads(means.num_threads)),
        context_(context),
        seen_(means.seen_bytes != 0 ? means.seen_bytes : means.memory_bytes / kCommonnessShare) {}

  /// Calls `use` for each different text, from many threads at once. Ends early where the memory does not hold the
  /// checksums of a part: then is_incomplete(), and after split() it may be tried again.
  Status run(const UsePrint& use) {
    NEARDUP_TRY(make_workers());
    for (uint64_t part = 0; part < seen_.num_parts() && !seen_.is_full(); ++part) {
      seen_.begin(part);
      NEARDUP_TRY(run_part(use));
    }
    return {};
  }
  [[nodiscard]] bool is_incomplete() const { return seen_.is_full(); }
  void split() { seen_.split(); }

 private:
  Status run_part(const UsePrint& use) {
    NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs_, read_));
    std::vector<corpus::Batch> slots(workers_.size() * 2 + 1);
    const auto slot = [&](size_t index) -> corpus::Batch& { return slots[index % slots.size()]; };
    return run_pipeline({.num_threads = num_threads_,
                         .window = slots.size(),
                         .begin = [&](size_t index) -> Result<bool> {
                           NEARDUP_TRY(context_.check_cancel());
                           if (seen_.is_full()) return false;
                           return reader.next(slot(index));
                         },
                         .work = [&](size_t index, int thread) -> Status {
                           NEARDUP_TRY(reader.load(slot(index)));
                           work(slot(index), static_cast<size_t>(thread), use);
                           return {};
                         },
                         .commit = [](size_t) { return Status(); }});
  }

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

// Of the different texts. Finds out in how many parts their checksums must be held.
Result<uint64_t> count_tokens(Passes& passes) {
  while (true) {
    std::atomic<uint64_t> num_tokens = 0;
    NEARDUP_TRY(passes.run([&](const simhash::Print& print) { num_tokens += print.tokens.size(); }));
    if (!passes.is_incomplete()) return num_tokens.load();
    passes.split();
  }
}

}  // namespace

Result<std::shared_ptr<const verify::Commonness>> learn_commonness(const std::vector<corpus::Input>& inputs,
                                                                   const corpus::ReadOptions& read,
                                                                   const simhash::Recipe& recipe,
                                                                   const CommonnessMeans& means,
                                                                   const Context& context) {
  Passes passes(inputs, read, recipe, means, context);
  NEARDUP_ASSIGN(const uint64_t num_tokens, count_tokens(passes));
  const auto table = std::make_shared<verify::Commonness>(num_tokens, means.memory_bytes / kCommonnessShare);
  NEARDUP_TRY(passes.run([&](const simhash::Print& print) {
    table->add(verify::make_shingle_set(print.tokens, verify::kContentNgram).hashes);
  }));
  table->settle();
  return table;
}

}  // namespace neardup::engine
