// Keys of documents that arrive one after the other: found at once, and moved from growing maps to tables while readers
// go on.
//
// Documents have ascending numbers. Their keys go to a KeyMap; a full one is frozen, made into a KeyTable (a segment)
// by whoever owns the index, and segments that follow each other are joined into larger ones. Nothing is taken out:
// numbers of erased documents are passed over by who asks, until a segment is made without them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "neardup/bands/key_map.h"
#include "neardup/bands/key_table.h"

namespace neardup::bands {

/// The keys of documents first, first + 1, ..., first + count - 1.
struct KeySegment {
  uint64_t file = 0;  // what its owner knows it by
  uint64_t first = 0;
  uint64_t count = 0;                 // less than 2^32
  KeyTable table;                     // of numbers less `first`
  std::shared_ptr<const void> bytes;  // what the table is a view of; may be null
};

/// A state that stays as it is. Cheap to make and to copy. Threads: any number of readers.
class KeyView {
 public:
  /// Appends the numbers of all documents that have one of `keys`: oldest segment first, the same one as often as it
  /// has keys in common. Cost: a look at each segment and map for each key, whose waits for memory overlap.
  void find(std::span<const uint64_t> keys, std::vector<uint64_t>& numbers) const;
  /// Calls `visit` with i and the number of each document that has keys[i]: for many keys of many documents, as find();
  /// of each key ascending.
  void find_each(std::span<const uint64_t> keys, const std::function<void(size_t i, uint64_t number)>& visit) const;
  /// Returns the first `limit` numbers from `first` on of documents that have `key`, ascending. Cost: as find() of so
  /// many in segments, however many have it; a look at each that has it in a map.
  [[nodiscard]] std::vector<uint64_t> find_from(uint64_t key, uint64_t first, size_t limit) const;
  /// The same as find() of documents that `before`, an earlier state of the same index, does not have.
  void find_since(const KeyView& before, std::span<const uint64_t> keys, std::vector<uint64_t>& numbers) const;
  /// Returns the segments, oldest first: views into this object.
  [[nodiscard]] std::span<const std::shared_ptr<const KeySegment>> segments() const;
  /// The same, to be kept beyond this object.
  [[nodiscard]] std::vector<std::shared_ptr<const KeySegment>> segments_shared() const {
    return {segments().begin(), segments().end()};
  }
  /// Returns the number after that of its last document with keys.
  [[nodiscard]] uint64_t end() const;
  /// Returns what it keeps in memory: of the segments what tells that a key is not there.
  [[nodiscard]] uint64_t size_bytes() const;

 private:
  friend class KeyIndex;
  struct Map;
  struct State;
  void find_in_map(size_t i, uint32_t from, uint64_t key, std::vector<uint32_t>& found) const;
  void find_in_maps(size_t first_map, uint32_t from, std::span<const uint64_t> keys,
                    const std::function<void(size_t i, uint64_t number)>& visit) const;

  std::shared_ptr<const State> state_;
  uint32_t size_ = 0;  // entries of the last map that count
};

/// Whether a document is to be found further on.
using IsLive = std::function<bool(uint64_t number)>;

/// Threads: add(), freeze() by one writer at a time; seal() and join() by one at a time, beside it; view() from any.
class KeyIndex {
 public:
  /// `map_capacity`: keys of a map. `segments`: what an earlier index left, oldest first; none overlap.
  explicit KeyIndex(uint32_t map_capacity, std::vector<std::shared_ptr<const KeySegment>> segments = {});

  /// Whether freeze() must come before `num_keys` more of document `number` can be added. (A map counts 2^32 numbers.)
  [[nodiscard]] bool is_full(size_t num_keys, uint64_t number = 0) const;
  /// Adds the keys of a document; views from now on have them all. Requires: `number` is greater than all before, and
  /// at least the end of the last segment; !is_full(keys.size()).
  void add(uint64_t number, std::span<const uint64_t> keys);
  /// Begins a new map, for `num_keys` at least and documents from `number` on; the one before waits for seal(), unless
  /// it is empty. Requires: num_keys < 2^31; no document of `number` or a greater one was added.
  void freeze(size_t num_keys = 0, uint64_t number = 0);
  [[nodiscard]] KeyView view() const;

  /// Returns the number of maps that are frozen and not sealed.
  [[nodiscard]] size_t num_frozen() const;
  /// Returns the number behind those of the oldest. Requires: num_frozen() > 0.
  [[nodiscard]] uint64_t frozen_end() const;
  /// Makes a segment of the oldest frozen map, of its documents that `is_live`. Readers see it after publish_sealed().
  /// Memory: 16 bytes for each key. Requires: num_frozen() > 0.
  [[nodiscard]] KeySegment seal(const IsLive& is_live) const;
  /// Whether `segments`, which follow each other, are of less than 2^32 numbers: one can be made of them.
  [[nodiscard]] static bool fit(std::span<const std::shared_ptr<const KeySegment>> segments);
  /// Makes one of `segments`. Requires: they fit(). Memory: as seal().
  [[nodiscard]] static KeySegment join(std::span<const std::shared_ptr<const KeySegment>> segments,
                                       const IsLive& is_live);
  /// Puts `segment` in the place of the oldest frozen map.
  void publish_sealed(std::shared_ptr<const KeySegment> segment);
  /// Puts it in the place of the `count` segments from `begin` on.
  void publish_joined(size_t begin, size_t count, std::shared_ptr<const KeySegment> segment);

 private:
  using State = KeyView::State;
  void exchange(const std::function<void(State&)>& change);

  uint32_t map_capacity_;
  mutable std::mutex mutex_;  // of the pointer
  std::shared_ptr<const State> state_;
};

}  // namespace neardup::bands
