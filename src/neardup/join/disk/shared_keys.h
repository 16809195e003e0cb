// Which rows have keys in common, and how many: candidates from an inverted index that is sorted, not looked up.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/context.h"

namespace neardup::join {

struct SharedKeysOptions {
  std::string folder;               // for scratch files; must exist
  uint64_t postings_memory = 0;     // for (key, row); beyond that they are sorted on disk
  uint64_t pairs_memory = 0;        // for pairs, likewise
  uint32_t most_rows = UINT32_MAX;  // a key that more rows have is common: it pairs nobody
  int num_threads = 1;              // of add()
  Context context = {};
};

/// Two rows, better < worse, that have `num_keys` keys in common that are not common.
struct SharedKeyPair {
  uint32_t better = 0, worse = 0;
  uint64_t num_keys = 0;
  bool operator==(const SharedKeyPair&) const = default;
};

/// Says of two rows, better < worse, whether the pair is wanted. Called by one thread.
using WantedPair = std::function<bool(uint32_t better, uint32_t worse)>;

/// Collects the keys of rows, then delivers the pairs of rows that share some, sorted by (worse, better), each once.
/// A key that m <= most_rows rows have makes m * (m - 1) / 2 pairs at most, so the work grows with the number of keys,
/// however many rows have one of them. The result is the same for any memory and threads.
/// Disk, where memory is short: 16 bytes for each key of a row, and for each pair and key, each at most twice.
class SharedKeys {
 public:
  [[nodiscard]] static Result<SharedKeys> create(uint32_t num_rows, const SharedKeysOptions& options);
  SharedKeys(SharedKeys&& other) noexcept;
  SharedKeys& operator=(SharedKeys&& other) noexcept;
  ~SharedKeys();

  /// Adds the keys of a row, each once. A row is added at most once. Errors: kDiskFull, kIo.
  /// Requires: row < num_rows, thread < num_threads. Threads: many at once, each with its own `thread`.
  [[nodiscard]] Status add(uint32_t row, std::span<const uint64_t> keys, int thread);
  /// Pairs the rows. After it comes all below. Errors: kDiskFull, kIo, kCancelled.
  [[nodiscard]] Status finish(const WantedPair& wanted);
  /// Returns the next pairs, valid until the next call; empty at the end. Errors: kIo.
  [[nodiscard]] Result<std::span<const SharedKeyPair>> next();

  /// How many keys `row` has that are not common.
  [[nodiscard]] uint32_t num_own_keys(uint32_t row) const;
  /// Whether it has any that are. Threads: many at once, here and below.
  [[nodiscard]] bool has_common_keys(uint32_t row) const;
  /// Whether more than most_rows rows have `key`.
  [[nodiscard]] bool is_common(uint64_t key) const;
  [[nodiscard]] uint64_t num_common_keys() const;

 private:
  struct Impl;
  explicit SharedKeys(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace neardup::join
