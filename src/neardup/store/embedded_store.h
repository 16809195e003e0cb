// The store in a folder of this machine: log, records, keys, fingerprints.
//
// What comes is decided by one writer at a time, appended to a log and shown in memory; the answer waits for the log's
// sync, which serves all who wait. From time to time (a checkpoint) the log is closed and stays as the place of the
// records; what finds them (keys, fingerprints) goes to segments, and the manifest names those and the log from which
// a restart reads. Why it is made so: docs/design/store.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "neardup/base/context.h"
#include "neardup/store/document_store.h"

namespace neardup::store {

/// What a store is, fixed when it is made.
struct StoreSettings {
  uint32_t num_fingerprints = 0;  // of each document that has any
  int max_distance = 3;           // bits: who is no further in one fingerprint is compared
  std::string recipe_id;          // empty: not known
  std::string recipe_json;
  bool operator==(const StoreSettings&) const = default;
};

struct StoreOptions {
  uint64_t log_bytes = uint64_t{64} << 20;  // of a log that makes a checkpoint due
  uint32_t map_keys = 1 << 22;              // of a map of keys; 20 bytes each
  bool verify = true;                       // checks every byte that is opened, against checksums
  Context context;                          // to stop: opening and checkpoints then fail with kCancelled
};

/// One process writes. Threads: as Store; a thread of its own makes checkpoints.
class EmbeddedStore : public Store {
 public:
  /// Makes an empty store in a folder that is empty or not there. Errors: kInvalidArgument, kIo, kDiskFull.
  [[nodiscard]] static Result<std::unique_ptr<EmbeddedStore>> create(const std::string& folder, StoreSettings settings,
                                                                     const StoreOptions& options = {});
  /// Opens one with all that was durable, whatever ended the process before. Errors: kNotFound; kIo where another
  /// process has it open; kCorruption that names what is lost; kMemory.
  [[nodiscard]] static Result<std::unique_ptr<EmbeddedStore>> open(const std::string& folder,
                                                                   const StoreOptions& options = {});
  ~EmbeddedStore() override;

  [[nodiscard]] const StoreSettings& settings() const;
  /// Makes a checkpoint now, so that a restart reads little. Errors: kIo, kDiskFull, kMemory, kCancelled; all that was
  /// acknowledged is durable all the same.
  [[nodiscard]] Status checkpoint();

  [[nodiscard]] Result<std::vector<Answer>> check_and_insert(std::span<const Record> arriving,
                                                             const Judge& judge) override;
  [[nodiscard]] Result<std::vector<Answer>> check(std::span<const Record> arriving, const Judge& judge) const override;
  [[nodiscard]] Status put(std::span<const Record> documents) override;
  [[nodiscard]] Result<uint64_t> erase(std::span<const std::string_view> ids) override;
  [[nodiscard]] Result<uint64_t> erase_tag(std::string_view tag) override;
  [[nodiscard]] Result<bool> find(std::string_view id, const Visitor& visit) const override;
  [[nodiscard]] Result<Statistics> statistics() const override;

 private:
  class Impl;
  explicit EmbeddedStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::store
