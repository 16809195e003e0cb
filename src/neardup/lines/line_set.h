// The different keys that were seen, in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "neardup/base/large_array.h"
#include "neardup/lines/kept_bytes.h"
#include "neardup/lines/line_key.h"

namespace neardup::lines {

/// What is held of each key.
enum class Hold {
  kBytes,   // its bytes, which decide
  kCounts,  // the same, with the position where it came first and how often it came
  kHashes,  // 64 more bits of hash, which stand for the bytes: LineKey::data is them
};

/// A hash table with linear probing, whose slots are asked for long before they are needed. Slots are in the order of
/// the hashes, below the bits of the part: when it grows it is copied from front to back. Threads: one at a time.
class LineSet {
 public:
  explicit LineSet(Hold hold) : hold_(hold), kept_(hold == Hold::kCounts ? sizeof(Head) : 0) {}

  /// Adds the keys, whose bytes `stay` where they are as long as the set, or are copied; calls known(key) for each that
  /// is there already, and counts it, and added(key) for each other, which came first at position_of(key).
  template <class PositionOf, class Known, class Added>
  void add(std::span<const LineKey> keys, bool stay, const PositionOf& position_of, const Known& known,
           const Added& added) {
    if (keys.empty()) return;
    if (size_ + 1 > most_of(slots_.size())) grow();
    each_prefetched(keys, [&](const LineKey& key) {
      Slot* slot = find(key);
      if (slot->ref != 0) {
        if (hold_ == Hold::kCounts) ++head_of(slot->ref)->count;
        known(key);
        return;
      }
      *slot = {.hash = key.hash, .ref = reference_of(key, stay)};
      if (hold_ == Hold::kCounts) *head_of(slot->ref) = {position_of(key), 1};
      if (++size_ + 1 > most_of(slots_.size())) grow();
      added(key);
    });
  }

  /// Calls missing(key) for each that is not there; counts each that is.
  template <class Missing>
  void look_up(std::span<const LineKey> keys, const Missing& missing) {
    if (slots_.size() == 0) {
      for (const LineKey& key : keys) missing(key);
      return;
    }
    each_prefetched(keys, [&](const LineKey& key) {
      const Slot* const slot = find(key);
      if (slot->ref == 0) {
        missing(key);
      } else if (hold_ == Hold::kCounts) {
        ++head_of(slot->ref)->count;
      }
    });
  }

  /// Calls use(position, count) for each key in the order of position. Requires: Hold::kCounts.
  template <class Use>
  void each(const Use& use) const {
    kept_.each([&](const char* piece) {
      Head head;
      std::memcpy(&head, piece - sizeof head, sizeof head);
      use(head.position, head.count);
    });
  }

  /// So many keys are to be expected in all: the table grows faster up to there, and is cleared less often.
  void expect(uint64_t count) { expected_ = count; }
  [[nodiscard]] uint64_t size() const { return size_; }
  [[nodiscard]] uint64_t memory_bytes() const { return slots_.size() * sizeof(Slot) + kept_.memory_bytes(); }
  /// What the set may take of memory once `count` keys of `bytes` in all were added.
  [[nodiscard]] uint64_t most_bytes(uint64_t count, uint64_t bytes) const {
    const bool grows = size_ + count + 1 > most_of(slots_.size());
    const uint64_t slots = grows ? std::max(grown(slots_.size()), (size_ + count) * 3 / 2) : slots_.size();
    return slots * sizeof(Slot) + (hold_ == Hold::kHashes ? 0 : kept_.most_bytes(count, bytes));
  }

 private:
  struct Slot {
    uint64_t hash = 0;
    uint64_t ref = 0;  // 0: free; else what reference_of() gives, or the second half of the hash
  };
  struct Head {
    uint64_t position = 0;
    uint64_t count = 0;
  };
  /// Zeros, on small pages as those of KeptBytes.
  class SlotArray {
   public:
    SlotArray() = default;
    explicit SlotArray(size_t size) : slots_(static_cast<Slot*>(std::calloc(size, sizeof(Slot)))), size_(size) {
      if (slots_ == nullptr) throw std::bad_alloc();
      write_each_page();
    }
    SlotArray(SlotArray&& other) noexcept : slots_(std::move(other.slots_)), size_(std::exchange(other.size_, 0)) {}
    SlotArray& operator=(SlotArray&& other) noexcept {
      slots_ = std::move(other.slots_);
      size_ = std::exchange(other.size_, 0);
      return *this;
    }
    [[nodiscard]] size_t size() const { return size_; }
    [[nodiscard]] Slot& operator[](size_t i) { return slots_.get()[i]; }
    [[nodiscard]] const Slot& operator[](size_t i) const { return slots_.get()[i]; }

