#include "neardup/store/browse.h"

#include <algorithm>
#include <map>
#include <string>

namespace neardup::store {

namespace {

constexpr size_t kMostAtOnce = 1000;  // under one lock

}  // namespace

Result<std::optional<uint64_t>> visit_to_copy(const StoreState& state, uint64_t first, size_t limit,
                                              const Store::CopyVisitor& visit) {
  HeldRecord held;
  for (size_t shown = 0;;) {
    const std::vector<StoreState::LiveNumber> numbers = state.live_from(first, kMostAtOnce);
    if (numbers.empty()) return std::optional<uint64_t>();
    for (const auto& [number, in_open_tag] : numbers) {
      if (shown++ == limit) return std::optional(number);
      NEARDUP_ASSIGN(const bool is_there, state.read(number, held));
      if (is_there) visit(*held, in_open_tag);
    }
    first = numbers.back().number + 1;
  }
}

// One more than is shown tells whether there are more.
Result<std::optional<uint64_t>> visit_documents(const StoreState& state, uint64_t first, size_t limit,
                                                const Store::Visitor& visit) {
  HeldRecord held;
  for (size_t shown = 0;;) {
    const std::vector<uint64_t> numbers = state.numbers_from(first, kMostAtOnce);
    if (numbers.empty()) return std::optional<uint64_t>();
    for (const uint64_t number : numbers) {
      if (shown++ == limit) return std::optional(number);
      NEARDUP_ASSIGN(const bool is_there, state.read(number, held));
      if (is_there) visit(*held);
    }
    first = numbers.back() + 1;
  }
}

namespace {

// Appends those that repeat `kept` until there are `limit`.
Status read_members(const StoreState& state, uint64_t kept, const std::vector<uint64_t>& numbers, size_t limit,
                    std::vector<Member>& members) {
  HeldRecord held;
  for (const uint64_t number : numbers) {
    if (members.size() == limit) break;
    NEARDUP_ASSIGN(const bool is_there, state.read(number, held));
    if (is_there && held->fate.kind != Kind::kNew && held->fate.kept == kept)
      members.push_back({std::string(held->id), number, held->fate});
  }
  return {};
}

}  // namespace

// A page of a cluster costs what it shows, however many there are beside: of those in memory a look at each.
Result<std::vector<Member>> members_of(const StoreState& state, std::string_view id, uint64_t first, size_t limit) {
  std::vector<Member> members;
  NEARDUP_ASSIGN(const std::optional<uint64_t> kept, state.find_id(id, {}));
  if (!kept) return members;
  constexpr size_t kLookedUp = 1000;  // at least: some may be gone
  while (members.size() < limit) {
    std::vector<uint64_t> numbers = state.find_duplicates(*kept, first, std::max(limit - members.size(), kLookedUp));
    if (numbers.empty()) break;
    first = numbers.back() + 1;
    state.keep_seen(numbers, {});
    NEARDUP_TRY(read_members(state, *kept, numbers, limit, members));
  }
  return members;
}

Result<std::vector<TagCount>> count_tags(const StoreState& state) {
  std::map<std::string, TagCount> counts;
  for (const std::string& tag : state.open_tags().names()) counts[tag].is_open = true;
  const NumberSet erased = state.erased();
  NEARDUP_TRY(state.for_each_facts({}, [&](const DocumentFacts& facts) -> Status {
    std::vector<uint64_t> by_place(facts.tags().size());
    for (uint64_t number = facts.first(); number < facts.end(); ++number)
      if (!erased.contains(number)) ++by_place[facts.tag(number)];
    for (size_t place = 1; place < by_place.size(); ++place)
      if (by_place[place] > 0) counts[facts.tags()[place]].documents += by_place[place];
    return {};
  }));
  std::vector<TagCount> tags;
  for (auto& [tag, count] : counts) tags.push_back({tag, count.documents, count.is_open});
  return tags;
}

Result<std::vector<uint64_t>> numbers_before(const StoreState& state, int64_t before) {
  std::vector<uint64_t> numbers;
  NEARDUP_TRY(state.for_each_facts(before, [&](const DocumentFacts& facts) -> Status {
    for (uint64_t number = facts.first(); number < facts.end(); ++number)
      if (facts.time(number) != 0 && facts.time(number) < before) numbers.push_back(number);
    return {};
  }));
  return numbers;
}

}  // namespace neardup::store
