// Counting the texts of a whole corpus: what Commonness::add() does for each, several times as fast.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/verify/commonness.h"

namespace neardup::verify {

/// n-grams wait, part by part of the table, until there are so many of one part that its counters are in the core's
/// cache when most of them are counted: of a table that is in no cache, to fetch each counter alone takes most of the
/// time. Memory: half of what the table takes, and 512 KiB for each thread. Threads: add() from one at a time of each
/// number.
class CommonnessCounter {
 public:
  /// `table` must outlive it, and is complete after finish(). Requires: num_threads >= 1.
  CommonnessCounter(Commonness& table, int num_threads);

  /// Counts one more text. `hashes`: of its n-grams, each once, in any order. Requires: 0 <= thread < num_threads.
  void add(std::span<const uint32_t> hashes, int thread);
  /// Counts what waits. To be called once, after the last add(). Errors: those of parallel_for().
  [[nodiscard]] Status finish();

 private:
  static constexpr int kPartBits = 8;
  static constexpr size_t kParts = size_t{1} << kPartBits;  // of the table, and of the hashes by their first bits
  static constexpr size_t kStaged = 512;                    // n-grams of a part that one thread gathers

  // What one thread has gathered: of part p sizes[p] hashes, from p * kStaged on.
  struct alignas(64) Stage {
    std::vector<uint32_t> hashes;
    std::array<uint32_t, kParts> sizes{};
    uint64_t num_texts = 0, num_added = 0;
  };
  struct Part {
    std::mutex mutex;  // of what waits and of the counters
    size_t num_waiting = 0;
  };

  [[nodiscard]] static std::span<const uint32_t> staged(const Stage& stage, size_t part);
  [[nodiscard]] std::span<const uint32_t> waiting(size_t part) const;
  void hand_over(Stage& stage, size_t part);

  Commonness& table_;
  const size_t most_waiting_;  // n-grams of a part
  std::vector<Stage> stages_;
  std::vector<Part> parts_;
  std::vector<uint32_t>
      waiting_;  // of part p num_waiting, from p * most_waiting_ on; one piece, which the system gets back
};

}  // namespace neardup::verify