   private:
    struct Free {
      void operator()(Slot* slots) const noexcept { std::free(slots); }
    };
    /// A page that is read before it is written is first the one of zeros that all share, and to change that the system
    /// interrupts every core that runs a thread of the process: dearer than all else that a line costs.
    void write_each_page() {
      constexpr size_t kSlotsOfPage = 4096 / sizeof(Slot);
      for (size_t i = 0; i < size_; i += kSlotsOfPage) *static_cast<volatile uint64_t*>(&slots_[i].ref) = 0;
      if (size_ > 0) *static_cast<volatile uint64_t*>(&slots_[size_ - 1].ref) = 0;
    }
    std::unique_ptr<Slot[], Free> slots_;
    size_t size_ = 0;
  };
  static constexpr size_t kAhead = 48, kHalfAhead = 24;
  static constexpr size_t kSlotsOfLine = 64 / sizeof(Slot);
  static constexpr int kAddressBits = 48;
  static constexpr uint64_t kStays = uint64_t{1} << 63;

  static size_t most_of(size_t slots) { return slots / 4 * 3; }
  [[nodiscard]] size_t grown(size_t slots) const {
    const size_t least = slots + slots / 2 + 64;
    return std::max(least, std::min<size_t>(4 * slots, expected_ / 2 * 3));
  }
  static Head* head_of(uint64_t ref) { return reinterpret_cast<Head*>(ref) - 1; }
  static uint64_t second_hash(const LineKey& key) {
    const auto hash = reinterpret_cast<uint64_t>(key.data);
    return hash == 0 ? 1 : hash;
  }

  [[nodiscard]] size_t home_of(uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<size_t>(static_cast<Wide>(hash << kPartBits) * slots_.size() >> 64);
  }

  [[nodiscard]] bool is_key(const Slot& slot, const LineKey& key) const {
    if (slot.hash != key.hash) return false;
    if (hold_ == Hold::kHashes) return slot.ref == second_hash(key);
    return bytes_at(slot.ref) == key.bytes();
  }

  /// The slot of `key`, or the free one where it goes.
  [[nodiscard]] Slot* find(const LineKey& key) {
    for (size_t at = home_of(key.hash);;) {
      Slot& slot = slots_[at];
      if (slot.ref == 0 || is_key(slot, key)) return &slot;
      if (++at == slots_.size()) at = 0;
    }
  }

  /// First the slots are fetched, then the bytes that they lead to.
  template <class Use>
  void each_prefetched(std::span<const LineKey> keys, const Use& use) {
    const size_t count = keys.size();
    for (size_t i = 0; i < std::min(kAhead, count); ++i) fetch_slots(keys[i]);
    if (hold_ != Hold::kHashes)
      for (size_t i = 0; i < std::min(kHalfAhead, count); ++i) fetch_bytes(keys[i]);
    for (size_t i = 0; i < count; ++i) {
      if (i + kAhead < count) fetch_slots(keys[i + kAhead]);
      if (hold_ != Hold::kHashes && i + kHalfAhead < count) fetch_bytes(keys[i + kHalfAhead]);
      use(keys[i]);
    }
  }

  /// The slot where `key` is expected and the next ones, which may lie in another line of the cache.
  void fetch_slots(const LineKey& key) {
    const Slot* const home = &slots_[home_of(key.hash)];
    __builtin_prefetch(home, 1);
    __builtin_prefetch(home + kSlotsOfLine - 1, 1);
  }

  /// The bytes of `key`, and what they will be compared with, wherever among the slots that is.
  void fetch_bytes(const LineKey& key) {
    fetch(key.data);
    for (size_t at = home_of(key.hash); slots_[at].ref != 0;) {
      if (slots_[at].hash == key.hash) return fetch(address_of(slots_[at].ref));
      if (++at == slots_.size()) at = 0;
    }
  }
  static void fetch(const char* bytes) {
    __builtin_prefetch(bytes);
    __builtin_prefetch(bytes + 64);
  }

  /// The address of a kept piece, or of bytes that stay, the latter with kStays and their size above it: addresses of
  /// programs have kAddressBits.
  [[nodiscard]] uint64_t reference_of(const LineKey& key, bool stays) {
    if (hold_ == Hold::kHashes) return second_hash(key);
    const auto address = reinterpret_cast<uint64_t>(key.data);
    if (stays && hold_ == Hold::kBytes && key.size < kStays >> kAddressBits && address >> kAddressBits == 0)
      return kStays | key.size << kAddressBits | address;
    return reinterpret_cast<uint64_t>(kept_.add(key.bytes()));
  }
  static const char* address_of(uint64_t ref) {
    return reinterpret_cast<const char*>(ref & ((uint64_t{1} << kAddressBits) - 1));
  }
  static std::string_view bytes_at(uint64_t ref) {
    if ((ref & kStays) == 0) return KeptBytes::piece_at(reinterpret_cast<const char*>(ref));
    return {address_of(ref), (ref & ~kStays) >> kAddressBits};
  }

  void grow() {
    const SlotArray before = std::exchange(slots_, SlotArray(grown(slots_.size())));
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i].ref == 0) continue;
      size_t at = home_of(before[i].hash);
      while (slots_[at].ref != 0) {
        if (++at == slots_.size()) at = 0;
      }
      slots_[at] = before[i];
    }
  }

  Hold hold_;
  SlotArray slots_;
  KeptBytes kept_;
  uint64_t size_ = 0;
  uint64_t expected_ = 0;
};

}  // namespace neardup::lines
