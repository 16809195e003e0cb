#include "neardup/store/repeated.h"

#include <algorithm>
#include <utility>

#include "neardup/store/candidates.h"

namespace neardup::store {
namespace {

using Numbers = std::span<const uint64_t>;  // ascending

// The first of `numbers`, but for some, whose record `repeats` says so of.
template <class Repeats>
Result<std::optional<uint64_t>> first_of(const StoredView& view, std::string_view tag, Numbers numbers, Numbers but,
                                         const Repeats& repeats) {
  HeldRecord held;
  for (const uint64_t number : numbers) {
    if (std::ranges::binary_search(but, number)) continue;
    NEARDUP_ASSIGN(const bool is_there, view.read_candidate(number, tag, held));
    if (!is_there || held->fate.kind != Kind::kNew) continue;
    NEARDUP_ASSIGN(const bool is_it, repeats(*held));
    if (is_it) return std::optional(number);
  }
  return std::optional<uint64_t>();
}

}  // namespace

Result<std::optional<uint64_t>> find_repeated(const StoredView& view, const Record& document,
                                              const Candidates& candidates, const Judge& judge, Numbers but) {
  const auto is_equal = [&](const Record& stored) -> Result<bool> {
    return stored.checksum == document.checksum && stored.within == document.within;
  };
  NEARDUP_ASSIGN(const auto equal, first_of(view, document.tag, candidates.equal, but, is_equal));
  if (equal) return equal;
  if (candidates.near.empty()) return std::optional<uint64_t>();
  return first_of(view, document.tag, candidates.near, but,
                  [&, compare = judge.comparison_of(document)](const Record& stored) -> Result<bool> {
                    if (stored.within != document.within) return false;
                    NEARDUP_ASSIGN(const auto likeness, compare(stored));
                    return likeness.has_value();
                  });
}

Result<std::vector<uint64_t>> find_holders(const StoredView& view, const Candidates& candidates, size_t most,
                                           Numbers but) {
  std::vector<Holding> holdings = candidates.holdings;
  leave_out(candidates.equal, holdings);
  std::vector<uint64_t> numbers;
  for (const Holding& holding : holdings) numbers.push_back(holding.number);
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  NEARDUP_ASSIGN(const std::vector<uint64_t> kept, view.kept_whole(numbers));
  std::erase_if(holdings, [&](const Holding& holding) {
    return !std::ranges::binary_search(kept, holding.number) || std::ranges::binary_search(but, holding.number);
  });
  numbers.clear();
  size_t count = 0;  // of its passage
  for (size_t i = 0; i < holdings.size(); ++i) {
    count = i > 0 && holdings[i].passage == holdings[i - 1].passage ? count + 1 : 1;
    if (count <= most) numbers.push_back(holdings[i].number);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

}  // namespace neardup::store
