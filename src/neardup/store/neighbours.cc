#include "neardup/store/neighbours.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "neardup/store/candidates.h"

namespace neardup::store {
namespace {

// Who may be near: equal checksums first, then the others, oldest first; each once.
std::vector<uint64_t> numbers_to_compare(const StoreState& state, const Record& document) {
  const std::span<const Record> one(&document, 1);
  Candidates candidates = std::move(find_candidates(state, one, DocumentKeys(one), Wanted::kAll)[0]);
  std::vector<uint64_t> numbers = candidates.equal;
  for (const uint64_t number : candidates.near)
    if (!std::binary_search(candidates.equal.begin(), candidates.equal.end(), number)) numbers.push_back(number);
  return numbers;
}

Result<std::optional<StoredNeighbour>> compare_stored(const Record& document, const Record& stored,
                                                      const Judge::Comparison& compare) {
  if (stored.fate.kind != Kind::kNew || stored.within != document.within) return std::optional<StoredNeighbour>();
  StoredNeighbour neighbour{.id = std::string(stored.id), .number = stored.number, .likeness = {}, .is_exact = true};
  if (stored.checksum == document.checksum) return std::optional(std::move(neighbour));
  NEARDUP_ASSIGN(const auto likeness, compare(stored));
  if (!likeness) return std::optional<StoredNeighbour>();
  neighbour.likeness = *likeness;
  neighbour.is_exact = false;
  return std::optional(std::move(neighbour));
}

bool is_nearer(const StoredNeighbour& a, const StoredNeighbour& b) {
  if (a.likeness.similarity != b.likeness.similarity) return a.likeness.similarity > b.likeness.similarity;
  if (a.is_exact != b.is_exact) return a.is_exact;
  return a.number < b.number;
}

}  // namespace

Result<StoredNeighbours> find_neighbours(const StoreState& state, const Record& document, const Judge& judge,
                                         size_t limit) {
  StoredNeighbours neighbours;
  const std::vector<uint64_t> numbers = numbers_to_compare(state, document);
  if (numbers.empty()) return neighbours;
  const Judge::Comparison compare = judge.comparison_of(document);
  size_t num_compared = 0;
  HeldRecord held;
  for (const uint64_t number : numbers) {
    if (num_compared++ == kMostCompared) {
      neighbours.truncated = true;
      break;
    }
    NEARDUP_ASSIGN(const bool is_there, state.read(number, held));
    if (!is_there) continue;
    NEARDUP_ASSIGN(auto neighbour, compare_stored(document, *held, compare));
    if (neighbour) neighbours.found.push_back(std::move(*neighbour));
  }
  std::sort(neighbours.found.begin(), neighbours.found.end(), is_nearer);
  if (neighbours.found.size() <= limit) return neighbours;
  neighbours.found.resize(limit);
  neighbours.truncated = true;
  return neighbours;
}

}  // namespace neardup::store
