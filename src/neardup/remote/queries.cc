#include "neardup/remote/queries.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "neardup/store/document_keys.h"

namespace neardup::remote {
namespace {

constexpr size_t kShownAtOnce = 1000;

// Records with what is open at the moment; of some keys what is under them, too.
Result<Found> begin_look(Backend& backend, StoredRecords& records, std::span<const uint64_t> keys) {
  NEARDUP_ASSIGN(Found found, backend.look_up({.keys = keys, .fingerprints = {}}));
  NEARDUP_TRY(records.set_shared(found.shared));
  return found;
}

// Nothing where it is not there, or gone by what others have.
Result<const StoredEntry*> live_at(const StoredRecords& records, uint64_t number) {
  NEARDUP_ASSIGN(const StoredEntry* entry, records.at(number));
  if (entry == nullptr || records.open_scope_of(*entry->standing) != 0) return entry;
  NEARDUP_ASSIGN(const bool is_seen, records.sees_entry({}, *entry));
  return is_seen ? entry : nullptr;
}

using Visit = std::function<Result<bool>(const StoredEntry& entry, bool in_open_tag)>;  // whether to go on
// Shows all documents that are live from `first` on, `at_once` of them read at a time.
Status for_each_live(Backend& backend, uint64_t first, size_t at_once, const Visit& visit) {
  while (true) {
    NEARDUP_ASSIGN(const std::vector<uint64_t> numbers, backend.numbers_from(first, at_once));
    if (numbers.empty()) return {};
    StoredRecords records(backend);
    NEARDUP_TRY(begin_look(backend, records, {}));
    NEARDUP_TRY(records.fetch(numbers));
    NEARDUP_TRY(records.fetch_same_ids(false));
    for (const uint64_t number : numbers) {
      NEARDUP_ASSIGN(const StoredEntry* entry, live_at(records, number));
      if (entry == nullptr) continue;
      NEARDUP_ASSIGN(const bool goes_on, visit(*entry, records.open_scope_of(*entry->standing) != 0));
      if (!goes_on) return {};
    }
    first = numbers.back() + 1;
  }
}

Result<std::optional<uint64_t>> number_of(Backend& backend, StoredRecords& records, std::string_view id) {
  const uint64_t key = store::id_key(id);
  NEARDUP_ASSIGN(const Found found, begin_look(backend, records, {&key, 1}));
  records.cache_ids(key, found.by_key[0]);
  NEARDUP_TRY(records.fetch(found.by_key[0]));
  for (const uint64_t number : found.by_key[0]) {
    NEARDUP_ASSIGN(const StoredEntry* entry, records.at(number));
    if (entry == nullptr || entry->record.id != id) continue;
    NEARDUP_ASSIGN(const bool is_seen, records.sees_entry({}, *entry));
    if (is_seen) return std::optional(number);
  }
  return std::optional<uint64_t>();
}

}  // namespace

Result<bool> find_id(Backend& backend, std::string_view id, const store::Store::Visitor& visit) {
  StoredRecords records(backend);
  NEARDUP_ASSIGN(const auto number, number_of(backend, records, id));
  if (!number) return false;
  NEARDUP_ASSIGN(const StoredEntry* entry, records.at(*number));
  visit(entry->record);
  return true;
}

Result<bool> find_number(Backend& backend, uint64_t number, const store::Store::Visitor& visit) {
  StoredRecords records(backend);
  NEARDUP_TRY(begin_look(backend, records, {}));
  NEARDUP_ASSIGN(const StoredEntry* entry, records.at(number));
  if (entry == nullptr) return false;
  NEARDUP_ASSIGN(const bool is_seen, records.sees_entry({}, *entry));
  if (is_seen) visit(entry->record);
  return is_seen;
}

// One more than is shown tells whether there are more.
Result<std::optional<uint64_t>> visit_documents(Backend& backend, uint64_t first, size_t limit,
                                                const store::Store::CopyVisitor& visit, bool in_open_tags) {
  size_t shown = 0;
  std::optional<uint64_t> next;
  const size_t at_once = limit < kShownAtOnce ? limit + 1 : kShownAtOnce;
  NEARDUP_TRY(for_each_live(backend, first, at_once, [&](const StoredEntry& entry, bool in_open_tag) -> Result<bool> {
    if (in_open_tag && !in_open_tags) return true;
    if (shown++ == limit) {
      next = entry.record.number;
      return false;
    }
    visit(entry.record, in_open_tag);
    return true;
  }));
  return next;
}

Result<std::vector<store::Member>> members_of(Backend& backend, std::string_view id, uint64_t first, size_t limit) {
  std::vector<store::Member> members;
  StoredRecords by_id(backend);
  NEARDUP_ASSIGN(const auto kept, number_of(backend, by_id, id));
  if (!kept) return members;
  const uint64_t key = store::kept_key(*kept);
  StoredRecords opened(backend);
  NEARDUP_ASSIGN(const Found found, begin_look(backend, opened, {&key, 1}));
  const std::span<const uint64_t> all = found.by_key[0];
  auto left = all.subspan(static_cast<size_t>(std::ranges::lower_bound(all, first) - all.begin()));
  while (!left.empty() && members.size() < limit) {
    const auto some = left.first(std::min({left.size(), kShownAtOnce, limit - members.size() + 16}));
    StoredRecords records(backend);
    NEARDUP_TRY(records.set_shared(found.shared));
    NEARDUP_TRY(records.fetch(some));
    NEARDUP_TRY(records.fetch_same_ids(false));
    for (const uint64_t number : some) {
      NEARDUP_ASSIGN(const StoredEntry* entry, records.at(number));
      if (entry == nullptr || members.size() == limit) continue;
      NEARDUP_ASSIGN(const bool is_seen, records.sees_entry({}, *entry));
      const store::Record& record = entry->record;
      if (is_seen && record.fate.kind != store::Kind::kNew && record.fate.kept == *kept)
        members.push_back({std::string(record.id), number, record.fate});
    }
    left = left.subspan(some.size());
  }
  return members;
}

Result<std::vector<store::TagCount>> count_tags(Backend& backend) {
  std::map<std::string, store::TagCount, std::less<>> counts;
  StoredRecords records(backend);
  NEARDUP_TRY(begin_look(backend, records, {}));
  for (const Crawls::Open& open : records.crawls().open()) counts[open.tag].is_open = true;
  NEARDUP_TRY(for_each_live(backend, 0, kShownAtOnce, [&](const StoredEntry& entry, bool) -> Result<bool> {
    if (!entry.record.tag.empty()) ++counts[std::string(entry.record.tag)].documents;
    return true;
  }));
  std::vector<store::TagCount> tags;
  for (auto& [tag, count] : counts) tags.push_back({tag, count.documents, count.is_open});
  return tags;
}

Result<std::vector<uint64_t>> numbers_before(Backend& backend, int64_t before) {
  std::vector<uint64_t> numbers;
  NEARDUP_TRY(for_each_live(backend, 0, kShownAtOnce, [&](const StoredEntry& entry, bool in_open_tag) -> Result<bool> {
    if (!in_open_tag && entry.record.time != 0 && entry.record.time < before) numbers.push_back(entry.record.number);
    return true;
  }));
  return numbers;
}

}  // namespace neardup::remote
