// What a store holds at one moment: records, what finds them, and which are erased.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/bands/key_index.h"
#include "neardup/base/result.h"
#include "neardup/store/change.h"
#include "neardup/store/document_facts.h"
#include "neardup/store/document_keys.h"
#include "neardup/store/fingerprint_index.h"
#include "neardup/store/number_set.h"
#include "neardup/store/open_tags.h"
#include "neardup/store/record.h"
#include "neardup/store/record_file.h"
#include "neardup/store/stored_view.h"

namespace neardup::store {

/// What became of those whose id a document has that came.
struct Replacement {
  std::vector<uint64_t> erased;                             // their place was taken
  std::vector<std::pair<std::string, uint64_t>> at_commit;  // open tag, and whose place it takes when it is committed
};

/// A moment, to ask later what came since.
struct StateStamp {
  bands::KeyView keys;
  uint64_t end = 0;     // the number behind the last document
  uint64_t shifts = 0;  // so often others came to be seen that were there: not erased after all, or of another tag
};

/// Threads: const members from any number; those that change by one at a time, beside them.
class StoreState final : public StoredView {
 public:
  StoreState(std::unique_ptr<bands::KeyIndex> keys, std::unique_ptr<FingerprintIndex> index);

  /// Adds a document whose number is greater than all before; `logged` are the bytes of its change, `keys` those by
  /// which it is found. Where its tag is open it is seen by documents of that tag alone. Where it fails, or throws for
  /// memory, the document may be there in part: whoever called make_room() erases it. Errors: those of the index.
  [[nodiscard]] Status add(const Record& document, std::span<const uint64_t> keys, std::string logged);
  /// From here on erase() and restore() of `number` cannot fail.
  void make_room(uint64_t number);
  /// Lets it take the place of documents with its id: at once of those that are in its tag, or as it in no open tag;
  /// of others at the commit of an open tag. `replacement` tells what is done also where this throws for memory.
  void take_place(const Record& document, std::span<const uint64_t> same_id, Replacement& replacement);
  /// Takes it back. Never throws.
  void take_back(const Replacement& replacement) noexcept;
  /// Erases all of them; none where it throws for memory.
  void erase(std::span<const uint64_t> numbers);
  /// Gives up numbers from `first` on and before `end`: no document was added under any of them. Cost: next to nothing.
  void leave_out(uint64_t first, uint64_t end);
  /// Lets the log that goes on begin with document `first` where nothing was added to it; returns whether that is so.
  bool begin_at(uint64_t first);
  /// Takes back an erasure. Never throws.
  void restore(std::span<const uint64_t> numbers) noexcept;

  [[nodiscard]] bool is_live(uint64_t number) const;
  /// Returns whether a document that comes with `tag` sees it: it is live, and in the same open tag or in none, and no
  /// document of the tag is about to take its place.
  [[nodiscard]] bool is_seen(uint64_t number, std::string_view tag) const;
  /// Returns whether it sees all of them.
  [[nodiscard]] bool sees_all(std::span<const uint64_t> numbers, std::string_view tag) const;
  /// Returns the numbers of the live documents with this id, ascending: one in all open tags, and one beside. Errors:
  /// of reading.
  [[nodiscard]] Result<std::vector<uint64_t>> find_ids(std::string_view id) const;
  /// Returns the one of them that a document with `tag` sees.
  [[nodiscard]] Result<std::optional<uint64_t>> find_id(std::string_view id, std::string_view tag) const;
  /// Returns the numbers of documents with this tag, ascending; of those that are erased perhaps not all.
  [[nodiscard]] Result<std::vector<uint64_t>> find_tag(std::string_view tag) const;
  /// Returns the first `limit` numbers from `first` on of documents that repeat `kept`, ascending, and perhaps those of
  /// a few others: erased or not, in whatever tag.
  [[nodiscard]] std::vector<uint64_t> find_duplicates(uint64_t kept, uint64_t first, size_t limit) const;
  /// Returns the keys by which a document is to be found whose fate is decided, and which is not added yet: that of its
  /// text where others need it. Threads: those that change.
  [[nodiscard]] std::vector<uint64_t> keys_to_add(const Record& document) const;
  /// Makes each list one of live documents, each once, ascending.
  void keep_live(std::span<std::vector<uint64_t>* const> lists) const;
  /// Makes it one of those among them that a document with `tag` sees.
  void keep_seen(std::vector<uint64_t>& numbers, std::string_view tag) const;

