// What comparing needs of the documents that were kept, side by side in memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "neardup/engine/match/decision.h"

namespace neardup::engine {

/// Copies of PairSides, by number. Memory: 56 bytes each, and what they hold: 4 bytes for each token and for each
/// character n-gram of a short text, 2 for each value of a signature, 8 for each fingerprint. What was added stays
/// where it is. Threads: add() alone; const members beside each other.
class KeptTexts {
 public:
  /// Returns the document's number: 0, 1, 2, ... Nothing is added where it throws for memory.
  uint32_t add(const PairSide& side);
  /// Takes back the last add(), but for the room that it took. Never throws.
  void take_back() noexcept { entries_.pop_back(); }
  /// Returns views that stay valid.
  [[nodiscard]] PairSide side(uint32_t number) const;
  [[nodiscard]] uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }
  [[nodiscard]] uint64_t size_bytes() const;

 private:
  struct Entry {
    const uint64_t* words;  // fingerprints, then signatures, then tokens and character n-grams
    Hash128 checksum;
    uint32_t num_tokens, num_short;
    uint16_t num_fingerprints, num_values, num_short_values;
  };
  uint64_t* place(size_t num_words);
  uint64_t* new_block(size_t num_words);

  std::vector<Entry> entries_;
  std::vector<std::unique_ptr<uint64_t[]>> blocks_;
  uint64_t num_block_words_ = 0;  // of all blocks
  uint64_t* open_ = nullptr;      // the block that is filled
  size_t left_ = 0;               // words in it
};

}  // namespace neardup::engine
