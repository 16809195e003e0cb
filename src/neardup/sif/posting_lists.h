// Who holds which fingerprint: those that two files or more have in common.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/sif/posting_bundles.h"
#include "neardup/sif/read_files.h"

namespace neardup::sif {

/// Where a file stands in a list, and where that list ends.
struct Place {
  uint32_t slot = 0, end = 0;
};

/// The lists of all fingerprints that a pair may share, those of the same files joined, one behind the other; and for
/// each file where it stands in them. Files go by ranks here: small ones first, then large ones, either by number, and
/// each list ascends by rank. A fingerprint has two lists where it may say something of large files among themselves,
/// too (PostingBundles). What only one file holds is left out; with references also what no input or no reference
/// holds.
class PostingLists {
 public:
  /// Takes the entries out of `read`. `options`: common passages. Errors: kMemory, kCancelled.
  [[nodiscard]] static Result<PostingLists> build(ReadFiles& read, const SimilarOptions& options);

  [[nodiscard]] const std::vector<Posting>& postings() const { return postings_; }
  /// Returns where the file of that rank stands in postings(), ascending; a large one only in lists of large ones.
  [[nodiscard]] std::span<const Place> places_of(uint32_t rank) const {
    return std::span(places_).subspan(begins_[rank], begins_[rank + 1] - begins_[rank]);
  }
  /// Lists from there on in postings() are crowds.
  [[nodiscard]] size_t first_crowd() const { return first_crowd_; }
  /// Returns the number of the file of a rank. Ranks below num_small() are of small ones.
  [[nodiscard]] uint32_t number_of(uint32_t rank) const { return numbers_[rank]; }
  [[nodiscard]] uint32_t num_small() const { return num_small_; }

  /// Passages in more files than this are common, as options.common treats them; and how many there are.
  [[nodiscard]] uint64_t common_limit() const { return common_limit_; }
  [[nodiscard]] uint64_t num_common() const { return num_common_; }
  /// Returns by file how much of its weight common passages have, where they count (kCount); else nothing.
  [[nodiscard]] const std::vector<uint64_t>& common_weights() const { return common_weights_; }
  /// Passages in more files than this make no candidates by themselves: their pairs would be too many.
  [[nodiscard]] uint64_t crowd_limit() const { return crowd_limit_; }
  [[nodiscard]] uint64_t num_crowds() const { return num_crowds_; }

 private:
  struct Kept;  // a file in the list of one fingerprint, before lists are joined
  using KeptLists = std::vector<std::vector<Kept>>;

  void treat_common(KeptLists& kept, std::vector<File>& files, const SimilarOptions& options);
  void limit_crowds(const KeptLists& kept);
  [[nodiscard]] PostingBundles join_lists(KeptLists& kept);
  void find_places(const std::vector<uint64_t>& ends);

  std::vector<uint32_t> numbers_;  // by rank
  uint32_t num_small_ = 0;
  std::vector<Posting> postings_;
  std::vector<Place> places_;
  std::vector<uint64_t> begins_;  // in places_, by rank
  std::vector<uint64_t> common_weights_;
  size_t first_crowd_ = 0;
  uint64_t common_limit_ = 0, num_common_ = 0, crowd_limit_ = 0, num_crowds_ = 0;
};

}  // namespace neardup::sif
