// Store: documents that come one after the other, each told at once whether it repeats one that came before; durable.
//
// A store knows no words. It finds who may be a duplicate (equal checksums, fingerprints within reach, shared keys) and
// asks a Judge, who knows how texts are compared; documents are compared in the order of their arrival and go to the
// first that is similar, which is what dedup with `--keep first` makes of the same documents in the same order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/record.h"
#include "neardup/store/settings.h"

namespace neardup::store {

/// How similar two documents are that are duplicates.
struct Likeness {
  float similarity = 1;
  uint32_t distance = 0;
  bool is_estimate = false;  // the similarity
  bool may_change = false;   // by what is learnt around the document that comes: Judge::lesson_of()
};

/// What is learnt about a document that comes from those that share a key with it: kept whole, or remembered, as they
/// were near one of those. Threads: one at a time.
class Lesson {
 public:
  virtual ~Lesson() = default;
  /// Learns from a stored document, unless it knows enough. In the order of their numbers.
  [[nodiscard]] virtual Status take(const Record& stored) = 0;
  /// Judge::compare() with one that is kept whole, by what was learnt. To be called when all are taken.
  [[nodiscard]] virtual Result<std::optional<Likeness>> compare(const Record& stored) = 0;
  /// Returns the body by which the document that comes is remembered where it is near the kept one of that number;
  /// empty where enough are remembered.
  [[nodiscard]] virtual std::string body_to_remember(uint64_t kept) const = 0;
};

/// So many of those that share a key are read for a lesson, the oldest.
inline constexpr size_t kMostLearntFrom = 256;
/// Where something is learnt many share a form: so many of them are compared at most, the oldest.
inline constexpr size_t kMostComparedLearning = 1000;

/// A stored document, new or contained when it came, has a passage of one that comes.
struct Holding {
  uint32_t passage = 0;  // its place in Record::passages
  uint64_t number = 0;   // the document
  bool operator==(const Holding&) const = default;
  auto operator<=>(const Holding&) const = default;
};

/// A stored document that contains another one.
struct Container {
  uint64_t number = 0;
  float share = 0;  // of the other one, that it holds
};

/// Of those that contain a document: the longest one, of equal ones the first, or all.
enum class Containing : uint8_t { kLongest, kAll };

/// Compares. Threads: compare() and containers_of() from many at once.
class Judge {
 public:
  virtual ~Judge() = default;
  /// Returns whether `arriving` is a near-duplicate of `stored`. Both have all that their senders gave; they are in the
  /// same category, and have other checksums. Errors end what asked.
  [[nodiscard]] virtual Result<std::optional<Likeness>> compare(const Record& arriving, const Record& stored) const = 0;

  /// compare() of one document with others, one after the other.
  using Comparison = std::function<Result<std::optional<Likeness>>(const Record& stored)>;
  /// Returns one for `arriving`, which must outlive it, as must this. What takes long of `arriving` is done once.
  [[nodiscard]] virtual Comparison comparison_of(const Record& arriving) const {
    return [this, &arriving](const Record& stored) { return compare(arriving, stored); };
  }

  /// Returns what is to be learnt of documents around `arriving` before a Likeness counts that may change; null where
  /// nothing is. `arriving` must outlive it, as must this.
  [[nodiscard]] virtual std::unique_ptr<Lesson> lesson_of(const Record& arriving) const {
    static_cast<void>(arriving);
    return nullptr;
  }

