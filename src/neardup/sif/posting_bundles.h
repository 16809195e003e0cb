// Lists of fingerprints that the same files hold, made one: those of a passage are, and a licence has hundreds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace neardup::sif {

/// A file in a list, and for how many of its substrings the fingerprints of the list stand.
struct Posting {
  uint32_t rank = 0;  // posting_lists.h
  uint32_t weight = 0;
};

/// Gathers lists, the weights of equal ones summed. Threads: one at a time.
class PostingBundles {
 public:
  /// `num_small`: ranks below it are of small files.
  explicit PostingBundles(uint32_t num_small) : num_small_(num_small), table_(kLeastTable) {}

  /// Adds the list of one fingerprint, ascending by rank, as up to two: that of all files where there are small ones,
  /// and that of the large files which keep the fingerprint, as large ones share nothing else with each other. Lists of
  /// one file are dropped.
  void add(std::span<const Posting> list);
  /// Lists that come later are not joined to those before.
  void begin_part();

  /// All lists, one behind the other, each ascending by rank, in the order in which the first of each came.
  [[nodiscard]] std::vector<Posting>& postings() { return postings_; }
  /// Where each list ends.
  [[nodiscard]] const std::vector<uint64_t>& ends() const { return ends_; }

 private:
  struct Known {
    uint64_t hash = 0;
    uint32_t list = 0;         // plus one; 0: none
    uint64_t most_weight = 0;  // no weight of the list is greater
  };
  static constexpr size_t kLeastTable = 1024;

  void add_members(std::span<const Posting> members);
  bool join(Known& known, std::span<const Posting> members, uint64_t most_weight);
  void grow();

  uint32_t num_small_;
  std::vector<Posting> postings_, members_;
  std::vector<uint64_t> ends_;
  std::vector<Known> table_;  // open addressing, at most half full
  size_t num_known_ = 0;
};

}  // namespace neardup::sif
