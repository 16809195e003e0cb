#include "neardup/store/neighbours.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "neardup/store/arrival_decision.h"
#include "neardup/store/candidates.h"

namespace neardup::store {
namespace {

// Who may be near: equal checksums first, then the others, oldest first; each once.
std::vector<uint64_t> numbers_to_compare(const Candidates& candidates) {
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

// Who is near already is not named twice.
Status add_containers(const StoredView& view, const Record& document, const Candidates& candidates, const Judge& judge,
                      std::vector<StoredNeighbour>& found) {
  std::vector<Holding> holdings = candidates.holdings;
  leave_out(candidates.equal, holdings);
  if (holdings.empty()) return {};
  const Judge::ReadStored read = reader_of(view, document);
  NEARDUP_ASSIGN(const auto containers, judge.containers_of(document, holdings, Containing::kAll, read));
  for (const Container& container : containers) {
    if (std::ranges::find(found, container.number, &StoredNeighbour::number) != found.end()) continue;
    NEARDUP_ASSIGN(const Record* stored, read(container.number));
    if (stored == nullptr) continue;
    found.push_back({.id = std::string(stored->id),
                     .number = container.number,
                     .likeness = {.similarity = container.share},
                     .is_container = true});
  }
  return {};
}

}  // namespace

Result<StoredNeighbours> find_neighbours(const StoredView& view, const Record& document, const Candidates& candidates,
                                         const Judge& judge, size_t limit) {
  StoredNeighbours neighbours;
  const std::vector<uint64_t> numbers = numbers_to_compare(candidates);
  Judge::Comparison compare;  // made for the first: most documents have none
  size_t num_compared = 0;
  HeldRecord held;
  for (const uint64_t number : numbers) {
    NEARDUP_ASSIGN(const bool is_there, view.read_candidate(number, document.tag, held));
    if (!is_there || held->fate.kind != Kind::kNew) continue;
    if (num_compared++ == kMostCompared) {
      neighbours.truncated = true;
      break;
    }
    if (!compare) compare = judge.comparison_of(document);
    NEARDUP_ASSIGN(auto neighbour, compare_stored(document, *held, compare));
    if (neighbour) neighbours.found.push_back(std::move(*neighbour));
  }
  NEARDUP_TRY(add_containers(view, document, candidates, judge, neighbours.found));
  std::sort(neighbours.found.begin(), neighbours.found.end(), is_nearer);
  if (neighbours.found.size() <= limit) return neighbours;
  neighbours.found.resize(limit);
  neighbours.truncated = true;
  return neighbours;
}

}  // namespace neardup::store
