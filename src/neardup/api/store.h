// Store: documents that come one after the other, each with its verdict at once, kept for good in a folder or by a
// server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/api/deduplicator.h"
#include "neardup/api/matching.h"

namespace neardup {

/// What is kept of each document so that others can be compared with it.
enum class Records : uint8_t {
  kTokens,     // all that the rule looks at: 4 bytes for each word
  kSignature,  // signatures alone: similarities are estimates
  kNone,       // nothing: who shares a band, or is within reach, is a duplicate
};

/// What a store is, for good.
struct StoreOptions {
  Matching matching = {};
  Records records = Records::kTokens;
  bool keep_texts = false;
  double contained = 0;  // as in Deduplicator; 0: nobody looks. Asks for Records::kTokens
};

/// What a store that is there must be. What is empty is not asked, nor is a recipe that is not set.
struct AskedOfStore {
  Matching matching = {.recipe = Recipe()};
  std::optional<Records> records = {};
  std::optional<bool> keep_texts = {};
  std::optional<double> contained = {};
};

/// A document that comes.
struct NewDocument {
  std::string_view id = {};      // not empty
  std::string_view text = {};    // any bytes; what is no UTF-8 is repaired
  bool is_html = false;          // a page: its main text counts
  std::string_view within = {};  // category: only documents of the same one are compared
  std::string_view tag = {};     // of the crawl that brings it
  int64_t time = 0;              // seconds since 1970-01-01; 0: now
};

/// A stored document near another one.
struct StoredNear {
  std::string id = {};
  double similarity = 1;
  int distance = 0;  // of signatures in values, of fingerprints in bits
  bool is_exact = false;
  bool is_estimate = false;
  bool is_container =
      false;  // longer, and holds so much of it that it would be kContained: the similarity says how much
};

struct StoredNears {
  std::vector<StoredNear> found = {};  // most similar first, then in the order in which they came
  bool truncated = false;              // there may be more
};

/// Gives the verdicts of a Deduplicator, and keeps what it was told: when a call returns, what it did is on the disk
/// and seen by all. The same folder as `neardup index` and `neardup serve` have.
/// A place is a folder, or redis://[user:password@]host:port/prefix or hbase://host:port/table:
/// then that server keeps the store, as durably as it is set to, any number of processes have it open at once, and
/// where a call fails some of its documents may be stored: the same call again mends it, with the same verdicts.
/// An id names one document: with another text it takes the place of the one before; with the same text it gets the
/// verdict that it had, so that a call can be made again.
/// One process has a store in a folder open. One that was moved from holds nothing: all else but moving to it is
/// kInvalidArgument. Cost: that of a Deduplicator, and a sync of the disk for each call, which calls of many threads
/// share. Memory: some 130 bytes a document with MinHash, the newest ones apart. Threads: any member from any number at
/// once.
class Store {
 public:
  /// Makes an empty store in a folder that is empty or not there, or on a server that has none of that name; what
  /// `matching` names (IDF, commonness) is copied into it. Errors: as Deduplicator::create(); kInvalidArgument where
  /// something is there, kIo, kDiskFull; kUnsupported for a URI of anything else.
  [[nodiscard]] static Result<Store> create(const std::string& place, const StoreOptions& options = {});
  /// Opens one, whatever ended the process that had it open before. Errors: kNotFound; kIo where another process has it
  /// open, or its server cannot be reached; kCorruption that names what is lost; kInvalidArgument where the folder
  /// holds something else, or a copy into it was not made to its end.
  [[nodiscard]] static Result<Store> open(const std::string& place);
  /// The same of one that must be so. Errors: also kMismatch, with what is asked, what the store has, and the cure;
  /// those of create() where nothing could be so.
  [[nodiscard]] static Result<Store> open(const std::string& place, const AskedOfStore& asked);
  /// Returns whether a store is there. Errors: kIo of a server that cannot be reached; kUnsupported for a URI of
  /// anything else.
  [[nodiscard]] static Result<bool> is_there(const std::string& place);
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Tells of each document, in order, whether it is new, and keeps it; those before it count. All or nothing, but on a
  /// server, where some may be kept when it fails (above). Of two duplicates that come at once exactly one is new.
  /// Errors: kInvalidArgument (no id), kIo; kDiskFull, after which calls succeed again once there is room.
  [[nodiscard]] Result<std::vector<Arrival>> check_and_insert(std::span<const NewDocument> documents);
  [[nodiscard]] Result<Arrival> check_and_insert(std::string_view id, std::string_view text);
  /// What each would be told if it came alone; nothing changes.
  [[nodiscard]] Result<std::vector<Arrival>> check(std::span<const NewDocument> documents) const;
  /// Keeps all, whatever they repeat.
  [[nodiscard]] Status insert(std::span<const NewDocument> documents);
  /// Returns the kept documents that are equal or similar to one, or contain it, at most `limit`; its id is not looked
  /// at.
  [[nodiscard]] Result<StoredNears> query(const NewDocument& document, size_t limit = 10) const;

  /// Erases the documents with these ids that are there, and returns how many. Who repeats one of them may be new when
  /// it comes again.
  [[nodiscard]] Result<uint64_t> erase(std::span<const std::string_view> ids);
  [[nodiscard]] Result<uint64_t> erase_tag(std::string_view tag);
  /// Erases what came before a time, in seconds since 1970-01-01.
  [[nodiscard]] Result<uint64_t> expire(int64_t before);

  /// Begins a crawl: from now on documents with this tag count for each other alone, until it is committed; cancelled,
  /// they are as if they had never come. False: it was begun already, or none is open.
  [[nodiscard]] Result<bool> begin_tag(std::string_view tag);
  [[nodiscard]] Result<bool> commit_tag(std::string_view tag);
  [[nodiscard]] Result<bool> cancel_tag(std::string_view tag);

  /// Returns how many documents it knows, duplicates counted.
  [[nodiscard]] Result<uint64_t> size() const;

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  [[nodiscard]] Status check_there() const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup
