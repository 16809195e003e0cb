// The packed table: a directory of the leading places of its keys, and for each key a word of the next ones.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "neardup/hamming/packed_directory.h"
#include "neardup/hamming/packed_scan.h"
#include "neardup/hamming/stored_array.h"
#include "neardup/hamming/table.h"

namespace neardup::hamming {

/// How many places a packed table knows, and how.
struct PackedShape {
  int directory_bits = 0;  // the leading places: the number of a group
  int word_bits = 32;      // the places behind: 24 or 32
  bool operator==(const PackedShape&) const = default;
};

/// Returns the shape for `num_keys` keys: groups of 16 to 31 words, a directory that fits in a shared cache.
[[nodiscard]] PackedShape default_shape(uint64_t num_keys);

/// Returns the shape for a table of `plan` that is not the first: words of 24 bits where they tell enough to leave few
/// false candidates and to find the true ones in the first table soon, else of 32.
[[nodiscard]] PackedShape shape_beside_first(const Plan& plan, size_t table, uint64_t num_keys);

/// Knows the first directory_bits + word_bits places of each key and no more. Threads: any number of readers.
template <fingerprint::AnyFingerprint F>
class PackedTable {
 public:
  static constexpr int kBits = fingerprint::kBitsOf<F>;
  static constexpr size_t kMaxWindows = 48;  // of one step of a search

  /// What a search reads next: filled by locate(), used by scan(). Windows of no words stay in their place.
  struct Step {
    uint32_t first = 0;
    uint32_t num_windows = 0;
    int max_distance = 0;
    std::array<WordWindow, kMaxWindows> windows;
  };

  [[nodiscard]] static PackedTable build(std::span<const F> keys, const TableLayout& layout) {
    return build(keys, layout, default_shape(keys.size()));
  }
  [[nodiscard]] static PackedTable build(std::span<const F> keys, const TableLayout& layout, const PackedShape& shape);
  class Builder;
  [[nodiscard]] static Result<PackedTable> open(std::span<const TableSection> sections, const TableLayout& layout,
                                                uint64_t size);
  [[nodiscard]] std::vector<TableSection> sections() const;

  [[nodiscard]] uint64_t size() const { return size_; }
  [[nodiscard]] int known_bits() const { return shape_.directory_bits + shape_.word_bits; }
  [[nodiscard]] const PackedShape& shape() const { return shape_; }

  [[nodiscard]] std::pair<uint64_t, uint64_t> equal_range(F key, int places) const;
  [[nodiscard]] F key_at(uint64_t rank) const;
  /// Writes the known places of the keys of ranks first, first + 1, ... to `keys`.
  void read_keys(uint64_t first, std::span<F> keys) const;

  /// Calls visit(rank, known places) for each key that equals `key` in the places of `mask`, by rank. Requires: the
  /// first `places` places belong to the mask, no unknown one does.
  template <class Visit>
  void for_equal(F key, F mask, int places, std::vector<WordHit>& scratch, const Visit& visit) const;
  /// Asks the memory for what for_equal() will read.
  void prefetch_equal(F key, int places) const;

  // All buckets of a query, a few windows (runs of words) at a time.
  /// Returns how many windows a query reads.
  [[nodiscard]] uint64_t num_windows() const { return masks_.size(); }
  /// Asks the memory for what locate() will read.
  void prefetch(F key, uint64_t first) const;
  /// Finds the windows [first, first + kMaxWindows) of the query with this key and asks the memory for them.
  void locate(F key, uint64_t first, int max_distance, Step& step) const;
  /// Appends the keys in the windows that differ in at most max_distance known places, those of each window by rank.
  void scan(F key, const Step& step, std::vector<WordHit>& hits, std::vector<TableCandidate<F>>& out) const;

 private:
  PackedTable(const TableLayout& layout, const PackedShape& shape, uint64_t size);
  // What a query flips, once for all queries: masks for a group's number, by their number of ones.
  void make_masks();
  void add_masks(int flips, int end_place, uint32_t mask);
  // The two steps behind counting: how words are spread in a group, and where they lie.
  void measure_spread();
  void view_words();

