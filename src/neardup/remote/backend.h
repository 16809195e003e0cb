// Backend: what a server must do for a store: look up, read, and change all or nothing as long as what was looked at is
// still so.
//
// A Backend knows three things, as the store in a folder does: keys (64-bit hashes of ids, texts, tags, bands and
// passages, store/document_keys.h) that lead to numbers of documents, fingerprints that lead to numbers, and records by
// number. It decides nothing: RemoteStore (remote_store.h) asks, decides on the client, and commits with what it saw;
// where another client changed any of that meanwhile, nothing happens and it asks again.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/remote/number_lists.h"
#include "neardup/store/document_store.h"
#include "neardup/store/settings.h"

namespace neardup::remote {

/// What is looked up in one go.
struct Question {
  std::span<const uint64_t> keys;
  /// Fingerprints of documents, store::num_words(settings) for each: the fingerprint of place p is compared with those
  /// of place p alone.
  std::span<const uint64_t> fingerprints;
  /// So many numbers are reserved in the same go, as reserve_numbers() does.
  uint64_t reserve = 0;
  /// Whether commit() is to hold against what was seen: else nothing is kept for it.
  bool to_commit = false;
};

/// What a Backend remembers of what it read: lengths of lists, a position in a log. Its own kind each.
class Seen {
 public:
  virtual ~Seen() = default;
};

struct Found {
  NumberLists by_key;          // of each key the numbers, ascending, each once, and perhaps some of other keys
  NumberLists by_fingerprint;  // of each document's fingerprints: who is within max_distance in one place; likewise
  /// What all clients share beside documents (open tags), as the last change of it said; empty at first.
  std::string shared;
  uint64_t first_reserved = 0;
  std::shared_ptr<const Seen> seen;  // null unless to_commit
};

/// A document that is stored: how it is found, and its bytes.
struct StoredDocument {
  uint64_t number = 0;
  std::string_view record;                 // any bytes; what read() gives back. Of one that is erased not looked at
  std::span<const uint64_t> keys;          // some perhaps twice
  std::span<const uint64_t> fingerprints;  // words; none or store::num_words(settings)
};

/// The number of a document that is there already is to be found under one more key.
struct Posting {
  uint64_t key = 0, number = 0;
};

/// What happens as a whole, or not at all.
struct Change {
  // On whose lists it stands: it happens only if nothing came to them, or went, since they were looked up, but for what
  // the changes before it in the same call did; and if these did all that they were to do to them. They were asked for
  // by Question.
  std::span<const uint64_t> keys;
  std::span<const uint64_t> fingerprints;

  std::span<const StoredDocument> added;   // one at most but for copies of whole stores
  std::span<const StoredDocument> erased;  // with the keys and fingerprints under which they are found
  std::span<const Posting> postings;
  /// Takes the place of Found::shared. Every change stands on that, too.
  std::optional<std::string_view> shared;
  // What is counted: how many more there are, or fewer.
  int64_t documents = 0, duplicates = 0, erased_documents = 0;
};

/// What a server says of a store.
struct BackendFigures {
  uint64_t documents = 0, duplicates = 0, erased = 0;  // as commits counted them
  uint64_t next_number = 0;
  bool documents_vanish = false;  // after a time, without being counted as erased
  uint64_t memory_bytes = 0;      // of the server, for this store as far as it can tell
  uint64_t disk_bytes = 0;        // likewise
  std::vector<store::StoreFact> facts;
};

/// Threads: any member from any number at once; each call uses a connection of its own out of a pool. Errors of all
/// members: kIo where the server cannot be reached, does not answer in time or refuses, or the store was dropped since
/// it was opened, with the cure; kMemory where it has none left (nothing of the call happened), or this process has
/// none for its answer; kCorruption where it holds what no store wrote. Where an answer did not come, a commit may have
/// happened or not, and the same call again mends it.
class Backend {
 public:
  virtual ~Backend() = default;

  /// Fixed when the store was made.
  [[nodiscard]] virtual const store::StoreSettings& settings() const = 0;
  /// Where a file lies that the store was given: fetched when it was opened, into a folder that ends with this.
  [[nodiscard]] virtual std::string file_path(std::string_view name) const = 0;

  /// Returns the first of `count` numbers that nobody else gets, greater than all before.
  [[nodiscard]] virtual Result<uint64_t> reserve_numbers(uint64_t count) = 0;
  /// Complete: whoever was committed before the call under a key, or within max_distance bits in a fingerprint of the
  /// same place, and is not erased, is found; perhaps some that were erased (read() tells), and under a key some that
  /// have another one, as a server may keep few bits of it: StoredRecords::sift() leaves them out by their records.
  [[nodiscard]] virtual Result<Found> look_up(const Question& question) = 0;
  /// Returns the records of documents, in order; empty where one is not there.
  [[nodiscard]] virtual Result<std::vector<std::string>> read(std::span<const uint64_t> numbers) = 0;
  /// Returns the numbers of documents from `first` on, ascending, at most `limit`; none where there are no more.
  [[nodiscard]] virtual Result<std::vector<uint64_t>> numbers_from(uint64_t first, size_t limit) = 0;

  /// Makes changes one after the other, durably as far as the server's own settings promise, and returns for each
  /// whether it happened: one that did not is to be looked up again. `seen`: of the look_up() of all keys and
  /// fingerprints that they stand on. Where it fails some may have happened: whoever looks up again finds them, so a
  /// change that is tried again never happens twice. Requires: numbers of `added` were reserved.
  [[nodiscard]] virtual Result<std::vector<bool>> commit(const Seen& seen, std::span<const Change> changes) = 0;
  /// Whether any two commits of different callers are in each other's way (one log of all), so that calls that come at
  /// once had better be one commit.
  [[nodiscard]] virtual bool commits_in_turn() const = 0;

  /// Gives back room.
  [[nodiscard]] virtual Status compact() = 0;
  [[nodiscard]] virtual Result<BackendFigures> figures() = 0;

  /// How long a server that is not there is waited for: RemoteOptions::connect_timeout.
  [[nodiscard]] std::chrono::milliseconds connect_limit() const { return connect_limit_; }
  /// Requires: nothing else is called meanwhile.
  void set_connect_limit(std::chrono::milliseconds limit) { connect_limit_ = limit; }

 private:
  std::chrono::milliseconds connect_limit_{5000};
};

}  // namespace neardup::remote
