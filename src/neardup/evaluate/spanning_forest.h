// The clusters of a stream of edges at every level, in memory that does not grow with the edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace neardup::evaluate {

/// Keeps, of all edges added, a minimum spanning forest by level: for each level, the edges kept up to it connect what
/// all edges up to it connect. Memory: 36 bytes a vertex at most. Cost: O(1) amortised an edge, nearly.
/// Threads: one at a time. Source: Kruskal 1956; dropping the heaviest edge of a cycle is safe at any time.
class SpanningForest {
 public:
  struct Edge {
    uint32_t a = 0;
    uint32_t b = 0;
    uint32_t level = 0;
    bool operator==(const Edge&) const = default;
  };

  explicit SpanningForest(uint32_t num_vertices) : num_vertices_(num_vertices) {}

  /// Requires: a, b < num_vertices.
  void add(const Edge& edge) {
    if (edges_.size() >= limit()) compact();
    edges_.push_back(edge);
  }

  /// Returns the forest: fewer edges than vertices, by level.
  [[nodiscard]] const std::vector<Edge>& edges() {
    compact();
    return edges_;
  }

 private:
  [[nodiscard]] size_t limit() const { return size_t{2} * num_vertices_ + 1024; }
  void compact();

  uint32_t num_vertices_;
  std::vector<Edge> edges_;
};

}  // namespace neardup::evaluate
