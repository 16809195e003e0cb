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
#include "neardup/engine/read/document_pipeline.h"
#include "neardup/engine/read/idf_pass.h"
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

/// What is known of a text after the first pass.
struct Text {
  Hash128 checksum;
  uint64_t num_tokens = 0;
  std::vector<uint16_t> signature;  // empty: it has none
};

/// Reads all documents, batch by batch, and fingerprints them.
class Passes {
 public:
  /// Called from many threads, for the documents of a batch one after the other; `found` is the batch's own.
  using Use = std::function<void(std::vector<Text>& found, const recipe::TextFingerprint& text_fingerprint)>;
  /// Called for each batch in order of the inputs, never two at once, with what its Use has made.
  using Commit = std::function<Status(std::vector<Text>& found)>;

  [[nodiscard]] static Result<Passes> create(const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read,
                                             const recipe::Recipe& recipe, int num_threads, const Context& context) {
    const int resolved = resolve_num_threads(num_threads);
    NEARDUP_ASSIGN(auto pipeline, DocumentPipeline<Slot>::create(marking_recipe(recipe), nullptr, read.record_memory,
                                                                 resolved, static_cast<size_t>(resolved) * 2 + 1));
    return Passes(inputs, read, context, std::move(pipeline));
  }

  Status run(const Use& use, const Commit& commit) {
    NEARDUP_ASSIGN(corpus::Reader reader, corpus::Reader::open(inputs_, read_));
    return pipeline_.run(context_, {.next = [&](Slot& slot) { return reader.next(slot.batch); },
                                    .load = [&](Slot& slot) { return reader.load(slot.batch); },
                                    .use =
                                        [&](Slot& slot, size_t, const corpus::Document& document, auto& fingerprinter,
                                            auto& text_fingerprint) {
                                          fingerprinter.fingerprint(document.text, text_fingerprint);
                                          use(slot.found, text_fingerprint);
                                        },
                                    .commit = [&](Slot& slot) { return commit(slot.found); }});
  }

 private:
  struct Slot {
    corpus::Batch batch;
    std::vector<Text> found;
  };
  Passes(const std::vector<corpus::Input>& inputs, const corpus::ReadOptions& read, const Context& context,
         DocumentPipeline<Slot> pipeline)
      : inputs_(inputs), read_(read), context_(context), pipeline_(std::move(pipeline)) {
    read_.context = context;
  }

  const std::vector<corpus::Input>& inputs_;
  corpus::ReadOptions read_;
  const Context& context_;
  DocumentPipeline<Slot> pipeline_;
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

  /// Leaves those that count beside their family.
  Status keep_counted(const FamilyMeans& means, const Context& context) {
    if (with_signature_.empty()) return {};
    NEARDUP_ASSIGN(const std::vector<uint32_t> counted,
                   counted_rows(join::signatures_in_memory(signatures_, num_values_), means, context));
    std::vector<char> stays(texts_.size(), 1);
    for (const uint32_t text : with_signature_) stays[text] = 0;
    for (const uint32_t row : counted) stays[with_signature_[row]] = 1;
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
  return passes.run(
      [](std::vector<Text>& found, const recipe::TextFingerprint& text_fingerprint) {
        found.push_back(
            {.checksum = text_fingerprint.checksum, .num_tokens = text_fingerprint.tokens.size(), .signature = {}});
        if (text_fingerprint.has_features) found.back().signature = text_fingerprint.signature;
      },
      [&](std::vector<Text>& found) -> Status {
        for (const Text& text : found) NEARDUP_TRY(texts.add(text));
        found.clear();
        return {};
      });
}

Status count(Passes& passes, Checksums left, verify::Commonness& table) {
  std::mutex mutex;
  return passes.run(
      [&](std::vector<Text>&, const recipe::TextFingerprint& text_fingerprint) {
        {
          const std::lock_guard lock(mutex);
          if (left.erase(text_fingerprint.checksum) == 0) return;
        }
        table.add(verify::make_shingle_set(text_fingerprint.tokens, verify::kContentNgram).hashes);
      },
      [](std::vector<Text>&) { return Status(); });
}

}  // namespace

Result<std::shared_ptr<const verify::Commonness>> learn_commonness(const std::vector<corpus::Input>& inputs,
                                                                   const corpus::ReadOptions& read,
                                                                   const recipe::Recipe& recipe,
                                                                   const CommonnessMeans& means,
                                                                   const Context& context) {
  NEARDUP_ASSIGN(Passes passes, Passes::create(inputs, read, recipe, means.num_threads, context));
  const MemoryPlan plan(means.memory_bytes);
  Texts texts(tells_families(recipe) ? recipe.minhash.num_values : 0, plan.bytes_of(MemoryUse::kSurveyedTexts));
  NEARDUP_TRY(survey(passes, texts));
  NEARDUP_TRY(
      texts.keep_counted({plan.bytes_of(MemoryUse::kFamilies), resolve_num_threads(means.num_threads)}, context));
  const auto table = std::make_shared<verify::Commonness>(texts.num_tokens(), plan.bytes_of(MemoryUse::kCommonness));
  NEARDUP_TRY(count(passes, texts.checksums(), *table));
  table->settle();
  return table;
}

}  // namespace neardup::engine
