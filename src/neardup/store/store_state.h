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
#include "neardup/fingerprint/value.h"
#include "neardup/store/change.h"
#include "neardup/store/number_set.h"
#include "neardup/store/record.h"
#include "neardup/store/record_file.h"
#include "neardup/store/updatable_index.h"

namespace neardup::store {

/// A record that was read, and what it views. Valid until the next one is read into it.
class HeldRecord {
 public:
  HeldRecord() = default;
  HeldRecord(const HeldRecord&) = delete;
  HeldRecord& operator=(const HeldRecord&) = delete;
  [[nodiscard]] const Record& operator*() const { return record_; }
  [[nodiscard]] const Record* operator->() const { return &record_; }

 private:
  friend class StoreState;
  std::string bytes_;
  ChangeReader reader_;
  Record record_;
};

/// Threads: const members from any number; those that change by one at a time, beside them.
class StoreState {
 public:
  /// `index` holds fingerprints under number * num_fingerprints + which.
  StoreState(uint32_t num_fingerprints, int max_distance, std::unique_ptr<bands::KeyIndex> keys,
             std::unique_ptr<UpdatableIndex<fingerprint::Fingerprint>> index);

  /// Adds a document whose number is greater than all before; `logged` are the bytes of its change. Errors:
  /// those of the index.
  [[nodiscard]] Status add(const Record& document, std::string logged);
  void erase(std::span<const uint64_t> numbers);
  /// Takes back an erasure.
  void restore(std::span<const uint64_t> numbers);

  [[nodiscard]] bool is_live(uint64_t number) const;
  /// Returns the number of the document with this id. Errors: of reading.
  [[nodiscard]] Result<std::optional<uint64_t>> find_id(std::string_view id) const;
  /// Returns the numbers of live documents with this tag, ascending.
  [[nodiscard]] Result<std::vector<uint64_t>> find_tag(std::string_view tag) const;
  /// Returns the numbers of live documents that have the checksum and category of `document`, ascending, and perhaps
  /// those of a few others.
  [[nodiscard]] std::vector<uint64_t> find_equal(const Record& document) const;
  /// The same of those that share a key or are within reach.
  [[nodiscard]] std::vector<uint64_t> find_near(const Record& document) const;
  /// Reads a document, erased or not. Errors: kIo, kCorruption.
  [[nodiscard]] Status read(uint64_t number, HeldRecord& held) const;

  // Records on their way from memory to files.
  /// Adds a closed log: its documents are newer than all so far.
  void add_file(std::shared_ptr<const RecordFile> file);
  /// From now on records belong to the next log, whose first document has this number.
  void begin_log(uint64_t first);
  /// Puts a file in the place of the oldest records in memory.
  void close_log(std::shared_ptr<const RecordFile> file);

  [[nodiscard]] NumberSet erased() const;
  void set_erased(NumberSet erased);
  [[nodiscard]] bands::KeyIndex& keys() { return *keys_; }
  [[nodiscard]] const bands::KeyIndex& keys() const { return *keys_; }
  [[nodiscard]] UpdatableIndex<fingerprint::Fingerprint>& index() { return *index_; }
  [[nodiscard]] uint64_t size_bytes() const;

 private:
  struct OpenLog {
    uint64_t first = 0;
    std::vector<std::string> records;  // of first, first + 1, ...; empty: none
  };
  [[nodiscard]] Status read_bytes(uint64_t number, std::string& bytes) const;
  void keep_live(std::vector<uint64_t>& numbers) const;
  [[nodiscard]] std::vector<uint64_t> numbers_of(std::span<const uint64_t> keys) const;
  void add_within_reach(const Record& document, std::vector<uint64_t>& numbers) const;

  uint32_t num_fingerprints_;
  int max_distance_;
  std::unique_ptr<bands::KeyIndex> keys_;
  std::unique_ptr<UpdatableIndex<fingerprint::Fingerprint>> index_;

  mutable std::shared_mutex mutex_;  // of all below
  std::vector<std::shared_ptr<const RecordFile>> files_;
  std::vector<OpenLog> open_;  // the last grows
  NumberSet erased_;
  uint64_t end_ = 0;  // behind the last document
};

}  // namespace neardup::store
