// The newest keys, and the numbers of those who have them: found at once by any number of readers while one writer adds
// more.
//
// As store/mem_table.h does for fingerprints: entries are only ever added, each in the chain of its slot, newest first.
// A reader's state is how many entries it counts, and what is new since another state is found by walking the chains
// down to it. Most keys that are asked for are not there: the head of a chain tells that of most of them, so that their
// entries need not be read.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "neardup/bands/key_table.h"
#include "neardup/base/large_array.h"

namespace neardup::bands {

/// Threads: one writer at a time (add), any number of readers at the same time.
class KeyMap {
 public:
  /// Makes room for `capacity` entries. Memory: 20 to 24 bytes each, as they are added. Requires: 1 <= capacity < 2^31.
  explicit KeyMap(uint32_t capacity);

  /// Adds an entry, which is visible at once. Cost: about one cache miss. Requires: size() < capacity().
  void add(uint64_t key, uint32_t number);
  void prefetch(uint64_t key) const { __builtin_prefetch(&heads_[slot_of(key)]); }

  /// Returns how many entries there are: a state.
  [[nodiscard]] uint32_t size() const { return size_.load(std::memory_order_acquire); }
  [[nodiscard]] uint32_t capacity() const { return capacity_; }
  /// Appends the numbers of the entries with this key that state `to` has and state `from` has not, newest first. Cost:
  /// one read of memory where there is none, mostly. Requires: from <= to <= size().
  void find(uint64_t key, uint32_t from, uint32_t to, std::vector<uint32_t>& found) const;
  /// Returns the number of the i-th entry. Requires: i < size().
  [[nodiscard]] uint32_t number_at(uint32_t i) const { return entries_[i].number; }
  /// Returns all entries, ascending, as a KeyTable takes them. Requires: numbers were added in ascending order.
  [[nodiscard]] std::vector<KeyEntry> sorted() const;
  /// Returns what it has in memory: nothing where it is empty.
  [[nodiscard]] uint64_t size_bytes() const;

 private:
  struct Entry {
    uint64_t key;
    uint32_t number;
    uint32_t next;  // the entry before it in its chain, plus 1; 0 = none
  };
  // A multiplication: keys are well mixed, but those of one caller may differ in their lower bits alone.
  [[nodiscard]] static uint64_t hash_of(uint64_t key) { return key * 0x9e3779b97f4a7c15ULL; }
  [[nodiscard]] size_t slot_of(uint64_t key) const { return hash_of(key) >> (64 - slot_bits_); }
  [[nodiscard]] std::atomic_ref<uint32_t> head(uint64_t key) const { return std::atomic_ref(heads_[slot_of(key)]); }
  [[nodiscard]] uint32_t mark_of(uint64_t key) const;

  uint32_t capacity_;
  int slot_bits_;
  int entry_bits_;  // of a head: the newest entry of the slot, plus 1; 0 = none. Above: the marks of all its keys
  mutable LargeArray<uint32_t> heads_;  // memory as it is filled: a new map must not keep its writer
  LargeArray<Entry> entries_;
  std::atomic<uint32_t> size_{0};
};

}  // namespace neardup::bands
