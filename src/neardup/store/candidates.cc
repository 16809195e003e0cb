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
  struct Of {
    std::vector<uint64_t>* found;
    uint32_t document;
    uint32_t band = 0;  // its place among those of the document
    uint32_t most = 0;  // so many of them that the document sees are taken, the first; 0: all
    uint32_t count = 0;
  };
  std::vector<uint64_t> keys;
  std::vector<Of> of;

  void add(uint64_t key, const Of& one) {
    keys.push_back(key);
    of.push_back(one);
  }
};

// Whose passages are looked up.
struct PassageLookups {
  struct Of {
    uint32_t document, passage;
  };
  std::vector<uint64_t> keys;
  std::vector<Of> of;
};

PassageLookups passage_lookups_of(const DocumentKeys& keys) {
  PassageLookups lookups;
  for (uint32_t i = 0; i < keys.size(); ++i) {
    const std::span<const uint64_t> passages = keys.passages(i);
    lookups.keys.insert(lookups.keys.end(), passages.begin(), passages.end());
    for (uint32_t passage = 0; passage < passages.size(); ++passage) lookups.of.push_back({i, passage});
  }
  return lookups;
}

// So many of a passage are enough to know: all that are recorded at most, and as many that were in other open tags
// then.
constexpr uint32_t kMostHoldings = 2 * kMostRecorded;

// Those that are gone or not seen take no memory, however many there are: texts that changed often left them.
void find_holdings(const StoreState& state, std::span<const Record> documents, const DocumentKeys& keys,
                   std::vector<Candidates>& candidates) {
  const PassageLookups lookups = passage_lookups_of(keys);
  std::vector<uint32_t> counts(lookups.keys.size(), 0);
  state.keys().view().find_each(lookups.keys, [&](size_t i, uint64_t number) {
    const auto [document, passage] = lookups.of[i];
    if (counts[i] == kMostHoldings || !state.is_seen(number, documents[document].tag)) return;
    ++counts[i];
    candidates[document].holdings.push_back({passage, number});
  });
  for (Candidates& some : candidates) {
    std::ranges::sort(some.holdings);
    some.holdings.erase(std::unique(some.holdings.begin(), some.holdings.end()), some.holdings.end());
  }
}

Lookups lookups_of(const DocumentKeys& keys, Wanted wanted, std::vector<Candidates>& candidates) {
  Lookups lookups;
  for (uint32_t i = 0; i < candidates.size(); ++i) {
    lookups.add(keys.id(i), {.found = &candidates[i].same_id, .document = i});
    const bool to_put = wanted == Wanted::kToPut;
    if (!to_put || !keys.passages(i).empty()) lookups.add(keys.text(i), {.found = &candidates[i].equal, .document = i});
    if (to_put && keys.most_sharing(i) == 0) continue;
    uint32_t band = 0;
    for (const uint64_t key : keys.bands(i))
      lookups.add(key, {.found = &candidates[i].near, .document = i, .band = band++, .most = keys.most_sharing(i)});
  }
  return lookups;
}

void look_up(const StoreState& state, std::span<const Record> documents, Lookups& lookups,
             std::vector<Candidates>& candidates) {
  state.keys().view().find_each(lookups.keys, [&](size_t i, uint64_t number) {
    Lookups::Of& of = lookups.of[i];
    if (of.most != 0) {
      if (of.count == of.most || !state.is_seen(number, documents[of.document].tag)) return;
      ++of.count;
    }
    add_number(*of.found, number);
  });
  for (const Lookups::Of& of : lookups.of)
    if (of.most != 0 && of.count == of.most) candidates[of.document].crowded.push_back(of.band);
}

}  // namespace

void leave_out(std::span<const uint64_t> numbers, std::vector<Holding>& holdings) {
  std::erase_if(holdings, [&](const Holding& holding) { return std::ranges::binary_search(numbers, holding.number); });
}

std::vector<uint64_t> keys_to_record(const Record& document, std::span<const uint32_t> crowded) {
  std::vector<uint64_t> keys;
  for (uint32_t place = 0; place < document.keys.size(); ++place)
    if (!std::ranges::binary_search(crowded, place)) keys.push_back(document.keys[place]);
  return keys;
}

std::vector<uint64_t> passages_to_record(const Record& document, std::span<const Holding> holdings) {
  const auto first_of = [&](uint32_t passage) {
    return std::ranges::lower_bound(holdings, passage, {}, &Holding::passage);
  };
  std::vector<uint64_t> passages;
  for (uint32_t passage = 0; passage < document.passages.size(); ++passage) {
    if (first_of(passage + 1) - first_of(passage) < kMostRecorded) passages.push_back(document.passages[passage]);
  }
  return passages;
}

std::vector<Candidates> find_candidates(const StoreState& state, std::span<const Record> documents,
                                        const DocumentKeys& keys, Wanted wanted) {
  std::vector<Candidates> candidates(documents.size());
  Lookups lookups = lookups_of(keys, wanted, candidates);
  look_up(state, documents, lookups, candidates);
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
  find_holdings(state, documents, keys, candidates);
  return candidates;
}

}  // namespace neardup::store
