#include "neardup/remote/stored_records.h"

#include <algorithm>
#include <utility>

#include "neardup/store/document_keys.h"

namespace neardup::remote {
namespace {

constexpr size_t kReadAhead = 128;

}  // namespace

Status StoredRecords::set_shared(std::string_view shared) {
  NEARDUP_ASSIGN(crawls_, Crawls::parse(shared));
  return {};
}

Status StoredRecords::fetch(std::span<const uint64_t> numbers) const {
  std::vector<uint64_t> missing;
  for (const uint64_t number : numbers)
    if (held_.try_emplace(number).second) missing.push_back(number);
  if (missing.empty()) return {};
  auto records = backend_.read(missing);
  for (size_t i = 0; records && i < missing.size(); ++i) {
    auto one = std::make_unique<Held>();
    one->is_there = !records->at(i).empty();
    if (one->is_there) NEARDUP_TRY(one->bytes.read(missing[i], std::move(records->at(i))));
    one->is_there = one->is_there && !crawls_.is_cancelled(one->bytes.standing().scope);
    one->entry = {one->bytes.record(), &one->bytes.standing()};
    held_[missing[i]] = std::move(one);
  }
  if (!records) return tl::unexpected<Error>(records.error());
  return {};
}

bool StoredRecords::has_key(uint64_t number, uint64_t key) const {
  const Held& one = *held_.at(number);
  if (!one.is_there) return false;
  if (one.keys.empty()) {
    one.keys = keys_of_stored(one.bytes.record(), one.bytes.standing());
    std::ranges::sort(one.keys);
  }
  return std::ranges::binary_search(one.keys, key);
}

void StoredRecords::sift(std::span<const uint64_t> keys, Found& found, std::vector<size_t>& num_sure) const {
  for (const auto& [number, one] : held_) one->should_erase = false;
  NumberLists lists;
  num_sure.clear();
  for (size_t i = 0; i < keys.size(); ++i) {
    size_t count = 0;
    bool is_sure = true;
    for (const uint64_t number : found.by_key[i]) {
      const auto read = held_.find(number);
      if (read != held_.end()) {
        if (!has_key(number, keys[i])) continue;
        read->second->should_erase = true;
      }
      is_sure = is_sure && read != held_.end();
      count += is_sure ? 1 : 0;
      lists.add(number);
    }
    lists.end_list();
    num_sure.push_back(count);
  }
  for (size_t i = 0; i < found.by_fingerprint.size(); ++i)
    for (const uint64_t number : found.by_fingerprint[i])
      if (const auto read = held_.find(number); read != held_.end()) read->second->should_erase = true;
  found.by_key = std::move(lists);
}

Status StoredRecords::fetch_kept() const {
  std::vector<uint64_t> kept;
  for (const auto& [number, one] : held_)
    if (one->should_erase && one->is_there && one->entry.record.fate.kind != store::Kind::kNew)
      kept.push_back(one->entry.record.fate.kept);
  return fetch(kept);
}

Status StoredRecords::fetch_same_ids(bool has_open_tag) const {
  if (!has_open_tag && !crawls_.any_committed()) return {};
  std::vector<uint64_t> keys;
  for (const auto& [number, one] : held_) {
    if (!one->should_erase || !one->is_there || open_scope_of(*one->entry.standing) != 0) continue;
    const uint64_t key = store::id_key(one->entry.record.id);
    if (known_with_id(key) == nullptr) keys.push_back(key);
  }
  if (keys.empty()) return {};
  sort_distinct(keys);
  NEARDUP_ASSIGN(const Found found, backend_.look_up({.keys = keys, .fingerprints = {}}));
  std::vector<uint64_t> numbers;
  for (size_t i = 0; i < keys.size(); ++i) {
    cache_ids(keys[i], found.by_key[i]);
    numbers.insert(numbers.end(), found.by_key[i].begin(), found.by_key[i].end());
  }
  return fetch(numbers);
}

// Also what is likely to be asked for after it.
Status StoredRecords::fetch_from(uint64_t number) const {
  std::vector<uint64_t> numbers = {number};
  const auto from = std::ranges::lower_bound(upcoming_, number);
  const auto count = std::min<ptrdiff_t>(kReadAhead, upcoming_.end() - from);
  numbers.insert(numbers.end(), from, from + count);
  return fetch(numbers);
}

Result<StoredRecords::Held*> StoredRecords::held(uint64_t number) const {
  auto found = held_.find(number);
  if (found == held_.end() || found->second == nullptr) {
    held_.erase(number);  // what could not be read is asked for again
    NEARDUP_TRY(fetch_from(number));
    found = held_.find(number);
  }
  return found->second.get();
}

Result<StoredEntry*> StoredRecords::at(uint64_t number) const {
  NEARDUP_ASSIGN(Held* const one, held(number));
  return one->is_there && !one->entry.is_erased ? &one->entry : nullptr;
}

Result<bool> StoredRecords::read(uint64_t number, store::HeldRecord& held) const {
  NEARDUP_ASSIGN(const StoredEntry* entry, at(number));
  if (entry != nullptr) held.show(entry->record);
  return entry != nullptr;
}

Result<bool> StoredRecords::read_candidate(uint64_t number, std::string_view tag, store::HeldRecord& held) const {
  NEARDUP_ASSIGN(const StoredEntry* entry, at(number));
  if (entry == nullptr) return false;
  NEARDUP_ASSIGN(const bool is_seen, sees_entry(tag, *entry));
  if (is_seen) held.show(entry->record);
  return is_seen;
}

Result<bool> StoredRecords::sees(std::string_view tag, uint64_t number) const {
  NEARDUP_ASSIGN(const StoredEntry* entry, at(number));
  return entry == nullptr ? Result<bool>(false) : sees_entry(tag, *entry);
}

Result<bool> StoredRecords::sees_entry(std::string_view tag, const StoredEntry& entry) const {
  const uint64_t own = crawls_.scope_of(tag), scope = open_scope_of(*entry.standing);
  if (scope != 0) return scope == own;
  if (own == 0 && !crawls_.any_committed()) return true;
  NEARDUP_ASSIGN(const bool is_gone, is_superseded(own, entry));
  return !is_gone;
}

// By a document of the crawl that asks, or of one that was committed later and has not erased it yet.
Result<bool> StoredRecords::is_superseded(uint64_t own, const StoredEntry& entry) const {
  const uint64_t key = store::id_key(entry.record.id);
  const std::vector<uint64_t>* numbers = known_with_id(key);
  if (numbers == nullptr) {
    NEARDUP_ASSIGN(const Found found, backend_.look_up({.keys = {&key, 1}, .fingerprints = {}}));
    cache_ids(key, found.by_key[0]);
    numbers = known_with_id(key);
  }
  const size_t order = crawls_.order_of(entry.standing->scope);
  for (const uint64_t number : *numbers) {
    if (number == entry.record.number) continue;
    NEARDUP_ASSIGN(const StoredEntry* other, at(number));
    if (other == nullptr || other->record.id != entry.record.id) continue;
    const uint64_t scope = open_scope_of(*other->standing);
    if (own != 0 && scope == own) return true;
    if (scope == 0 && crawls_.order_of(other->standing->scope) > order) return true;
  }
  return false;
}

Result<std::vector<uint64_t>> StoredRecords::kept_whole(const std::vector<uint64_t>& numbers) const {
  std::vector<uint64_t> kept;
  for (const uint64_t number : numbers) {
    NEARDUP_ASSIGN(const StoredEntry* entry, at(number));
    if (entry != nullptr && entry->record.fate.kind == store::Kind::kNew) kept.push_back(number);
  }
  return kept;
}

const std::vector<uint64_t>* StoredRecords::known_with_id(uint64_t key) const {
  const auto found = with_id_.find(key);
  return found == with_id_.end() ? nullptr : &found->second;
}

void StoredRecords::cache_ids(uint64_t key, std::span<const uint64_t> numbers) const {
  with_id_[key].assign(numbers.begin(), numbers.end());
}

}  // namespace neardup::remote
