// Batches on their way into a store: looked up and decided beside others, shown in turn.
//
// What takes long (looking up, reading, comparing) needs no lock; in its turn a batch only makes sure, document by
// document, that nothing came since by which it would be decided otherwise, and decides again where something did.
#pragma once

#include <span>
#include <vector>

#include "neardup/store/arrival_decision.h"
#include "neardup/store/document_keys.h"
#include "neardup/store/read_once.h"
#include "neardup/store/store_writer.h"

namespace neardup::store {

/// Shows documents with what becomes of them. Threads: one at a time; others may do the same with the same state.
class Arrivals {
 public:
  /// All of them must outlive it.
  Arrivals(const StoreState& state, std::span<const Record> documents, const BoundedJudge& bounded)
      : state_(state), documents_(documents), bounded_(bounded), keys_(documents) {}

  /// Beside others. Errors: of reading, those of the judge.
  [[nodiscard]] Status prepare();
  /// In its turn. Errors: as prepare(), those of StoreWriter::show().
  [[nodiscard]] Status show(StoreWriter& writer, StoreWriter::Batch& batch);
  /// Returns what became of each, once it is shown.
  [[nodiscard]] std::vector<Answer>& answers() { return answers_; }
  /// Returns what would become of each if it came alone, once it is prepared.
  [[nodiscard]] std::vector<Answer> prepared() &&;

 private:
  Status prepare_some(std::span<const Record> documents);
  Status show_one(size_t i, StoreWriter& writer, StoreWriter::Batch& batch);
  Result<ArrivalDecision> decide_now(size_t i) const;

  const StoreState& state_;
  std::span<const Record> documents_;
  const BoundedJudge bounded_;
  const DocumentKeys keys_;
  const ReadOnce records_{state_};
  StateStamp stamp_;
  std::vector<ArrivalDecision> decisions_;
  std::vector<Answer> answers_;
};

/// The same of documents that are stored whatever they repeat.
class Puts {
 public:
  Puts(const StoreState& state, std::span<const Record> documents)
      : state_(state), documents_(documents), keys_(documents) {}
  [[nodiscard]] Status prepare();
  [[nodiscard]] Status show(StoreWriter& writer, StoreWriter::Batch& batch);

 private:
  Status prepare_some(std::span<const Record> documents);
  void look_again(size_t i);

  const StoreState& state_;
  std::span<const Record> documents_;
  const DocumentKeys keys_;
  StateStamp stamp_;
  std::vector<std::vector<uint64_t>> same_id_;
  std::vector<std::vector<uint64_t>> passages_;  // to be recorded
  std::vector<std::vector<uint32_t>> crowded_;   // Candidates::crowded
  std::vector<std::vector<uint64_t>> crowds_;    // who shares a key with each of which any is crowded
};

}  // namespace neardup::store
