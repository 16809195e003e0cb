// Buckets of keys that lie on many machines: each cuts what its documents have into parts by the key, and who has all
// pieces of a part sorts it. The order of the pieces changes nothing.
#pragma once

#include <hwy/base.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/cluster/bucket_pairs.h"

namespace neardup::cluster {

/// Cuts. Memory: 16 bytes a key. Threads: one at a time.
class KeyParts {
 public:
  /// Pieces of one part may be put behind each other in any order.
  struct Piece {
    uint32_t part = 0;
    std::string bytes;  // of KeyPart::add(): 16 a key
  };

  /// Requires: 1 <= part_bits <= 32. There are 2^part_bits parts.
  explicit KeyParts(int part_bits) : part_bits_(part_bits), pieces_(size_t{1} << part_bits) {}
  /// `rank` is in the bucket of each of `keys`, which are different ones.
  void add(int64_t rank, std::span<const uint64_t> keys);
  /// Returns how many keys wait to be taken.
  [[nodiscard]] size_t num_waiting() const { return num_waiting_; }
  /// Returns what was added since the last call.
  [[nodiscard]] std::vector<Piece> take();

 private:
  const int part_bits_;
  std::vector<std::string> pieces_;
  size_t num_waiting_ = 0;
};

/// One part: its buckets of two and more. Memory: 16 bytes a key. Threads: one at a time.
class KeyPart {
 public:
  /// Errors: kCorruption where `piece` is none.
  [[nodiscard]] Status add(std::string_view piece);
  /// To be called once everything is added: from now on there is next().
  void sort();
  /// Puts the next member into `member`, in order of (bucket, rank); all are undecided. Members that are alone in their
  /// bucket are left out. Returns false at the end, and the part is empty again.
  [[nodiscard]] bool next(BucketMember& member);

 private:
  [[nodiscard]] bool is_bucket_of(size_t entry, uint64_t key) const {
    return entry < entries_.size() && entries_[entry].hi == key;
  }

  std::vector<hwy::uint128_t> entries_;  // hi: the key; lo: the rank, moved to be unsigned
  size_t next_ = 0;
};

}  // namespace neardup::cluster
