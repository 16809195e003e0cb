// From pairs of fingerprint values to pairs of positions, by one look through the joined sets.
//
// The tables of a join hold fingerprints alone, 8 bytes each. Where those that take part in pairs stand is looked up
// when the pairs are known: few of a large set take part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/join/pair.h"
#include "neardup/join/pair_writer.h"
#include "neardup/match/hits.h"

namespace neardup::join {

/// Pairs of values, in blocks so that it grows without being copied. Threads: one at a time.
class HitList {
 public:
  void push(const match::Hit& hit) {
    if (blocks_.empty() || blocks_.back().size() == kBlock) {
      blocks_.emplace_back();
      blocks_.back().reserve(kBlock);
    }
    blocks_.back().push_back(hit);
    ++size_;
  }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] const std::vector<std::vector<match::Hit>>& blocks() const { return blocks_; }
  void clear() {
    blocks_.clear();
    size_ = 0;
  }

 private:
  static constexpr size_t kBlock = size_t{1} << 14;
  std::vector<std::vector<match::Hit>> blocks_;
  size_t size_ = 0;
};

/// Delivers every pair of positions a, b (a < b in a self join) whose values are a hit. A hit of a value with itself
/// stands for all pairs among its positions. Requires: each hit once; both values are in the sets.
/// `first_thread` is what the sink is told for thread 0. Cost: a few nanoseconds for each fingerprint of the sets, and
/// about a hundred for each hit. Memory: resolve_bytes(). Errors: kCancelled, what the sink returns.
[[nodiscard]] Status resolve(const JoinedSets& sets, std::span<const HitList* const> lists, int num_threads,
                             int first_thread, const PairSink& sink, const Context& context);

/// Returns an upper bound of what `hits` hits take, lists and resolve() together, where no value stands more than once
/// in a set; 16 bytes more for each further position.
[[nodiscard]] uint64_t resolve_bytes(uint64_t hits);

}  // namespace neardup::join
