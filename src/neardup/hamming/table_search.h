// How a query walks through a table: in steps of a few dozen buckets, each asked for long before it is read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/fingerprint/wide.h"
#include "neardup/hamming/key_scan.h"
#include "neardup/hamming/packed_table.h"
#include "neardup/hamming/plan.h"
#include "neardup/hamming/table.h"

namespace neardup::hamming {

/// Buckets (or what a codec reads at once) of one step.
inline constexpr uint64_t kStepWindows = 48;

/// The walk through a table of any codec, bucket by bucket. A query that would read more buckets than a sixteenth of
/// the keys reads all keys instead. Threads: any number of readers.
template <fingerprint::AnyFingerprint F, class Table>
class TableSearch {
 public:
  struct Step {
    uint64_t first = 0;
    int max_distance = 0;
    std::array<uint64_t, kStepWindows> hints;
  };
  struct Scratch {};

  TableSearch(const Table& table, const TableLayout& layout) : table_(&table) {
    constexpr double kAlwaysProbed = 65'536;
    scans_ = num_probes(layout) > std::max(kAlwaysProbed, static_cast<double>(table.size()) / 16);
    if (scans_) return;
    for (int flips = 0; flips <= layout.flips; ++flips) add_masks(flips, layout.prefix_bits, layout.prefix_bits, 0);
  }

  [[nodiscard]] uint64_t num_windows() const {
    return scans_ ? (table_->size() + kScanned - 1) / kScanned : masks_.size();
  }
  /// The three parts of a step, each some time after the one before, so that memory has answered: ask for where the
  /// buckets are, find and ask for the buckets, read them.
  void prefetch(F key, uint64_t first) const {
    for_masks(first, [&](uint64_t, F mask) { table_->prefetch_directory(key ^ mask); });
  }
  void locate(F key, uint64_t first, int max_distance, Step& step) const {
    step.first = first;
    step.max_distance = max_distance;
    for_masks(first, [&](uint64_t i, F mask) { step.hints[i - first] = table_->locate(key ^ mask); });
  }
  void scan(F key, const Step& step, Scratch&, std::vector<TableCandidate<F>>& out) const {
    if (scans_) return scan_keys_of(key, step, out);
    for_masks(step.first, [&](uint64_t i, F mask) {
      // The flips of the prefix are spent; the bucket's key takes them in.
      const int left = step.max_distance - fingerprint::count_ones<F>(mask);
      if (left >= 0) table_->collect(key ^ mask, step.hints[i - step.first], left, out);
    });
  }

  /// Calls visit(rank, known places) for each key that equals `key` in the places of `mask`. Requires: the first
  /// `places` places belong to the mask, no unknown one does.
  template <class Visit>
  void for_equal(F key, F mask, int places, Scratch&, const Visit& visit) const {
    const auto [begin, end] = table_->equal_range(key, places);
    if (places == fingerprint::kBitsOf<F> && begin < end) return visit(begin, key);
    for (uint64_t rank = begin; rank < end; ++rank) {
      const F stored = table_->key_at(rank);
      if (((stored ^ key) & mask) == 0) visit(rank, stored);
    }
  }
  /// Asks the memory for what for_equal() will read.
  void prefetch_equal(F key, int) const { table_->prefetch_directory(key); }

 private:
  static constexpr uint64_t kScanned = 1024;  // keys of a window where all are read

  template <class Body>
  void for_masks(uint64_t first, const Body& body) const {
    if (scans_) return;
    const uint64_t end = std::min<uint64_t>(masks_.size(), first + kStepWindows);
    for (uint64_t i = first; i < end; ++i) body(i, masks_[i]);
  }

  void add_masks(int flips, int end_place, int prefix_bits, F mask) {
    if (flips == 0) return masks_.push_back(mask);
    const int behind = fingerprint::kBitsOf<F> - prefix_bits;
    for (int place = flips - 1; place < end_place; ++place) {
      add_masks(flips - 1, place, prefix_bits, mask | F{1} << (place + behind));
    }
  }

  void scan_keys_of(F key, const Step& step, std::vector<TableCandidate<F>>& out) const {
    constexpr uint64_t kAtOnce = 64;
    const uint64_t end = std::min(table_->size(), (step.first + kStepWindows) * kScanned);
    const F known = static_cast<F>(~low_ones<F>(fingerprint::kBitsOf<F> - table_->known_bits()));
    std::array<F, kAtOnce> keys;
    for (uint64_t rank = step.first * kScanned; rank < end; rank += kAtOnce) {
      const std::span<F> some(keys.data(), std::min(kAtOnce, end - rank));
      table_->read_keys(rank, some);
      scan_keys<F>(some, key & known, step.max_distance, rank, out);
    }
  }

  const Table* table_;
  bool scans_ = false;    // too many buckets for so few keys: all are read instead
  std::vector<F> masks_;  // what the buckets of a query differ in from its own, by number of flips
};

/// Packed tables find the windows of a query by themselves.
template <fingerprint::AnyFingerprint F>
class TableSearch<F, PackedTable<F>> {
 public:
  using Step = typename PackedTable<F>::Step;
  using Scratch = std::vector<WordHit>;

  TableSearch(const PackedTable<F>& table, const TableLayout&) : table_(&table) {}
  [[nodiscard]] uint64_t num_windows() const { return table_->num_windows(); }
  void prefetch(F key, uint64_t first) const { table_->prefetch(key, first); }
  void locate(F key, uint64_t first, int max_distance, Step& step) const {
    table_->locate(key, first, max_distance, step);
  }
  void scan(F key, const Step& step, Scratch& scratch, std::vector<TableCandidate<F>>& out) const {
    table_->scan(key, step, scratch, out);
  }
  template <class Visit>
  void for_equal(F key, F mask, int places, Scratch& scratch, const Visit& visit) const {
    table_->for_equal(key, mask, places, scratch, visit);
  }
  void prefetch_equal(F key, int places) const { table_->prefetch_equal(key, places); }

 private:
  static_assert(PackedTable<F>::kMaxWindows == kStepWindows);
  const PackedTable<F>* table_;
};

}  // namespace neardup::hamming