  /// Reads a document, which is valid until the next call; null where it is there no more.
  using ReadStored = std::function<Result<const Record*>(uint64_t number)>;
  /// Returns which documents kept whole contain `arriving`, in the order of their numbers; with Containing::kLongest
  /// one at most. `holdings`: who has its passages, of its category and seen by it, ascending, but for documents of an
  /// equal text; of a passage that more than kMostRecorded have perhaps not all, but so many.
  [[nodiscard]] virtual Result<std::vector<Container>> containers_of(const Record& arriving,
                                                                     std::span<const Holding> holdings,
                                                                     Containing which, const ReadStored& read) const {
    static_cast<void>(arriving), static_cast<void>(holdings), static_cast<void>(which), static_cast<void>(read);
    return std::vector<Container>();
  }
};

/// A passage that so many have is not recorded of further ones, as what many have is common: a judge needs to know no
/// more than that. As it may ask for half, some may be erased without one that is common seeming rare.
inline constexpr uint32_t kMostRecorded = 32;

/// What became of a document that came.
struct Answer {
  Fate fate;
  uint64_t number = 0;       // its own
  std::string kept_id;       // of the document that it repeats; empty for kNew
  bool is_repeated = false;  // it came before, with the same text: this is the answer that it got then
};

/// A stored document near one that was asked for.
struct StoredNeighbour {
  std::string id;
  uint64_t number = 0;
  Likeness likeness;          // as the judge gave it; of an exact one the greatest
  bool is_exact = false;      // an equal text
  bool is_container = false;  // not near, but longer: it contains the other one; the similarity is the share of that
};

struct StoredNeighbours {
  std::vector<StoredNeighbour> found;  // most similar first, then in the order in which they came
  bool truncated = false;              // there may be more: a limit was reached
};

/// So many stored documents are compared for one query at most: those with an equal checksum, then the oldest.
inline constexpr size_t kMostCompared = 10000;

/// A document that repeats another one.
struct Member {
  std::string id;
  uint64_t number = 0;
  Fate fate;
};

struct TagCount {
  std::string tag;
  uint64_t documents = 0;  // that are not erased
  bool is_open = false;    // a crawl that is not decided yet
};

/// What a person may want to know of a store, by name: {"persistence", "every change is synced"}.
struct StoreFact {
  std::string name, value;
};

/// What a store holds. A store that has no such thing leaves it 0.
struct Statistics {
  uint64_t documents = 0;    // that are not erased
  uint64_t duplicates = 0;   // of these: repeat another one, and are not kept whole
  uint64_t erased = 0;       // numbers that were given, and whose documents are there no more
  uint64_t next_number = 0;  // so many numbers were given
  uint64_t open_tags = 0;
  uint64_t fingerprint_segments = 0, key_segments = 0, record_files = 0;
  uint64_t log_bytes = 0;             // that waits for a checkpoint: a restart reads it again
  uint64_t disk_bytes = 0;            // of all its files
  uint64_t memory_bytes = 0;          // that the indexes keep in memory
  uint64_t checkpoints = 0;           // made since it was opened
  uint64_t failed_checkpoints = 0;    // of these that were begun since then
  std::string checkpoint_failure;     // of the last one; empty where it was made
  std::vector<StoreFact> facts = {};  // what else there is to know of it: persistence of a server, its layout, ...
};

/// Threads: any member from any number of threads; what changes takes turns.
class Store {
 public:
  virtual ~Store() = default;

  [[nodiscard]] virtual const StoreSettings& settings() const = 0;
  /// Returns where a file lies that the store was given when it was made: on this machine, as long as the store is
  /// open.
  [[nodiscard]] virtual std::string file_path(std::string_view name) const = 0;
  /// Does now what makes opening it again fast; nothing where there is no such thing.
  [[nodiscard]] virtual Status checkpoint() = 0;
  /// Gives back the room of what is erased, and of what else is there no more.
  [[nodiscard]] virtual Status compact() = 0;

  /// Takes documents, of which number and fate are not looked at, and tells for each, in order, what becomes of it;
  /// those before it in the same call count as stored. One that is kNew is kept whole, of any other only that it came.
  /// - The same id with the same checksum: nothing changes, and it gets the answer that it got then.
  /// - The same id with another checksum: it takes the place of the one before, which is erased.
  /// - An equal checksum under another id: kExact, or what its text was told to be near, or contained in.
  /// - What is near none, has passages and is contained in a stored document goes to the longest that contains it.
  /// Atomic: of two duplicates that come at once exactly one is kNew. When this returns all of it is durable, and
  /// others see it. Errors: nothing of the call counts; kDiskFull goes away by itself once there is room; kIo; those of
  /// the judge; kInvalidArgument (an empty id, another number of fingerprints than the others have).
  [[nodiscard]] virtual Result<std::vector<Answer>> check_and_insert(std::span<const Record> arriving,
                                                                     const Judge& judge) = 0;
  /// The same without changing anything: what would become of each if it came alone.
  [[nodiscard]] virtual Result<std::vector<Answer>> check(std::span<const Record> arriving,
                                                          const Judge& judge) const = 0;
  /// Returns the documents kept whole that have the checksum of `document`, or that `judge` says it is near, or
  /// contained in, of its category, `limit` at most: the most similar. Its id is not looked at. `truncated`: there are
  /// more than `limit`, or more than kMostCompared to be compared. Errors: of reading, those of the judge.
  [[nodiscard]] virtual Result<StoredNeighbours> query(const Record& document, const Judge& judge,
                                                       size_t limit) const = 0;
  /// Returns the document kept whole, of its category, that `document` repeats: the first with its checksum, else the
  /// first that `judge` says it is near. Its id is not looked at, nor are the documents with the numbers in `but`,
  /// which ascend. Errors: of reading, those of the judge.
  [[nodiscard]] virtual Result<std::optional<uint64_t>> find_repeated(const Record& document, const Judge& judge,
                                                                      std::span<const uint64_t> but = {}) const = 0;
  /// Returns the documents kept whole, of its category, that have passages of `document`: of each passage the first
  /// `most`, or kMostRecorded, but for those with the numbers in `but`, which ascend. Ascending, each once; none with
  /// its text. Its id is not looked at. Errors: of reading.
  [[nodiscard]] virtual Result<std::vector<uint64_t>> find_holders(const Record& document, size_t most,
                                                                   std::span<const uint64_t> but = {}) const = 0;
  /// Takes documents as kNew, whatever they repeat; each in the place of the one with its id, if any.
  [[nodiscard]] virtual Status put(std::span<const Record> documents) = 0;
  /// Erases those that are there, in open tags too, and returns how many. Who repeats one of them may be kNew when it
  /// comes again. Appends to `missing` which of `ids` there is no document of, ascending.
  [[nodiscard]] virtual Result<uint64_t> erase(std::span<const std::string_view> ids,
                                               std::vector<size_t>* missing = nullptr) = 0;
  /// Erases all documents with this tag, and returns how many; an open tag stays open. Many are erased in several
  /// steps, oldest first, between which others write: where it fails, the first ones may be erased.
  [[nodiscard]] virtual Result<uint64_t> erase_tag(std::string_view tag) = 0;
  /// Erases all documents in no open tag whose time is before `before` (seconds since 1970), as erase_tag() does. One
  /// whose time is 0 (not known) stays. Only times that came with documents are looked at, no clock.
  [[nodiscard]] virtual Result<uint64_t> expire(int64_t before) = 0;

