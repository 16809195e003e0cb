// ArrivalBatch: documents that come together, on their way to a server: looked up, decided, committed.
//
// Documents are decided one after the other, those before in the same batch as if they were stored. Each that is to be
// stored is one change, which happens only if nobody touched what it was decided by; what does not happen its owner
// sends again in another batch.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "neardup/remote/batch_lookups.h"
#include "neardup/remote/stored_records.h"
#include "neardup/remote/unacknowledged_documents.h"
#include "neardup/store/arrival_decision.h"

namespace neardup::remote {

/// What is done with documents: told what would become of each alone, decided and stored, stored whatever they repeat,
/// stored with the fates and numbers that they have; or asked for who has their passages.
enum class Purpose : uint8_t { kCheck, kInsert, kPut, kRestore, kLook };

/// A document that comes, and who compares it, where anybody does.
struct Arriving {
  const store::Record* record = nullptr;
  const store::Judge* judge = nullptr;
};

/// Threads: one at a time.
class ArrivalBatch final : public StoredRecords {
 public:
  /// All of them must outlive it.
  ArrivalBatch(Backend& backend, std::span<const Arriving> documents, Purpose purpose, uint64_t most_compared);

  /// One exchange, and one or two more where there is anything like them. Errors: those of the backend.
  [[nodiscard]] Status look_up();
  /// Errors: those of the backend, of the judge.
  [[nodiscard]] Status decide(UnacknowledgedDocuments& unacknowledged);
  /// Errors: those of the backend: then some may be stored, under numbers().
  [[nodiscard]] Status commit();
  /// Finds out what happened where commit() failed. Errors: those of the backend.
  [[nodiscard]] Status find_out();

  [[nodiscard]] size_t size() const { return own_.size(); }
  /// Whether it has its answer; else it is to be sent again.
  [[nodiscard]] bool is_told(size_t i) const { return own_[i].is_told; }
  [[nodiscard]] store::Answer& answer(size_t i) { return own_[i].answer; }
  /// Of all that are to be stored, and of those that are told what nobody was told before.
  [[nodiscard]] std::vector<uint64_t> numbers() const;

  [[nodiscard]] Result<StoredEntry*> at(uint64_t number) const override;
  [[nodiscard]] Result<bool> read_candidate(uint64_t number, std::string_view tag,
                                            store::HeldRecord& held) const override;

  /// Returns who may be what document i repeats, and who is seen of those who have its passages. Until the next call
  /// read_candidate() is about that document.
  [[nodiscard]] Result<store::Candidates> candidates_of(size_t i) const;

 private:
  using Use = BatchLookups::Use;
  using Kind = BatchLookups::Kind;
  // What becomes of a document of the batch.
  struct Own {
    StoredEntry entry;
    Standing standing;
    store::Answer answer;
    std::vector<uint64_t> passages;  // that are recorded
    std::vector<uint32_t> crowded;   // places of its bands that are not
    std::vector<uint64_t> few_keys;  // the others, where there are such
    std::string remembered;          // the body of its record, where it is near another one
    std::vector<uint64_t> erased;    // whose place it takes
    std::span<const uint64_t> keys;  // by which it is found
    std::span<const uint64_t> stands_on;
    bool stands_on_fingerprints = false;
    bool is_stored = false;  // or to be
    bool is_told = false;
  };

  [[nodiscard]] bool decides() const { return purpose_ == Purpose::kCheck || purpose_ == Purpose::kInsert; }
  [[nodiscard]] bool stores() const { return purpose_ != Purpose::kCheck && purpose_ != Purpose::kLook; }
  [[nodiscard]] bool has_open_tag() const;
  [[nodiscard]] std::vector<uint64_t> numbers_to_fetch() const;
  [[nodiscard]] std::optional<size_t> own_place(uint64_t number) const;
  [[nodiscard]] const std::vector<uint64_t>* known_with_id(uint64_t key) const override;
  [[nodiscard]] bool is_recorded(const Use& use) const;
  void add_found(const Use& use, std::vector<uint64_t>& numbers) const;
  void add_sharing(const Use& use, std::vector<uint64_t>& numbers) const;
  void add_near(size_t i, std::vector<uint64_t>& numbers) const;
  [[nodiscard]] Result<std::vector<uint64_t>> first_seen(const Use& use, uint32_t most) const;
  [[nodiscard]] Status add_holdings(const Use& use, std::vector<store::Holding>& holdings) const;
  [[nodiscard]] Status add_first_sharing(const Use& use, store::Candidates& candidates) const;

  Status decide_one(size_t i, UnacknowledgedDocuments& unacknowledged);
  Status decide_arriving(size_t i, const store::Candidates& candidates, UnacknowledgedDocuments& unacknowledged);
  Status plan(size_t i, const store::Candidates& candidates, const store::ArrivalDecision& decision);
  Status settle_same_id(size_t i, std::span<const uint64_t> same_id);
  [[nodiscard]] Result<bool> is_found_by_text(size_t i, const store::Candidates& candidates) const;
  void set_keys(size_t i);
  void set_stands_on(size_t i, const store::ArrivalDecision& decision);
  std::span<const uint64_t> keep(std::vector<uint64_t> words) { return kept_words_.emplace_back(std::move(words)); }

  [[nodiscard]] const StoredEntry& entry_to_erase(uint64_t number) const;
  struct Changes;
  void make_changes(Changes& changes);
  void take_happened(const std::vector<bool>& happened);

  const Purpose purpose_;
  const uint64_t most_compared_;
  std::vector<store::Record> documents_;
  std::vector<const store::Judge*> judges_;
  const store::DocumentKeys keys_;
  const BatchLookups lookups_;
  Found found_;
  std::vector<size_t> num_sure_;             // of each list of found_.by_key
  std::vector<uint32_t> fingerprint_lists_;  // in found_, of each document that has any
  BatchFingerprints fingerprints_;           // of those to be stored
  mutable std::vector<Own> own_;
  std::deque<std::vector<uint64_t>> kept_words_;
  mutable std::vector<uint64_t> with_id_;   // room for known_with_id()
  mutable size_t asking_ = 0;               // the document that candidates_of() was last asked for
  mutable std::vector<uint64_t> doubtful_;  // who may share a band with it, and was not read then; ascending
};

}  // namespace neardup::remote
