#include "neardup/report/exploration.h"

#include <algorithm>
#include <cmath>

#include "neardup/base/disjoint_sets.h"

namespace neardup::report {
namespace {

// Documents that pairs or equal texts tie, directly or over others, have the same root.
std::vector<uint32_t> roots_of(const Exploration& exploration) {
  const auto count = static_cast<uint32_t>(exploration.documents.size());
  DisjointSets sets(count);
  for (uint32_t i = 0; i < count; ++i) sets.unite(i, exploration.documents[i].same_as);
  for (const ExploredPair& pair : exploration.pairs) sets.unite(pair.better, pair.worse);
  std::vector<uint32_t> roots(count);
  for (uint32_t i = 0; i < count; ++i) roots[i] = sets.find(i);
  return roots;
}

// Whether there is room for the set of each root.
std::vector<bool> rooms_of(const Exploration& exploration, const std::vector<uint32_t>& roots,
                           const ExplorationLimits& limits) {
  std::vector<size_t> documents(roots.size()), pairs(roots.size());
  for (const uint32_t root : roots) ++documents[root];
  for (const ExploredPair& pair : exploration.pairs) ++pairs[roots[pair.better]];
  std::vector<uint32_t> order;
  for (uint32_t root = 0; root < roots.size(); ++root)
    if (roots[root] == root) order.push_back(root);
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return documents[a] > documents[b]; });
  std::vector<bool> has_room(roots.size());
  size_t num_documents = 0, num_pairs = 0;
  for (const uint32_t root : order) {
    if (num_documents + documents[root] > limits.documents || num_pairs + pairs[root] > limits.pairs) continue;
    has_room[root] = true;
    num_documents += documents[root];
    num_pairs += pairs[root];
  }
  return has_room;
}

// The best pair of each worse document: its kept one is the first of those similar to it, or one that was itself
// removed.
void count_left_out(LeftOut& left_out, const Exploration& exploration, const std::vector<uint32_t>& roots,
                    const std::vector<bool>& has_room) {
  std::vector<float> similarity(roots.size(), -1);
  std::vector<uint64_t> sizes(roots.size());
  for (const uint32_t root : roots)
    if (!has_room[root]) left_out.largest = std::max(left_out.largest, ++sizes[root]);
  for (const ExploredPair& pair : exploration.pairs)
    similarity[pair.worse] = std::max(similarity[pair.worse], pair.similarity);
  for (uint32_t i = 0; i < roots.size(); ++i) {
    const ExploredDocument& document = exploration.documents[i];
    if (has_room[roots[i]] || document.source == kNoSource) continue;
    left_out.clusters += roots[i] == i;
    if (document.same_as != i) {
      ++left_out.exact;
    } else if (similarity[i] >= 0) {
      left_out.count_near(similarity[i]);
    } else {
      ++left_out.kept;
    }
  }
}

}  // namespace

void LeftOut::count_near(float similarity) {
  ++near;
  const double step = std::floor(static_cast<double>(similarity) * kSimilaritySteps + 1e-4);
  ++near_by_similarity[static_cast<size_t>(std::clamp(step, 0.0, double{kSimilaritySteps}))];
}

Exploration within_limits(const Exploration& exploration, const ExplorationLimits& limits) {
  if (exploration.documents.size() <= limits.documents && exploration.pairs.size() <= limits.pairs) return exploration;
  const std::vector<uint32_t> roots = roots_of(exploration);
  const std::vector<bool> has_room = rooms_of(exploration, roots, limits);
  Exploration result;
  result.has_all_pairs = exploration.has_all_pairs;
  result.has_too_many_pairs = exploration.has_too_many_pairs;
  result.are_components = exploration.are_components;
  result.left_out = exploration.left_out;
  result.explain = exploration.explain;
  std::vector<uint32_t> number(roots.size());
  for (uint32_t i = 0; i < roots.size(); ++i) {
    if (!has_room[roots[i]]) continue;
    number[i] = static_cast<uint32_t>(result.documents.size());
    result.documents.push_back(exploration.documents[i]);
    result.documents.back().same_as = number[exploration.documents[i].same_as];
  }
  for (ExploredPair pair : exploration.pairs) {
    if (!has_room[roots[pair.better]]) continue;
    pair.better = number[pair.better];
    pair.worse = number[pair.worse];
    result.pairs.push_back(pair);
  }
  count_left_out(result.left_out, exploration, roots, has_room);
  return result;
}

}  // namespace neardup::report
