// A small open-addressing map from token hashes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace neardup::token {

/// Maps well-mixed 64-bit keys to 64-bit values by linear probing at a load of at most one half. Key 0 is allowed.
class HashMap {
 public:
  explicit HashMap(size_t expected_size = 16) { reset(std::bit_ceil(expected_size * 2 + 2)); }

  /// Returns the value of `key`, null where there is none. It lives until the next insert().
  [[nodiscard]] const uint64_t* find(uint64_t key) const {
    const Slot& slot = slots_[slot_of(key)];
    return slot.used ? &slot.value : nullptr;
  }

  /// Adds `key`, or replaces its value.
  void insert(uint64_t key, uint64_t value) {
    if ((size_ + 1) * 2 > slots_.size()) grow();
    Slot& slot = slots_[slot_of(key)];
    size_ += slot.used ? 0 : 1;
    slot = {key, value, true};
  }

  void clear() { reset(slots_.size()); }
  [[nodiscard]] size_t size() const { return size_; }

 private:
  struct Slot {
    uint64_t key = 0;
    uint64_t value = 0;
    bool used = false;
  };

  void reset(size_t num_slots) {
    slots_.assign(num_slots, Slot{});
    size_ = 0;
  }

  [[nodiscard]] size_t slot_of(uint64_t key) const {
    size_t at = key & (slots_.size() - 1);
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  void grow() {
    const std::vector<Slot> old = std::move(slots_);
    reset(old.size() * 2);
    for (const Slot& slot : old) {
      if (slot.used) insert(slot.key, slot.value);
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
};

}  // namespace neardup::token
