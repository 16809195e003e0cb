// Random candidate graphs, and the plain definitions of stars and components.
#pragma once

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/cluster/assignment.h"
#include "neardup/cluster/candidate.h"

namespace neardup::cluster {

struct Graph {
  uint32_t num_documents = 0;
  std::vector<Candidate> candidates;  // sorted by (worse, better)
};

inline void sort_candidates(std::vector<Candidate>& candidates) {
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return a.worse != b.worse ? a.worse < b.worse : a.better < b.better;
  });
  const auto same = [](const Candidate& a, const Candidate& b) { return a.worse == b.worse && a.better == b.better; };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), same), candidates.end());
}

inline Graph random_graph(uint32_t num_documents, size_t edges, uint32_t seed) {
  std::mt19937_64 random(seed);
  Graph graph{num_documents, {}};
  for (size_t i = 0; i < edges && num_documents > 1; ++i) {
    const auto a = static_cast<uint32_t>(random() % num_documents), b = static_cast<uint32_t>(random() % num_documents);
    if (a != b) graph.candidates.push_back({std::min(a, b), std::max(a, b), static_cast<uint32_t>(random() % 17)});
  }
  sort_candidates(graph.candidates);
  return graph;
}

inline Graph clique(uint32_t size) {
  Graph graph{size, {}};
  for (uint32_t b = 1; b < size; ++b)
    for (uint32_t a = 0; a < b; ++a) graph.candidates.push_back({a, b, (a + b) % 11});
  return graph;
}

inline Graph chain(uint32_t size) {
  Graph graph{size, {}};
  for (uint32_t b = 1; b < size; ++b) graph.candidates.push_back({b - 1, b, b % 9});
  return graph;
}

/// Delivers the candidates in blocks of `block`.
inline CandidateSource source_of(const Graph& graph, size_t block = 1000) {
  return [&graph, block, at = size_t{0}]() mutable -> Result<std::span<const Candidate>> {
    const auto part = std::span(graph.candidates).subspan(at, std::min(block, graph.candidates.size() - at));
    at += part.size();
    return part;
  };
}

/// A verdict that is random but depends on the pair alone.
inline Likeness hashed_verdict(uint32_t better, uint32_t worse, uint32_t percent_similar, uint64_t seed) {
  const uint64_t hash = mix64(mix64(seed + better) ^ worse);
  return {hash % 100 < percent_similar, static_cast<float>(hash >> 40 & 1023) / 1024};
}

inline Verify hashed_verify(uint32_t percent_similar, uint64_t seed = 1) {
  return [=](uint32_t better, uint32_t worse) -> Result<Likeness> {
    return hashed_verdict(better, worse, percent_similar, seed);
  };
}

/// The definition of star_clusters.
inline std::vector<Assignment> plain_stars(const Graph& graph, const Verify& verify, uint32_t num_references = 0) {
  std::vector<Assignment> result(graph.num_documents);
  for (uint32_t rank = 0; rank < graph.num_documents; ++rank) result[rank].kept = rank;
  for (const Candidate& candidate : graph.candidates) {
    const bool open = candidate.worse >= num_references && result[candidate.worse].kept == candidate.worse;
    if (!open || result[candidate.better].kept != candidate.better) continue;
    const Likeness verdict = *verify(candidate.better, candidate.worse);
    if (verdict.similar) result[candidate.worse] = {candidate.better, verdict.similarity, candidate.distance};
  }
  return result;
}

/// The definition of component_clusters: breadth first from each rank in turn.
inline std::vector<Assignment> plain_components(const Graph& graph, const Verify& verify, uint32_t num_references = 0) {
  std::vector<std::vector<uint32_t>> neighbours(graph.num_documents);
  for (const Candidate& candidate : graph.candidates) {
    if (candidate.worse < num_references || !verify(candidate.better, candidate.worse)->similar) continue;
    neighbours[candidate.better].push_back(candidate.worse);
    neighbours[candidate.worse].push_back(candidate.better);
  }
  std::vector<Assignment> result(graph.num_documents);
  std::vector<bool> seen(graph.num_documents, false);
  for (uint32_t root = 0; root < graph.num_documents; ++root) {
    if (seen[root]) continue;
    seen[root] = true;
    for (std::deque<uint32_t> queue = {root}; !queue.empty(); queue.pop_front()) {
      const uint32_t rank = queue.front();
      const bool kept = rank == root || rank < num_references;
      result[rank] = kept ? Assignment{rank, 1, 0} : Assignment{root, verify(root, rank)->similarity, kUnknownDistance};
      for (const uint32_t next : neighbours[rank]) {
        if (!seen[next]) queue.push_back(next);
        seen[next] = true;
      }
    }
  }
  for (const Candidate& candidate : graph.candidates) {
    Assignment& assignment = result[candidate.worse];
    if (assignment.kept == candidate.better) assignment.distance = candidate.distance;
  }
  return result;
}

}  // namespace neardup::cluster