  /// Returns this moment: to be taken before anything is looked up.
  [[nodiscard]] StateStamp stamp() const;
  /// Returns whether a document that has one of `keys` may have come since, or one that was there may be
  /// seen now.
  [[nodiscard]] bool may_have_come_since(const StateStamp& stamp, std::span<const uint64_t> keys) const;
  /// Returns whether a document within reach may have come since. Threads: those that change.
  [[nodiscard]] bool may_be_within_reach_since(const StateStamp& stamp, const Record& document) const {
    return index_->may_be_within_reach_since(stamp.end, document.fingerprints);
  }
  /// Reads a document, erased or not, and returns whether it is there: of one that is erased the record may be gone.
  /// Errors: kIo, kCorruption.
  [[nodiscard]] Result<bool> read(uint64_t number, HeldRecord& held) const override;
  /// Candidates are asked for what is seen when they are found.
  [[nodiscard]] Result<bool> read_candidate(uint64_t number, std::string_view, HeldRecord& held) const override {
    return read(number, held);
  }
  [[nodiscard]] Result<bool> sees(std::string_view tag, uint64_t number) const override { return is_seen(number, tag); }
  [[nodiscard]] Result<std::vector<uint64_t>> kept_whole(const std::vector<uint64_t>& numbers) const override {
    return with_fingerprints(numbers);
  }
  /// Returns the first documents from `first` on that are live and in no open tag, at most `limit`.
  [[nodiscard]] std::vector<uint64_t> numbers_from(uint64_t first, size_t limit) const;
  struct LiveNumber {
    uint64_t number = 0;
    bool in_open_tag = false;
  };
  /// Returns the first documents from `first` on that are live, at most `limit`.
  [[nodiscard]] std::vector<LiveNumber> live_from(uint64_t first, size_t limit) const;
  /// Calls `visit` with the facts of documents, ascending, of each log in which some time that is known is before
  /// `before`, of all logs where that is nothing. Errors: of reading, those of `visit`.
  [[nodiscard]] Status for_each_facts(std::optional<int64_t> before,
                                      const std::function<Status(const DocumentFacts&)>& visit) const;

  // Open tags.
  void open_tag(std::string_view tag);
  /// As OpenTags::close() and reopen().
  OpenTags::Closed close_tag(std::string_view tag) noexcept;
  void reopen_tag(OpenTags::Closed tag) noexcept;
  [[nodiscard]] OpenTags open_tags() const;
  void set_open_tags(OpenTags tags);
  [[nodiscard]] bool is_open(std::string_view tag) const;
  [[nodiscard]] size_t num_open_tags() const;
  /// Returns the live documents of an open tag, ascending; none where it is not open.
  [[nodiscard]] std::vector<uint64_t> documents_of(std::string_view tag) const;
  /// Returns those whose place they take at a commit: live and in no open tag.
  [[nodiscard]] std::vector<uint64_t> superseded_by(std::string_view tag) const;

  // Records on their way from memory to files.
  /// Adds a closed log: its documents are newer than all so far.
  void add_file(std::shared_ptr<const RecordFile> file);
  /// From now on records belong to the next log, whose first document has this number.
  void begin_log(uint64_t first);
  /// Takes that back, as long as nothing was added.
  void take_back_log() noexcept;
  /// Puts a file in the place of the oldest records in memory.
  void close_log(std::shared_ptr<const RecordFile> file);

  /// Puts a file in the place of those that it was made of. Requires: what it leaves out is erased.
  void replace_files(std::span<const std::shared_ptr<const RecordFile>> from, std::shared_ptr<const RecordFile> file);
  [[nodiscard]] std::vector<std::shared_ptr<const RecordFile>> files() const;

  [[nodiscard]] NumberSet erased() const;
  [[nodiscard]] uint64_t num_erased() const;
  /// Returns how many documents there are that are not erased and are duplicates.
  [[nodiscard]] uint64_t num_duplicates() const;
  [[nodiscard]] size_t num_files() const;
  /// Returns those of which the index may hold fingerprints.
  [[nodiscard]] std::vector<uint64_t> with_fingerprints(const std::vector<uint64_t>& documents) const;
  void set_erased(NumberSet erased);
  [[nodiscard]] bands::KeyIndex& keys() { return *keys_; }
  [[nodiscard]] const bands::KeyIndex& keys() const { return *keys_; }
  [[nodiscard]] FingerprintIndex& index() { return *index_; }
  [[nodiscard]] const FingerprintIndex& index() const { return *index_; }
  [[nodiscard]] uint64_t size_bytes() const;

 private:
  struct OpenLog {
    uint64_t first = 0;
    std::vector<std::string> records;  // of first, first + 1, ...; empty: none
    uint64_t size_bytes = 0;           // of the records
    DocumentFacts facts;
  };
  // The closed log that has the number of a document, or might: the last one that begins before it.
  [[nodiscard]] std::shared_ptr<const RecordFile> file_of(uint64_t number) const;
  [[nodiscard]] Result<bool> read_bytes(uint64_t number, std::string& bytes) const;
  [[nodiscard]] bool is_live_locked(uint64_t number) const { return number < end_ && !erased_.contains(number); }
  void erase_locked(uint64_t number) noexcept;
  [[nodiscard]] std::vector<uint64_t> numbers_of(uint64_t key) const;

  std::unique_ptr<bands::KeyIndex> keys_;
  std::unique_ptr<FingerprintIndex> index_;

  mutable std::shared_mutex mutex_;  // of all below
  std::vector<std::shared_ptr<const RecordFile>> files_;
  std::vector<OpenLog> open_;  // the last grows
  NumberSet erased_;
  NumberSet duplicates_;  // erased or not
  uint64_t erased_duplicates_ = 0;
  OpenTags tags_;
  uint64_t end_ = 0;  // behind the last document
  uint64_t shifts_ = 0;
};

}  // namespace neardup::store
