// Which file holds which fingerprint, before it is known who else does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neardup::sif {

inline constexpr uint32_t kMaxWeight = (uint32_t{1} << 29) - 1;

/// Bytes of memory for an entry, while entries are gathered and sorted and then as postings.
inline constexpr uint64_t kEntryBytes = 24;

/// A fingerprint of a file. `weight`: for how many of the file's substrings it stands, those nearer to it than to
/// another one; 0 for one that the file holds, but that is not counted in (fingerprint_file.h).
struct Entry {
  uint64_t value = 0;
  uint32_t file = 0;
  uint32_t weight = 0;
};

/// Entries of one thread, cut by the upper bits of their values, so that equal ones meet in one bucket.
class EntryBuckets {
 public:
  /// 2^bits buckets.
  explicit EntryBuckets(int bits) : shift_(64 - bits), buckets_(size_t{1} << bits) {}
  void add(const Entry& entry) { buckets_[shift_ == 64 ? 0 : entry.value >> shift_].push_back(entry); }
  [[nodiscard]] std::vector<Entry>& bucket(size_t i) { return buckets_[i]; }
  [[nodiscard]] size_t num_buckets() const { return buckets_.size(); }

 private:
  int shift_;
  std::vector<std::vector<Entry>> buckets_;
};

}  // namespace neardup::sif