  // Crawls. A tag that was begun is open until it is committed or cancelled. A document that comes with an open tag is
  // seen by those that come with the same tag alone: a crawl that is cancelled leaves nothing that others would repeat.
  // - Its id may be that of a document outside of its tag: then it is compared as if that one were gone, and takes its
  //   place at the commit. Of open tags that hold the same id the one that is committed last has it.
  // - At a commit nothing is compared again: where two crawls brought the same text, both are kept whole.
  // - A document that is there already, with the same id and checksum, gets its answer and keeps its tag.
  // Documents that came with a tag before it was begun are as those of no open tag.
  /// Opens a tag; returns false where it is open already. Errors: kInvalidArgument where it is empty, or too many are
  /// open.
  [[nodiscard]] virtual Result<bool> begin_tag(std::string_view tag) = 0;
  /// Lets all see its documents; returns false where it is not open: a call that is sent again changes nothing.
  [[nodiscard]] virtual Result<bool> commit_tag(std::string_view tag) = 0;
  /// Erases its documents that came since it was begun; returns as commit_tag().
  [[nodiscard]] virtual Result<bool> cancel_tag(std::string_view tag) = 0;

  // Looking around: documents in no open tag. While others write, those that come or go meanwhile may be there or not.
  using Visitor = std::function<void(const Record&)>;
  /// Returns whether there is a document of that id, and shows it to `visit`.
  [[nodiscard]] virtual Result<bool> find(std::string_view id, const Visitor& visit) const = 0;
  /// The same of the document of that number.
  [[nodiscard]] virtual Result<bool> find_number(uint64_t number, const Visitor& visit) const = 0;
  /// Shows documents from number `first` on, ascending, at most `limit`. Returns with which number to go on; nothing
  /// where there are no more.
  [[nodiscard]] virtual Result<std::optional<uint64_t>> for_each(uint64_t first, size_t limit,
                                                                 const Visitor& visit) const = 0;
  /// Returns the documents from number `first` on that repeat the one of that id, ascending, at most `limit`; none
  /// where it is not there.
  [[nodiscard]] virtual Result<std::vector<Member>> duplicates_of(std::string_view id, uint64_t first,
                                                                  size_t limit) const = 0;
  /// Returns all tags of documents that are not erased, and those that are open, by name. Cost: linear in documents,
  /// some nanoseconds each.
  [[nodiscard]] virtual Result<std::vector<TagCount>> tags() const = 0;
  [[nodiscard]] virtual Result<Statistics> statistics() const = 0;

  // Copying to another store (copy_store.h).
  using CopyVisitor = std::function<void(const Record&, bool in_open_tag)>;
  /// for_each() of all documents that are not erased, those in open tags too.
  [[nodiscard]] virtual Result<std::optional<uint64_t>> for_each_to_copy(uint64_t first, size_t limit,
                                                                         const CopyVisitor& visit) const = 0;
  /// Takes documents with the numbers and fates that they have in another store: nothing is decided. One whose tag is
  /// open is in it from then on; one takes the place of those with its id as in check_and_insert(). Requires: numbers
  /// ascend. Errors: kInvalidArgument where a number was given already; others as put().
  [[nodiscard]] virtual Status restore(std::span<const Record> documents) = 0;
  /// Says that another store is copied into this one, or that this is done: until then it is not whole, and nobody
  /// opens it, whatever ends the process that copies. Durable when this returns.
  [[nodiscard]] virtual Status set_copied_into(bool is_so) = 0;

  /// Makes a store of the same kind, or in a folder what a server holds, in a folder that is empty or not there: all
  /// that was acknowledged before the call, and perhaps what comes meanwhile; who writes is not held up. It is durable
  /// when this returns. Errors: kInvalidArgument where the folder is not empty; kIo, kDiskFull: then nothing is left
  /// there.
  [[nodiscard]] virtual Status snapshot(const std::string& folder) = 0;
};

}  // namespace neardup::store
