// The store in a folder of this machine: log, records, keys, fingerprints.
//
// What comes is decided by one writer at a time, appended to a log and shown in memory; the answer waits for the log's
// sync, which serves all who wait. From time to time (a checkpoint) the log is closed and stays as the place of the
// records; what finds them (keys, fingerprints) goes to segments, and the manifest names those and the log from which
// a restart reads. Why it is made so: docs/design/store.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/store/document_store.h"
#include "neardup/store/own_files.h"
#include "neardup/store/settings.h"

namespace neardup::store {

struct StoreOptions {
  /// 0: what is acknowledged is on the disk. Else it is in the file, where a kill of the process leaves it, and a
  /// thread of the store waits so often (milliseconds) for the disk: a loss of power may take what was acknowledged
  /// since the last time, newest first and never one without what came after it. What a failed sync took is told to the
  /// next call that changes anything: once, and nothing of that call counts. The end of the store writes all;
  /// checkpoint() tells whether it could.
  uint32_t sync_every_ms = 0;
  /// Compare at most this many candidates per document, oldest first; 0: no limit. It bounds the cost of a document
  /// that has much in common with many and is near none. Fate::is_truncated says that candidates were left out.
  uint64_t most_compared = 0;
  /// Log size that triggers a checkpoint. Inserts are throttled when twice as much (or 2 MiB) is pending and blocked at
  /// four times (or 4 MiB), unless checkpoints fail.
  uint64_t log_bytes = uint64_t{64} << 20;
  uint32_t map_keys = 1 << 22;  // of a map of keys; 20 bytes each
  bool verify = true;           // checks every byte that is opened, against checksums
  /// create(): another store is to be copied into the new one, which is as after set_copied_into(true) from the moment
  /// on in which it is there.
  bool copied_into = false;
  Context context;  // to stop: opening and checkpoints then fail with kCancelled
};

/// One process writes. Threads: as Store; a thread of its own makes checkpoints.
class EmbeddedStore : public Store {
 public:
  /// Makes an empty store in a folder that is empty or not there, with the files that are given. Errors:
  /// kInvalidArgument, kIo, kDiskFull.
  [[nodiscard]] static Result<std::unique_ptr<EmbeddedStore>> create(const std::string& folder, StoreSettings settings,
                                                                     const StoreOptions& options = {},
                                                                     std::span<const GivenFile> files = {});
  /// Opens one with all that was durable, whatever ended the process before. Errors: kNotFound; kInvalidArgument where
  /// a copy into it was not made to its end (set_copied_into()); kIo where another
  /// process has it open; kCorruption that names what is lost; kMemory.
  [[nodiscard]] static Result<std::unique_ptr<EmbeddedStore>> open(const std::string& folder,
                                                                   const StoreOptions& options = {});
  ~EmbeddedStore() override;

  [[nodiscard]] const StoreSettings& settings() const override;
  [[nodiscard]] std::string file_path(std::string_view name) const override;
  /// Makes a checkpoint now, so that a restart reads little. Errors: kIo, kDiskFull, kMemory, kCancelled; all that was
  /// acknowledged is durable all the same.
  [[nodiscard]] Status checkpoint() override;
  /// Makes a checkpoint that leaves nothing behind: no record of an erased document, one segment of keys, one of
  /// fingerprints. Cost: reads and writes all that is not so yet; others may write meanwhile. Memory: 16 bytes for each
  /// key, and that of a build of the index. Errors: as checkpoint().
  [[nodiscard]] Status compact() override;

  [[nodiscard]] Result<std::vector<Answer>> check_and_insert(std::span<const Record> arriving,
                                                             const Judge& judge) override;
  [[nodiscard]] Result<std::vector<Answer>> check(std::span<const Record> arriving, const Judge& judge) const override;
  [[nodiscard]] Result<StoredNeighbours> query(const Record& document, const Judge& judge, size_t limit) const override;
  [[nodiscard]] Result<std::optional<uint64_t>> find_repeated(const Record& document, const Judge& judge,
                                                              std::span<const uint64_t> but = {}) const override;
  [[nodiscard]] Result<std::vector<uint64_t>> find_holders(const Record& document, size_t most,
                                                           std::span<const uint64_t> but = {}) const override;
  [[nodiscard]] Status put(std::span<const Record> documents) override;
  [[nodiscard]] Result<uint64_t> erase(std::span<const std::string_view> ids,
                                       std::vector<size_t>* missing = nullptr) override;
  [[nodiscard]] Result<uint64_t> erase_tag(std::string_view tag) override;
  [[nodiscard]] Result<uint64_t> expire(int64_t before) override;
  [[nodiscard]] Result<bool> begin_tag(std::string_view tag) override;
  [[nodiscard]] Result<bool> commit_tag(std::string_view tag) override;
  [[nodiscard]] Result<bool> cancel_tag(std::string_view tag) override;
  [[nodiscard]] Result<bool> find(std::string_view id, const Visitor& visit) const override;
  [[nodiscard]] Result<bool> find_number(uint64_t number, const Visitor& visit) const override;
  [[nodiscard]] Result<std::optional<uint64_t>> for_each(uint64_t first, size_t limit,
                                                         const Visitor& visit) const override;
  [[nodiscard]] Result<std::vector<Member>> duplicates_of(std::string_view id, uint64_t first,
                                                          size_t limit) const override;
  [[nodiscard]] Result<std::vector<TagCount>> tags() const override;
  [[nodiscard]] Result<Statistics> statistics() const override;
  [[nodiscard]] Result<std::optional<uint64_t>> for_each_to_copy(uint64_t first, size_t limit,
                                                                 const CopyVisitor& visit) const override;
  [[nodiscard]] Status restore(std::span<const Record> documents) override;
  [[nodiscard]] Status set_copied_into(bool is_so) override;
  /// Makes a checkpoint, and names its files a second time where the file system can: then it takes no room until the
  /// store has removed them.
  [[nodiscard]] Status snapshot(const std::string& folder) override;

 private:
  class Impl;
  explicit EmbeddedStore(std::unique_ptr<Impl> impl);
  [[nodiscard]] static Result<std::unique_ptr<EmbeddedStore>> open_locked(const std::string& folder,
                                                                          const StoreOptions& options);
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::store
