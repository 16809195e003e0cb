// Which substrings of a file become its fingerprints.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "neardup/sif/hash_filter.h"
#include "neardup/sif/options.h"
#include "neardup/sif/window_kernel.h"

namespace neardup::sif {

/// A substring that was kept: XXH3-64 of its bytes, and where it begins.
struct Fingerprint {
  uint64_t value = 0;
  uint64_t position = 0;
  bool operator==(const Fingerprint&) const = default;
};

/// Selects by one Selection. Holds the work arrays, of a few KiB. Threads: one at a time.
class Selector {
 public:
  /// Requires: check_selection(selection).
  explicit Selector(const Selection& selection);

  /// Replaces `out` by the fingerprints of `bytes`, ascending by position. Those of kSample and kAnchors do not
  /// overlap: behind one the search goes on at the end of its substring. Those of kWinnow may; of equal ones that
  /// overlap one is taken, so that a row of 70 spaces has one and not 21. Bytes of fewer than substring_bytes have
  /// none. `hits`, if not null, is replaced by all substrings whose polynomial is in `filter`; by position, where they
  /// are few, else each value at least once; kWinnow alone. Cost: linear, with many hits n log n. Memory: of what is
  /// returned.
  void select(std::string_view bytes, std::vector<Fingerprint>& out, const HashFilter* filter = nullptr,
              std::vector<Fingerprint>* hits = nullptr);

 private:
  void mark(std::string_view bytes, uint64_t begin, uint64_t end);
  void keep(std::string_view bytes, std::vector<Fingerprint>& out) const;
  void keep_hits(std::string_view bytes, std::vector<Fingerprint>& hits);
  void mark_minima(std::string_view bytes, uint64_t begin, uint64_t end, std::vector<uint64_t>& positions);
  void mark_zeros(std::string_view bytes, uint64_t begin, uint64_t end, std::vector<uint64_t>& positions);
  void mark_anchors(std::string_view bytes, uint64_t begin, uint64_t end, std::vector<uint64_t>& positions);

  Selection selection_;
  std::vector<std::vector<std::string>> anchors_;  // by first byte
  HashScratch scratch_;
  std::vector<uint32_t> hashes_;
  std::vector<uint16_t> keys_, least_, best_;
  std::vector<uint64_t> positions_, hit_positions_;  // of one block
  const HashFilter* filter_ = nullptr;               // while select() runs
  size_t most_hits_ = 0;                             // from so many on equal ones are thrown out
};

}  // namespace neardup::sif
