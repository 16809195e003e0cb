// Disjoint sets of ranks that many threads join at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace neardup::cluster {

/// The lowest rank of a set is its root, so parents only ever sink, and what is joined does not depend on the order.
/// Lock-free. Threads: all members from many at once. Source: Anderson and Woll, Wait-free parallel algorithms for the
/// union-find problem, STOC 1991.
class UnionFind {
 public:
  explicit UnionFind(uint32_t count) : parents_(std::make_unique<std::atomic<uint32_t>[]>(count)) {
    for (uint32_t rank = 0; rank < count; ++rank) parents_[rank].store(rank, std::memory_order_relaxed);
  }

  /// Returns the lowest rank of the set of `rank`, as of some moment during the call.
  uint32_t find(uint32_t rank) {
    while (true) {
      uint32_t parent = parents_[rank].load(std::memory_order_relaxed);
      if (parent == rank) return rank;
      const uint32_t grandparent = parents_[parent].load(std::memory_order_relaxed);
      // Path halving; if another thread moved the parent meanwhile, its value is as good.
      if (grandparent != parent) parents_[rank].compare_exchange_weak(parent, grandparent, std::memory_order_relaxed);
      rank = grandparent;
    }
  }

  /// Returns true if the two are in one set; false may be out of date when it arrives.
  bool connected(uint32_t a, uint32_t b) { return find(a) == find(b); }

  void unite(uint32_t a, uint32_t b) {
    while (true) {
      a = find(a);
      b = find(b);
      if (a == b) return;
      if (a > b) std::swap(a, b);
      uint32_t root = b;  // fails where b has got a parent meanwhile
      if (parents_[b].compare_exchange_strong(root, a, std::memory_order_relaxed)) return;
    }
  }

 private:
  std::unique_ptr<std::atomic<uint32_t>[]> parents_;
};

}  // namespace neardup::cluster
