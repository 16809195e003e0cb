// Which longer text that came before contains one that comes: the quote that arrives after what it was taken from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "neardup/engine/online/kept_texts.h"
#include "neardup/engine/online/passage_holders.h"
#include "neardup/feature/passages.h"
#include "neardup/verify/run_index_cache.h"

namespace neardup::engine {

/// A kept text that contains another one.
struct Container {
  uint32_t kept = 0;  // its number
  float share = 0;    // of the other one's tokens that it holds
};

/// The definition and the search of docs/design/contained.md over what has come so far: a passage is common from its
/// 17th text on. Memory: PassageHolders' for one passage in 6.5 tokens, some 3 to 7 bytes a token, 10 to 20 where
/// a second text has it, too, and run indexes. Threads: one at a time.
class Containers {
 public:
  /// `kept` must outlive it. Run indexes of long texts take `memory_bytes` at most. Requires: check_contained().
  Containers(const KeptTexts& kept, double asked, uint64_t memory_bytes);

  /// Returns the longest kept text that contains the text of `tokens`, of equal ones the first.
  [[nodiscard]] std::optional<Container> find(std::span<const uint32_t> tokens);
  /// The text of `tokens` is kept under the number `kept`. Nothing is added where it throws for memory.
  void add(uint32_t kept, std::span<const uint32_t> tokens);
  /// It is not kept, as another one contains it; it counts among those that have its passages.
  void count(std::span<const uint32_t> tokens) { add(PassageHolders::kNobody, tokens); }
  [[nodiscard]] uint64_t size_bytes() const { return holders_.size_bytes() + indexes_.size_bytes(); }

 private:
  void select(std::span<const uint32_t> tokens);
  void find_candidates(size_t num_tokens);
  [[nodiscard]] verify::SharedRunIndex index_of(uint32_t kept, std::span<const uint32_t> tokens);

  const KeptTexts& kept_;
  const double asked_;
  PassageHolders holders_;
  verify::RunIndexCache indexes_;  // by number
  std::vector<feature::Passage> selected_;
  std::vector<uint64_t> hashes_;  // of selected_, ascending, each once
  std::vector<uint32_t> met_;     // kept texts, once for each passage in common
  std::vector<uint32_t> candidates_;
};

}  // namespace neardup::engine
