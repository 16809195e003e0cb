// One file: its bytes to its weighed fingerprints, and these to entries.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "neardup/sif/entries.h"
#include "neardup/sif/file.h"
#include "neardup/sif/options.h"
#include "neardup/sif/selector.h"

namespace neardup::sif {

/// Files of at most so many substrings are small. Few fingerprints say too little of them: theirs are least of fewer
/// substrings in a row, the fewer the smaller they are, so that they have about 100. kWinnow alone.
inline constexpr uint64_t kSmallSubstrings = 4096;

/// Returns whether a file of that size may be small. Of source code that is folded less is left than its bytes.
[[nodiscard]] bool may_be_small(uint64_t file_bytes, const SimilarOptions& options);
/// Returns about how many fingerprints a file of that size has, fine ones that others have apart.
[[nodiscard]] double expected_fingerprints(uint64_t file_bytes, const SimilarOptions& options);

/// Returns how far off the threshold the share of a file that was read may be, and yet be counted: ends of passages put
/// estimates off by parts of a window. Of small files it is in proportion to their windows and size, of 100
/// fingerprints about .015.
[[nodiscard]] float doubt_of(const File& file, const SimilarOptions& options);

/// A fingerprint, and for how many substrings of its file it stands.
struct Weighed {
  uint64_t value = 0;
  uint32_t weight = 0;
  bool operator==(const Weighed&) const = default;
};

/// What is known of the text of a file. It depends on nothing but its bytes and options.
struct FileFingerprints {
  bool is_small = false;
  std::vector<Weighed> kept;   // by position; equal ones come as often as they do
  std::vector<uint64_t> fine;  // values of fine ones that are not kept; perhaps only those of a filter
  bool operator==(const FileFingerprints&) const = default;
};

/// Makes the fingerprints of one text after the other. Threads: one at a time.
class Fingerprinter {
 public:
  explicit Fingerprinter(const SimilarOptions& options);

  /// Returns whether a file is small whose text this is, and that has `file_bytes` bytes.
  [[nodiscard]] bool is_small(std::string_view text, uint64_t file_bytes) const;
  /// Replaces `out` by those of `text`, of a file of `file_bytes` bytes. `filter`: which fine ones are of use;
  /// null: all.
  void fingerprint(std::string_view text, uint64_t file_bytes, const ValueFilter* filter, FileFingerprints& out);
  /// Gives back what a large text took.
  void release();

 private:
  bool is_new(uint32_t polynomial);
  void weigh(std::string_view text, std::vector<Weighed>& out) const;
  void weigh_small(std::string_view text, std::vector<Weighed>& out);
  [[nodiscard]] uint64_t end_of_part(size_t i, uint64_t num_substrings) const;

  const Selection selection_;
  const uint64_t most_small_bytes_;
  std::vector<Selector> selectors_;  // of kFineWindow, twice that and so on; at last that of selection_
  std::vector<Fingerprint> fingerprints_;
  std::vector<uint64_t> seen_;  // open addressing: the polynomial, and the text that it is of
  uint64_t turn_ = 0;
};

/// Replaces `entries` by those of a file: each value once, ascending, with the number of `file`, whose facts are set.
/// `filter`: those that small files keep. `scale`: what a substring weighs.
void make_entries(const FileFingerprints& fingerprints, const ValueFilter& filter, uint32_t number, uint32_t scale,
                  File& file, std::vector<Entry>& entries);

}  // namespace neardup::sif
