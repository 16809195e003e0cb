// How common n-grams are in texts that lie on many machines: counts of some texts each, in pieces that can be sent and
// added up.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/verify/commonness.h"

namespace neardup::verify {

/// Into so many sections of equal size the counters of a table are divided.
inline constexpr uint32_t kCommonnessSections = 64;

/// Counts of some texts: CommonnessPart -> pieces -> CommonnessSection -> Commonness. Capped addition knows no order,
/// so the table is that of all texts counted by one Commonness. Threads: one at a time.
class CommonnessPart {
 public:
  /// One section's counts; any number of pieces of one section may be added up.
  struct Piece {
    uint32_t section = 0;
    std::string bytes;  // of CommonnessSection::add(): about 2 bytes an n-gram
  };

  /// For tables of `num_counters` counters (Commonness::num_counters_for()).
  explicit CommonnessPart(uint64_t num_counters);
  /// Counts one more text. `hashes`: of its n-grams, each once, in any order.
  void add(std::span<const uint32_t> hashes);
  /// Returns how many n-grams wait to be taken: 4 bytes of memory each.
  [[nodiscard]] size_t num_waiting() const { return counters_.size(); }
  /// Returns what was counted since the last call.
  [[nodiscard]] std::vector<Piece> take();

 private:
  int shift_, section_shift_;
  std::vector<uint32_t> counters_;  // one entry for each time that a text has an n-gram of that counter
};

/// The counters of one section.
class CommonnessSection {
 public:
  explicit CommonnessSection(uint64_t num_counters) : counters_(num_counters / kCommonnessSections / 2) {}
  /// Errors: kCorruption where `piece` is none of a section of so many counters.
  [[nodiscard]] Status add(std::string_view piece);
  /// Two counters in each byte, the lower half first.
  [[nodiscard]] const std::vector<uint8_t>& counters() const { return counters_; }

 private:
  std::vector<uint8_t> counters_;
};

}  // namespace neardup::verify
