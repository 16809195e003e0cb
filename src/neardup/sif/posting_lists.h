// Who holds which fingerprint: those that two files or more have in common.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "neardup/sif/read_files.h"

namespace neardup::sif {

/// A file in the list of a fingerprint.
struct Posting {
  uint32_t file = 0;
  uint32_t weight_and_last = 0;
  [[nodiscard]] uint32_t weight() const { return weight_and_last & kMaxWeight; }
  [[nodiscard]] bool is_last() const { return (weight_and_last >> 31) != 0; }       // of its list
  [[nodiscard]] bool is_crowd() const { return (weight_and_last >> 30 & 1) != 0; }  // in a list of too many
};

/// The lists of all fingerprints that a pair may share, one behind the other, each ascending by file; and for each file
/// where it stands in them. What only one file holds is left out; with references also what no input or no reference
/// holds.
class PostingLists {
 public:
  /// Takes the entries out of `read`. `options`: common passages. Errors: kMemory, kCancelled.
  [[nodiscard]] static Result<PostingLists> build(ReadFiles& read, const SimilarOptions& options);

  [[nodiscard]] const std::vector<Posting>& postings() const { return postings_; }
  /// Returns where `file` stands in postings(), in no order.
  [[nodiscard]] std::span<const uint32_t> slots_of(uint32_t file) const {
    return std::span(slots_).subspan(begins_[file], begins_[file + 1] - begins_[file]);
  }

  /// Returns where the list of a crowd that holds `slot` begins and ends. Cost: a search among the crowds.
  [[nodiscard]] std::pair<size_t, size_t> crowd_around(size_t slot) const;

  /// Passages in more files than this are common, as options.common treats them; and how many there are.
  [[nodiscard]] uint64_t common_limit() const { return common_limit_; }
  [[nodiscard]] uint64_t num_common() const { return num_common_; }
  /// Passages in more files than this make no candidates by themselves: their pairs would be too many.
  [[nodiscard]] uint64_t crowd_limit() const { return crowd_limit_; }
  [[nodiscard]] uint64_t num_crowds() const { return num_crowds_; }

 private:
  void treat_common(std::vector<File>& files, const SimilarOptions& options);
  void mark_crowds();
  void find_slots(size_t num_files);

  std::vector<Posting> postings_;
  std::vector<uint32_t> slots_;
  std::vector<uint64_t> begins_;
  std::vector<std::pair<size_t, size_t>> crowds_;  // begin and end, ascending
  uint64_t common_limit_ = 0, num_common_ = 0, crowd_limit_ = 0, num_crowds_ = 0;
};

}  // namespace neardup::sif
