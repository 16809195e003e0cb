#include "neardup/engine/match/input_commonness.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <unordered_set>

#include "neardup/base/hash.h"
#include "neardup/base/threads.h"
#include "neardup/engine/match/families.h"
#include "neardup/engine/memory_plan.h"
#include "neardup/engine/read/idf_pass.h"
#include "neardup/engine/record_limits.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/shingles.h"

namespace neardup::engine {
namespace {

// Marks what the rule compares, and signs what tells families.
recipe::Recipe marking_recipe(const recipe::Recipe& recipe) {
  recipe::Recipe marking = counting_recipe(recipe);
  if (!tells_families(recipe)) marking.family = recipe::Family::kSimHash;  // the cheapest
  marking.mark_numbers = true;
  return marking;
}

struct Low {
  size_t operator()(const Hash128& checksum) const { return checksum.low; }
};
using Checksums = std::unordered_set<Hash128, Low>;

/// Reads all documents, batch by batch, and fingerprints them.
class Passes {
 public:
  /// Called from many threads for the documents of a slot, one after the other.
  using Use = std::function<void(size_t slot, const recipe::TextFingerprint& text_fingerprint)>;
  /// Called for each slot that was filled, in order of the inputs, never two at once.
  using Commit = std::function<Status(size_t slot)>;

  Passes(const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read, const recipe::Recipe& recipe,
         int num_threads, const Context& context)
      : inputs_(inputs),
        read_(read),
        recipe_(marking_recipe(recipe)),
        num_threads_(resolve_num_threads(num_threads)),
        context_(context) {
    read_.context = context;
  }

  [[nodiscard]] size_t num_slots() const { return static_cast<size_t>(num_threads_) * 2 + 1; }

  Status run(const Use& use, const Commit& commit) {
    NEARDUP_TRY(make_workers());
    NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs_, read_));
    std::vector<corpus::Batch> slots(num_slots());
    return run_pipeline({.num_threads = num_threads_,
                         .window = slots.size(),
                         .begin = [&](size_t index) -> Result<bool> {
                           NEARDUP_TRY(context_.check_cancel());
                           return reader.next(slots[index % slots.size()]);
                         },
                         .work = [&](size_t index, int thread) -> Status {
                           const size_t slot = index % slots.size();
                           NEARDUP_TRY(reader.load(slots[slot]));
                           work(slots[slot], workers_[static_cast<size_t>(thread)],
                                [&](const recipe::TextFingerprint& text_fingerprint) { use(slot, text_fingerprint); });
                           return {};
                         },
                         .commit = [&](size_t index) { return commit(index % slots.size()); }});
  }

 private:
  Status make_workers() {
    while (workers_.size() < static_cast<size_t>(num_threads_)) {
      NEARDUP_ASSIGN(auto worker, DocumentWorker::create(recipe_, nullptr, read_.record_memory));
      workers_.push_back(std::move(worker));
    }
    return {};
  }

  static void work(corpus::Batch& batch, DocumentWorker& worker,
                   const std::function<void(const recipe::TextFingerprint&)>& use) {
    for (const corpus::Document& document : batch.documents) {
      worker.work(batch, document.text,
                  [&](recipe::Fingerprinter& fingerprinter, recipe::TextFingerprint& text_fingerprint) {
                    fingerprinter.fingerprint(document.text, text_fingerprint);
                    use(text_fingerprint);
                  });
    }
    DocumentWorker::end_batch(batch);
  }

  const std::vector<corpus::Input>& inputs_;
  corpus::ReadOptions read_;
  const recipe::Recipe recipe_;
  const int num_threads_;
  const Context& context_;
  std::vector<DocumentWorker> workers_;  // one per thread
};

/// What is known of a text after the first pass.
struct Text {
  Hash128 checksum;
  uint64_t num_tokens = 0;
  std::vector<uint16_t> signature;  // empty: it has none
};

/// The different texts, in order of the inputs.
class Texts {
 public:
  Texts(int num_values, uint64_t memory_bytes)
      : num_values_(num_values),
        most_(memory_bytes / (kBytesPerText + static_cast<uint64_t>(num_values) * sizeof(uint16_t))) {}

