#include "neardup/store/candidates.h"

#include <algorithm>

namespace neardup::store {
namespace {

// A document may share every band with as many as there are: of each one number is kept, not one for each band.
void add_number(std::vector<uint64_t>& numbers, uint64_t number) {
  constexpr size_t kMany = 4096;
  if (numbers.size() == numbers.capacity() && numbers.size() >= kMany) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (numbers.size() > numbers.capacity() / 2) numbers.reserve(2 * numbers.capacity());
  }
  numbers.push_back(number);
}

// What is looked up, and where what is found goes.
struct Lookups {
  std::vector<uint64_t> keys;
  std::vector<std::vector<uint64_t>*> found;

  void add(uint64_t key, std::vector<uint64_t>& numbers) {
    keys.push_back(key);
    found.push_back(&numbers);
  }
};

Lookups lookups_of(const DocumentKeys& keys, Wanted wanted, std::vector<Candidates>& candidates) {
  Lookups lookups;
  for (size_t i = 0; i < candidates.size(); ++i) {
    lookups.add(keys.id(i), candidates[i].same_id);
    if (wanted == Wanted::kSameId) continue;
    lookups.add(keys.text(i), candidates[i].equal);
    for (const uint64_t band : keys.bands(i)) lookups.add(band, candidates[i].near);
  }
  return lookups;
}

}  // namespace

std::vector<Candidates> find_candidates(const StoreState& state, std::span<const Record> documents,
                                        const DocumentKeys& keys, Wanted wanted) {
  std::vector<Candidates> candidates(documents.size());
  const Lookups lookups = lookups_of(keys, wanted, candidates);
  state.keys().view().find_each(lookups.keys,
                                [&](size_t i, uint64_t number) { add_number(*lookups.found[i], number); });
  if (wanted == Wanted::kAll)
    state.index().find_within_reach(documents,
                                    [&](size_t i, uint64_t number) { candidates[i].near.push_back(number); });
  std::vector<std::vector<uint64_t>*> lists;
  for (Candidates& some : candidates)
    for (std::vector<uint64_t>* list : {&some.same_id, &some.equal, &some.near})
      if (!list->empty()) lists.push_back(list);
  state.keep_live(lists);
  for (size_t i = 0; i < documents.size() && state.num_open_tags() > 0; ++i)
    for (std::vector<uint64_t>* list : {&candidates[i].equal, &candidates[i].near})
      state.keep_seen(*list, documents[i].tag);
  return candidates;
}

}  // namespace neardup::store
