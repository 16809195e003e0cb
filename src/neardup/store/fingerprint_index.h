// The fingerprints of a store's documents, of 64 or 128 bits: who is within reach of one that comes.
//
// The one place of a store that knows how wide they are: all else holds them as words of 64 bits, as records do.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/store/embedded_store.h"
#include "neardup/store/manifest.h"
#include "neardup/store/record.h"
#include "neardup/store/updatable_index.h"

namespace neardup::store {

/// Returns whether fingerprints may have so many bits.
[[nodiscard]] constexpr bool is_width(uint32_t num_bits) { return num_bits == 64 || num_bits == 128; }
/// Returns the greatest distance that is offered for them.
[[nodiscard]] constexpr int greatest_distance(uint32_t num_bits) { return static_cast<int>(num_bits / 4); }
/// Returns how many words the fingerprints of a document have that has any.
[[nodiscard]] constexpr size_t num_words(const StoreSettings& settings) {
  return size_t{settings.num_fingerprints} * (settings.num_bits / 64);
}

/// Threads: const members from any number; those that change by one at a time, beside them.
class FingerprintIndex {
 public:
  /// Writes the files of a segment under a number.
  using WriteSegment = std::function<Result<SegmentFiles>(uint64_t segment, uint64_t file_number)>;
  /// Called with the numbers of all segments, oldest first, before readers see them: to store them. Never two calls at
  /// once, in the background too.
  using Commit = std::function<Status(std::span<const uint64_t> segments, const WriteSegment& write)>;
  /// Calls with i and the number of each document within reach of documents[i], erased or not.
  using Found = std::function<void(size_t i, uint64_t number)>;

  /// Opens the segments that a manifest names, in `folder`. Requires: is_width(settings.num_bits). Errors: kNotFound,
  /// kIo, kCorruption, kMemory, kCancelled.
  [[nodiscard]] static Result<std::unique_ptr<FingerprintIndex>> open(const std::string& folder,
                                                                      const StoreSettings& settings,
                                                                      const std::vector<SegmentFiles>& segments = {},
                                                                      const StoreOptions& options = {},
                                                                      Commit commit = {});
  virtual ~FingerprintIndex() = default;

  /// Returns how many each document has that has any.
  [[nodiscard]] virtual uint32_t num_fingerprints() const = 0;
  /// Adds those of a document whose number is greater than all before. Requires: num_words() of them. Errors: those of
  /// UpdatableIndex::insert(), as of all that changes.
  [[nodiscard]] virtual Status add(uint64_t number, std::span<const uint64_t> words) = 0;
  /// Fingerprints are compared with those of the same place alone.
  virtual void find_within_reach(std::span<const Record> documents, const Found& found) const = 0;
  /// Returns whether a document of number `first` or a later one may be within reach of these: true also where some of
  /// them are not kept apart any more. Threads: those that change.
  [[nodiscard]] virtual bool may_be_within_reach_since(uint64_t first, std::span<const uint64_t> words) const = 0;
  /// Takes documents out; they are found until then.
  [[nodiscard]] virtual Status erase(std::span<const uint64_t> documents) = 0;
  /// Those of UpdatableIndex.
  virtual void resume() = 0;
  virtual void keep_in_memory(bool keeps) = 0;
  [[nodiscard]] virtual Status flush() = 0;
  [[nodiscard]] virtual Status compact() = 0;
  [[nodiscard]] virtual UpdateFigures figures() const = 0;
  /// Returns the numbers of its segments, oldest first.
  [[nodiscard]] virtual std::vector<uint64_t> segments() const = 0;
};

}  // namespace neardup::store
