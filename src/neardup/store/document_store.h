// Store: documents that come one after the other, each told at once whether it repeats one that came before; durable.
//
// A store knows no words. It finds who may be a duplicate (equal checksums, fingerprints within reach, shared keys) and
// asks a Judge, who knows how texts are compared; documents are compared in the order of their arrival and go to the
// first that is similar, which is what dedup with `--keep first` makes of the same documents in the same order.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/record.h"

namespace neardup::store {

/// How similar two documents are that are duplicates.
struct Likeness {
  float similarity = 1;
  uint32_t distance = 0;
};

/// Compares. Threads: compare() from many at once.
class Judge {
 public:
  virtual ~Judge() = default;
  /// Returns whether `arriving` is a near-duplicate of `stored`. Both have all that their senders gave; they are in the
  /// same category, and have other checksums. Errors end what asked.
  [[nodiscard]] virtual Result<std::optional<Likeness>> compare(const Record& arriving, const Record& stored) const = 0;
};

/// What became of a document that came.
struct Answer {
  Fate fate;
  uint64_t number = 0;       // its own
  std::string kept_id;       // of the document that it repeats; empty for kNew
  bool is_repeated = false;  // it came before, with the same text: this is the answer that it got then
};

struct Statistics {
  uint64_t documents = 0;     // that are not erased
  uint64_t next_number = 0;   // so many numbers were given
  uint64_t log_bytes = 0;     // that a restart reads again
  uint64_t memory_bytes = 0;  // that the indexes keep in memory
};

/// Threads: any member from any number of threads; what changes takes turns.
class Store {
 public:
  virtual ~Store() = default;

  /// Takes documents, of which number and fate are not looked at, and tells for each, in order, what becomes of it;
  /// those before it in the same call count as stored. One that is kNew is kept whole, of any other only that it came.
  /// - The same id with the same checksum: nothing changes, and it gets the answer that it got then.
  /// - The same id with another checksum: it takes the place of the one before, which is erased.
  /// - An equal checksum under another id: kExact, or what its text was told to be near.
  /// Atomic: of two duplicates that come at once exactly one is kNew. When this returns all of it is durable, and
  /// others see it. Errors: nothing of the call counts; kDiskFull goes away by itself once there is room; kIo; those of
  /// the judge; kInvalidArgument (an empty id, another number of fingerprints than the others have).
  [[nodiscard]] virtual Result<std::vector<Answer>> check_and_insert(std::span<const Record> arriving,
                                                                     const Judge& judge) = 0;
  /// The same without changing anything: what would become of each if it came alone.
  [[nodiscard]] virtual Result<std::vector<Answer>> check(std::span<const Record> arriving,
                                                          const Judge& judge) const = 0;
  /// Takes documents as kNew, whatever they repeat; each in the place of the one with its id, if any.
  [[nodiscard]] virtual Status put(std::span<const Record> documents) = 0;
  /// Erases those that are there, and returns how many. Who repeats one of them may be kNew when it comes again.
  [[nodiscard]] virtual Result<uint64_t> erase(std::span<const std::string_view> ids) = 0;
  /// Erases all documents with this tag.
  [[nodiscard]] virtual Result<uint64_t> erase_tag(std::string_view tag) = 0;
  /// Returns whether there is a document of that id, and shows it to `visit`.
  using Visitor = std::function<void(const Record&)>;
  [[nodiscard]] virtual Result<bool> find(std::string_view id, const Visitor& visit) const = 0;
  [[nodiscard]] virtual Result<Statistics> statistics() const = 0;
};

}  // namespace neardup::store
