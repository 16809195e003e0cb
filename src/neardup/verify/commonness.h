// How common n-grams are in a corpus: what the rule content weighs them by.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/large_array.h"
#include "neardup/base/result.h"

namespace neardup::verify {

/// In how many texts of a corpus each n-gram occurs, counted up to kMost in a table of a fixed size. n-grams whose
/// hashes share a counter count together: with one counter for each token of the corpus that makes few of them look
/// more common than they are, and how many is known and taken off (see others()).
/// Counts do not depend on the order in which texts are added, nor on threads. Threads: add() from many at once; all
/// const members from many at once, once everything is added.
class Commonness {
 public:
  static constexpr uint32_t kMost = 15;
  static constexpr uint64_t kLeastCounters = uint64_t{1} << 12, kMostCounters = uint64_t{1} << 32;

  /// A table of zeros for a corpus of about `num_tokens` tokens within `memory_bytes`: a power of two of counters, half
  /// a byte each, but never fewer than kLeastCounters.
  Commonness(uint64_t num_tokens, uint64_t memory_bytes);
  /// Returns how many counters that table has.
  [[nodiscard]] static uint64_t num_counters_for(uint64_t num_tokens, uint64_t memory_bytes);
  /// A settled table of a copy of counters that were counted elsewhere (commonness_parts.h), two in each byte, the
  /// lower half first. Errors: kInvalidArgument where their number is no power of two, or out of range.
  [[nodiscard]] static Result<std::shared_ptr<const Commonness>> of_counters(std::span<const uint8_t> counters,
                                                                             uint64_t num_texts, uint64_t num_ngrams);
  /// Counts one more text. `hashes`: of its n-grams, ascending, each once (ShingleSet::hashes).
  void add(std::span<const uint32_t> hashes);

  /// Returns how many texts have the n-gram, 0..kMost, those included that the n-grams have which share its counter.
  [[nodiscard]] uint32_t counted(uint32_t hash) const {
    const uint32_t counter = hash >> shift_;
    return counters_[counter / 2] >> (counter % 2 * 4) & kMost;
  }
  /// Fills `counted` with counted() of each of `hashes`, two in a byte, the lower half first. Much faster, as none is
  /// waited for alone: about 5 ns each where the table is in no cache.
  void count_all(std::span<const uint32_t> hashes, std::vector<uint8_t>& counted) const;
  /// Returns how many texts besides `own` ones have an n-gram that is counted so often: what other n-grams are expected
  /// to have added to its counter is taken off. Where it is counted to the end, `own` ones do not show, and are not.
  [[nodiscard]] uint32_t others(uint32_t counted, uint32_t own) const {
    return counted - std::min(counted, (counted < kMost ? own : 0) + noise_);
  }
  /// To be called once, after the last add(): finds what others() takes off.
  void settle();
  /// Returns 16 hexadecimal digits that stand for the counts.
  [[nodiscard]] std::string id() const;
  [[nodiscard]] uint64_t num_texts() const { return num_texts_; }
  [[nodiscard]] uint64_t size_bytes() const { return counters_.size(); }

  /// Writes the table to `path`, whole or not at all (docs/formats/commonness.md). Errors: kIo.
  [[nodiscard]] Status save(const std::string& path) const;
  /// Errors: kNotFound, kIo, kMemory where file and table would take more than `memory_bytes`, kCorruption.
  [[nodiscard]] static Result<std::shared_ptr<const Commonness>> load(const std::string& path,
                                                                      uint64_t memory_bytes = ~uint64_t{0});
  /// Reads what save() wrote. Errors: kMemory where the table would take more than `memory_bytes`, kCorruption;
  /// messages begin with `name`.
  [[nodiscard]] static Result<std::shared_ptr<const Commonness>> parse(std::string_view bytes, const std::string& name,
                                                                       uint64_t memory_bytes = ~uint64_t{0});

 private:
  friend class CommonnessCounter;
  [[nodiscard]] std::span<const uint8_t> counters() const { return counters_; }
  explicit Commonness(int counters_log2);
  /// Raises the counters of all `hashes`. No other thread may be at the counters of hashes with the same first byte.
  void raise(std::span<const uint32_t> hashes);
  static constexpr size_t kParts = 64;  // of the table, each under a lock of its own while texts are added

  int shift_;  // of a hash to its counter
  uint32_t noise_ = 0;
  std::atomic<uint64_t> num_texts_ = 0, num_added_ = 0;
  LargeArray<uint8_t> counters_;  // two in each byte, the lower half first; looked at anywhere, so on huge pages
  std::array<std::mutex, kParts> locks_;
};

}  // namespace neardup::verify