  Status add(const Text& text) {
    if (!known_.insert(text.checksum).second) return {};
    if (known_.size() > most_)
      return fail(Code::kMemory,
                  fmt::format("what is common in more than {} texts takes more memory than there is for it; give the "
                              "counts of a run of dedup (--commonness DIR/commonness.bin), or raise --memory",
                              most_));
    if (!text.signature.empty()) {
      with_signature_.push_back(static_cast<uint32_t>(texts_.size()));
      signatures_.insert(signatures_.end(), text.signature.begin(), text.signature.end());
    }
    texts_.push_back({text.checksum, text.num_tokens});
    return {};
  }

  /// Leaves one of each family.
  Status keep_heads(const FamilyMeans& means, const Context& context) {
    if (with_signature_.empty()) return {};
    NEARDUP_ASSIGN(const std::vector<uint32_t> heads,
                   family_heads(join::signatures_in_memory(signatures_, num_values_), means, context));
    std::vector<char> stays(texts_.size(), 1);
    for (const uint32_t text : with_signature_) stays[text] = 0;
    for (const uint32_t row : heads) stays[with_signature_[row]] = 1;
    size_t num_kept = 0;
    for (size_t i = 0; i < texts_.size(); ++i)
      if (stays[i] != 0) texts_[num_kept++] = texts_[i];
    texts_.resize(num_kept);
    return {};
  }

  [[nodiscard]] uint64_t num_tokens() const {
    return std::accumulate(texts_.begin(), texts_.end(), uint64_t{0},
                           [](uint64_t sum, const Counted& text) { return sum + text.num_tokens; });
  }
  [[nodiscard]] Checksums checksums() const {
    Checksums checksums;
    for (const Counted& text : texts_) checksums.insert(text.checksum);
    return checksums;
  }

 private:
  struct Counted {
    Hash128 checksum;
    uint64_t num_tokens = 0;
  };
  static constexpr uint64_t kBytesPerText = 160;  // nodes of two sets, their places in buckets, and growth
  const int num_values_;
  const uint64_t most_;
  Checksums known_;
  std::vector<Counted> texts_;
  std::vector<uint32_t> with_signature_;  // texts
  std::vector<uint16_t> signatures_;      // of those, one after the other
};

Status survey(Passes& passes, Texts& texts) {
  std::vector<std::vector<Text>> found(passes.num_slots());
  return passes.run(
      [&](size_t slot, const recipe::TextFingerprint& text_fingerprint) {
        found[slot].push_back(
            {.checksum = text_fingerprint.checksum, .num_tokens = text_fingerprint.tokens.size(), .signature = {}});
        if (text_fingerprint.has_features) found[slot].back().signature = text_fingerprint.signature;
      },
      [&](size_t slot) -> Status {
        for (const Text& text : found[slot]) NEARDUP_TRY(texts.add(text));
        found[slot].clear();
        return {};
      });
}

Status count(Passes& passes, Checksums left, verify::Commonness& table) {
  std::mutex mutex;
  return passes.run(
      [&](size_t, const recipe::TextFingerprint& text_fingerprint) {
        {
          const std::lock_guard lock(mutex);
          if (left.erase(text_fingerprint.checksum) == 0) return;
        }
        table.add(verify::make_shingle_set(text_fingerprint.tokens, verify::kContentNgram).hashes);
      },
      [](size_t) { return Status(); });
}

}  // namespace

Result<std::shared_ptr<const verify::Commonness>> learn_commonness(const std::vector<corpus::Input>& inputs,
                                                                   const corpus::ReadOptions& read,
                                                                   const recipe::Recipe& recipe,
                                                                   const CommonnessMeans& means,
                                                                   const Context& context) {
  Passes passes(inputs, read, recipe, means.num_threads, context);
  const MemoryPlan plan(means.memory_bytes);
  Texts texts(tells_families(recipe) ? recipe.minhash.num_values : 0, plan.bytes_of(MemoryUse::kSurveyedTexts));
  NEARDUP_TRY(survey(passes, texts));
  NEARDUP_TRY(texts.keep_heads({plan.bytes_of(MemoryUse::kFamilies), resolve_num_threads(means.num_threads)}, context));
  const auto table = std::make_shared<verify::Commonness>(texts.num_tokens(), plan.bytes_of(MemoryUse::kCommonness));
  NEARDUP_TRY(count(passes, texts.checksums(), *table));
  table->settle();
  return table;
}

}  // namespace neardup::engine
