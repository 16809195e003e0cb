// A double-array trie whose whole step is one load of eight bytes (Aoe 1989).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::token {

/// One node. The child of a node by the label c is entry base + c, if that carries the label c: no two nodes share a
/// base, so the label tells the parent. A node without children has the base kLeafBase, which no other has: a step from
/// there fails without a test of its own.
class TrieEntry {
 public:
  static constexpr uint32_t kMaxBase = (1U << 24) - 1;
  static constexpr uint32_t kMaxValue = (1U << 24) - 1;
  static constexpr uint32_t kNoLabel = 0xFFFF;

  constexpr TrieEntry() : TrieEntry(0, kNoLabel, 0) {}
  constexpr TrieEntry(uint32_t base, uint32_t label, uint32_t value)
      : bits_(uint64_t{value} << 40 | uint64_t{label} << 24 | base) {}
  [[nodiscard]] uint32_t base() const { return bits_ & kMaxBase; }
  [[nodiscard]] uint32_t label() const { return bits_ >> 24 & 0xFFFF; }
  [[nodiscard]] uint32_t value() const { return static_cast<uint32_t>(bits_ >> 40); }

  /// Returns the entry where it has this label, else one without value and children. Cost: no branch, as a wrong guess
  /// would wait for the entry to come from far memory.
  [[nodiscard]] TrieEntry if_labelled(uint32_t wanted) const {
    TrieEntry entry;
    entry.bits_ = bits_ & (uint64_t{0} - uint64_t{label() == wanted});
    return entry;
  }

 private:
  uint64_t bits_;
};
static_assert(sizeof(TrieEntry) == 8);

inline constexpr uint32_t kLeafBase = 0;
inline constexpr uint32_t kRootBase = 1;

/// A key: labels from 1 to num_labels, and what it stands for. 0 is the value of what is no key.
struct TrieKey {
  std::vector<uint16_t> labels;
  uint32_t value = 0;
  uint64_t heat = 0;  // how often it is looked up: entries that are hot lie close together
};

/// Returns the entries of a trie of `keys`. Each base + num_labels lies within them.
/// Requires: num_labels < 0xFFFF; keys ascend strictly by labels, none is empty.
/// Errors: kUnsupported where they need more than 2^24 entries.
[[nodiscard]] Result<std::vector<TrieEntry>> build_trie(std::span<const TrieKey> keys, uint32_t num_labels);

/// Checks entries from outside in linear time: steps stay within them, and no walk is longer than `max_depth`.
[[nodiscard]] bool is_sound_trie(std::span<const TrieEntry> entries, uint32_t num_labels, uint32_t max_depth);

}  // namespace neardup::token
