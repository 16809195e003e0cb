// How long a record may be where memory is limited, and how long ones are worked on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "neardup/base/memory.h"
#include "neardup/corpus/corpus.h"
#include "neardup/recipe/fingerprinter.h"

namespace neardup::engine {

/// Returns `read` with max_record_bytes lowered to the longest record that fits in `memory_bytes` under `recipe`, the
/// cure for longer ones, the decoder of charsets that sources declare, the memory that `num_threads` threads share for
/// long ones, and any_encoding where the recipe extracts text. What is rejected depends on the memory, never on the
/// threads.
[[nodiscard]] corpus::ReadOptions within_memory(const corpus::ReadOptions& read, const recipe::Recipe& recipe,
                                                uint64_t memory_bytes, int num_threads);

/// corpus::ReadOptions::to_utf8: decodes as text::Decoder does.
[[nodiscard]] std::string to_utf8(std::string_view bytes, std::string_view charset);

/// Returns how many bytes of a page are read at most: what `read`, of within_memory(), leaves for its tree, and
/// max_record_bytes.
[[nodiscard]] uint64_t longest_page_bytes(const corpus::ReadOptions& read);

/// Fingerprints the documents of batches: usual ones with memory that is kept from one to the next, long ones with a
/// permit, sparingly, and all they took is given back. Of a page among texts only so much is read as has a tree that
/// fits. Threads: one object per thread.
class DocumentWorker {
 public:
  /// `memory` may be null: then every document is a usual one. Errors: as Fingerprinter::create().
  [[nodiscard]] static Result<DocumentWorker> create(const recipe::Recipe& recipe,
                                                     std::shared_ptr<const feature::Idf> idf,
                                                     std::shared_ptr<corpus::RecordMemory> memory);

  /// Calls use(Fingerprinter&, TextFingerprint&) for a `text` of `batch`. Waits where other long ones are at work.
  template <class Use>
  void work(const corpus::Batch& batch, std::string_view text, Use&& use);

  /// Call when all documents of a batch were used: the memory of a long record is given back, its documents are gone.
  static void end_batch(corpus::Batch& batch) {
    if (!corpus::holds_record_memory(batch)) return;
    corpus::drop_documents(batch);
    give_memory_back();
  }

 private:
  DocumentWorker(recipe::Recipe recipe, std::shared_ptr<const feature::Idf> idf,
                 std::shared_ptr<corpus::RecordMemory> memory, recipe::Fingerprinter usual)
      : recipe_(std::move(recipe)), idf_(std::move(idf)), memory_(std::move(memory)), usual_(std::move(usual)) {}

  [[nodiscard]] uint64_t needed_bytes(std::string_view text, bool spares_memory) const;
  [[nodiscard]] bool is_usual(std::string_view text) const;
  [[nodiscard]] recipe::Fingerprinter create_sparing() const;

  recipe::Recipe recipe_;
  std::shared_ptr<const feature::Idf> idf_;
  std::shared_ptr<corpus::RecordMemory> memory_;
  recipe::Fingerprinter usual_;
  recipe::TextFingerprint usual_text_fingerprint_;
};

template <class Use>
void DocumentWorker::work(const corpus::Batch& batch, std::string_view text, Use&& use) {
  if (is_usual(text)) return use(usual_, usual_text_fingerprint_);
  MemoryBudget::Permit permit;
  if (!corpus::holds_record_memory(batch)) permit = memory_->budget.acquire(needed_bytes(text, true));
  {
    recipe::Fingerprinter sparing = create_sparing();
    recipe::TextFingerprint text_fingerprint;
    use(sparing, text_fingerprint);
  }
  give_memory_back();
}

}  // namespace neardup::engine
