#include "neardup/evaluate/spanning_forest.h"

#include <algorithm>

#include "neardup/base/disjoint_sets.h"

namespace neardup::evaluate {

void SpanningForest::compact() {
  const auto by_level = [](const Edge& a, const Edge& b) { return a.level < b.level; };
  std::stable_sort(edges_.begin(), edges_.end(), by_level);
  DisjointSets sets(num_vertices_);
  std::erase_if(edges_, [&](const Edge& edge) { return !sets.unite(edge.a, edge.b); });
}

}  // namespace neardup::evaluate
