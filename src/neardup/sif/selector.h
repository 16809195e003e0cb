// Which substrings of a file become its fingerprints.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "neardup/sif/options.h"
#include "neardup/sif/value_filter.h"
#include "neardup/sif/window_kernel.h"

namespace neardup::sif {

/// The least of so many substrings in a row are the fine ones: small files are told by some of them, or all
/// (fingerprint_file.h), and of every file it is known which of those it has.
inline constexpr uint32_t kFineWindow = 4;

/// A substring that was kept: the upper 40 bits of XXH3-64 of its bytes, in place, and where it begins.
struct Fingerprint {
  uint64_t value = 0;
  uint64_t position = 0;
  bool operator==(const Fingerprint&) const = default;
};

/// Returns the value of a substring.
[[nodiscard]] uint64_t value_of(std::string_view substring);

/// Selects by one Selection. Holds the work arrays, of a few KiB. Threads: one at a time.
class Selector {
 public:
  /// Requires: check_selection(selection).
  explicit Selector(const Selection& selection);

  /// Replaces `out` by the fingerprints of `bytes`, ascending by position. Those of kSample and kAnchors do not
  /// overlap: behind one the search goes on at the end of its substring. Those of kWinnow may; of equal ones that
  /// overlap one is taken, so that a row of 70 spaces has one and not 21. Bytes of fewer than substring_bytes have
  /// none. `fine`, if not null, is replaced by the values of those that are least of kFineWindow and not in `out`, of
  /// equal ones in a row one; where there is a `filter`, those in it alone. kWinnow alone. Cost: linear.
  void select(std::string_view bytes, std::vector<Fingerprint>& out, std::vector<uint64_t>* fine = nullptr,
              const ValueFilter* filter = nullptr);

 private:
  void mark(std::string_view bytes, uint64_t begin, uint64_t end);
  void keep(std::string_view bytes, std::vector<Fingerprint>& out) const;
  void keep_fine(std::string_view bytes, std::vector<uint64_t>& fine, const ValueFilter* filter);
  void mark_minima(std::string_view bytes, uint64_t begin, uint64_t end);
  void append_minima(uint64_t begin, uint64_t end, uint64_t num_positions, uint64_t window,
                     std::vector<uint64_t>& positions);
  void mark_zeros(std::string_view bytes, uint64_t begin, uint64_t end);
  void mark_anchors(std::string_view bytes, uint64_t begin, uint64_t end);

  Selection selection_;
  std::vector<std::vector<std::string>> anchors_;  // by first byte
  HashScratch scratch_;
  std::vector<uint32_t> hashes_;
  std::vector<uint16_t> keys_, least_, best_;
  uint64_t first_key_ = 0;                                          // the position that keys_[0] is of
  std::vector<uint64_t> positions_, fine_positions_, fine_values_;  // of one block
  bool is_fine_ = false;                                            // while select() runs
};

}  // namespace neardup::sif