  // A key is group | word | what the table does not know.
  [[nodiscard]] static uint32_t top(F key, int places) {
    return places == 0 ? 0 : static_cast<uint32_t>(key >> (kBits - places));
  }
  [[nodiscard]] uint32_t group_of(F key) const { return top(key, shape_.directory_bits); }
  [[nodiscard]] uint32_t word_of(F key) const { return top(key << shape_.directory_bits, shape_.word_bits); }
  [[nodiscard]] F key_of(uint32_t group, uint32_t word) const {
    return ((F{group} << shape_.word_bits) | word) << (kBits - known_bits());
  }
  [[nodiscard]] uint32_t word_ones() const { return shape_.word_bits == 32 ? ~0u : (1u << shape_.word_bits) - 1; }
  [[nodiscard]] const uint8_t* address_of(uint64_t rank) const {
    return words_.bytes + rank * static_cast<uint64_t>(words_.width);
  }
  void prefetch_run(uint64_t begin, uint64_t end) const;
  // The word of a key, and the least and the greatest word of its bucket.
  [[nodiscard]] WordTarget target_of(F key) const;
  /// Returns the share (of 2^16) of a group's words that are less than `word`.
  [[nodiscard]] uint64_t share_below(uint32_t word) const;
  // The groups that share the prefix, where it ends before the directory does.
  [[nodiscard]] PackedDirectory::Range run_of(uint32_t group) const {
    const uint64_t begin = directory_.range(group & ~run_ones_).begin;
    return {begin, directory_.range(group | run_ones_).end};
  }
  // Windows of masks [begin, end): whole groups, or a bucket in each.
  void locate_runs(uint32_t group, uint32_t begin, uint32_t end, Step& step) const;
  void locate_buckets(uint32_t group, const WordTarget& target, uint32_t begin, uint32_t end, Step& step) const;

  PackedShape shape_;
  int prefix_bits_ = 0;
  int flips_ = 0;
  uint64_t size_ = 0;
  // A search flips places of the directory. Flips behind them stay within a group, which is then read whole. Where the
  // prefix ends before the directory does, a bucket is a run of groups.
  std::vector<uint32_t> masks_;       // for a group's number, by number of flips
  std::vector<uint32_t> class_ends_;  // [f]: how many masks have at most f flips
  uint32_t num_runs_ = 0;             // so many of the first masks lead to whole groups, the others to a bucket in one
  uint32_t run_ones_ = 0;             // places of the directory behind the prefix
  PackedDirectory directory_;
  StoredArray<uint8_t> bytes_;  // of the words
  StoredArray<uint32_t> spread_;
  PackedWords words_;
};

/// Fills a table part by part.
template <fingerprint::AnyFingerprint F>
class PackedTable<F>::Builder {
 public:
  Builder(const TableLayout& layout, uint64_t max_keys, const PackedShape& shape);
  /// Takes the keys of ranks rank, rank + 1, ... Threads: any, for ranks of their own.
  void put(uint64_t rank, std::span<const F> keys);
  /// Returns the table of the keys of rank 0 .. size - 1.
  [[nodiscard]] PackedTable finish(uint64_t size);

 private:
  PackedTable table_;
  StoredArray<uint32_t> counts_;  // of the groups
};

template <fingerprint::AnyFingerprint F>
template <class Visit>
void PackedTable<F>::for_equal(F key, F mask, int places, std::vector<WordHit>& hits, const Visit& visit) const {
  const uint32_t group_mask = group_of(mask), word_mask = word_of(mask), wanted = group_of(key);
  const uint32_t free = places >= shape_.directory_bits ? 0 : (1u << (shape_.directory_bits - places)) - 1;
  for (uint32_t group = wanted & ~free; group <= (wanted | free); ++group) {
    if (((group ^ wanted) & group_mask) != 0) continue;
    hits.clear();
    const auto [begin, end] = equal_range(key_of(group, word_of(key)), std::max(places, shape_.directory_bits));
    scan_equal(words_, word_of(key), word_mask, begin, end, hits);
    for (const WordHit& hit : hits) visit(hit.rank, key_of(group, hit.word));
  }
}

}  // namespace neardup::hamming
