// Disjoint sets of numbers that many threads unite at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace neardup {

/// The lowest number of a set is its root, so parents only ever sink, and what is united does not depend on the order.
/// Lock-free. Threads: all members from many at once. Source: Anderson and Woll, Wait-free parallel algorithms for the
/// union-find problem, STOC 1991.
class DisjointSets {
 public:
  explicit DisjointSets(uint32_t count) : parents_(std::make_unique<std::atomic<uint32_t>[]>(count)) {
    for (uint32_t i = 0; i < count; ++i) parents_[i].store(i, std::memory_order_relaxed);
  }

  /// Returns the root of i, as of some moment during the call. Halves the path on the way.
  uint32_t find(uint32_t i) {
    while (true) {
      uint32_t parent = parents_[i].load(std::memory_order_relaxed);
      if (parent == i) return i;
      const uint32_t above = parents_[parent].load(std::memory_order_relaxed);
      if (above != parent) parents_[i].compare_exchange_weak(parent, above, std::memory_order_relaxed);
      i = above;
    }
  }

  /// Returns true if the two are in one set; false may be out of date when it arrives.
  bool connected(uint32_t a, uint32_t b) { return find(a) == find(b); }

  /// Returns whether they were not united before.
  bool unite(uint32_t a, uint32_t b) {
    while (true) {
      a = find(a);
      b = find(b);
      if (a == b) return false;
      if (a > b) std::swap(a, b);
      uint32_t root = b;  // fails where b has got a parent meanwhile
      if (parents_[b].compare_exchange_strong(root, a, std::memory_order_relaxed)) return true;
    }
  }

 private:
  std::unique_ptr<std::atomic<uint32_t>[]> parents_;
};

}  // namespace neardup
