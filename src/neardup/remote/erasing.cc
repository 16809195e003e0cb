#include "neardup/remote/erasing.h"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "neardup/remote/attempts.h"
#include "neardup/store/document_keys.h"

namespace neardup::remote {
namespace {

constexpr size_t kErasedAtOnce = 1000;

// Erasures on their way: of each the documents with one id, or one of them.
class Erasures {
 public:
  // The entries must outlive it.
  void add(uint64_t id_key, const std::vector<const StoredEntry*>& entries) {
    Of& of = all_.emplace_back();
    of.id_key = id_key;
    Change& change = changes_.emplace_back();
    for (const StoredEntry* entry : entries) {
      of.keys.push_back(keys_of_stored(entry->record, *entry->standing));
      of.erased.push_back({entry->record.number, {}, of.keys.back(), entry->record.fingerprints});
      change.duplicates -= entry->record.fate.kind != store::Kind::kNew ? 1 : 0;
    }
    change.keys = {&of.id_key, 1};
    change.erased = of.erased;
    change.documents = -std::ssize(entries);
    change.erased_documents = std::ssize(entries);
  }
  [[nodiscard]] const std::vector<Change>& changes() const { return changes_; }
  [[nodiscard]] size_t count(size_t i) const { return all_[i].erased.size(); }

 private:
  struct Of {
    uint64_t id_key = 0;
    std::deque<std::vector<uint64_t>> keys;
    std::vector<StoredDocument> erased;
  };
  std::deque<Of> all_;
  std::vector<Change> changes_;
};

// What is to be erased of each of some things (ids, numbers), until each was erased or is not there.
class PendingErasure {
 public:
  // Adds the erasure of thing i, and returns whether there is anything to erase.
  using Add = std::function<Result<bool>(size_t i, Erasures& erasures)>;

  PendingErasure(const Backend& backend, size_t count)
      : tried_(count, 0), erased_(count, 0), attempts_(backend.connect_limit()) {
    for (size_t i = 0; i < count; ++i) left_.push_back(i);
  }
  [[nodiscard]] const std::vector<size_t>& left() const { return left_; }
  [[nodiscard]] uint64_t erased(size_t i) const { return erased_[i]; }
  [[nodiscard]] uint64_t total() const {
    uint64_t total = 0;
    for (const uint64_t count : erased_) total += count;
    return total;
  }

  // What a commit that failed was to erase, and is not there any more, it did erase.
  Status step(Backend& backend, const Seen& seen, const Add& add) {
    Erasures erasures;
    std::vector<size_t> added;
    for (const size_t i : left_) {
      NEARDUP_ASSIGN(const bool is_there, add(i, erasures));
      if (is_there)
        added.push_back(i);
      else
        erased_[i] = tried_[i];
    }
    left_ = std::move(added);
    if (left_.empty()) return {};
    attempts_.begin();
    auto happened = backend.commit(seen, erasures.changes());
    if (!happened) {
      for (size_t j = 0; j < left_.size(); ++j) tried_[left_[j]] = erasures.count(j);
      return attempts_.once_more(happened.error()) ? Status() : tl::unexpected<Error>(happened.error());
    }
    std::vector<size_t> again;
    for (size_t j = 0; j < left_.size(); ++j) {
      if ((*happened)[j])
        erased_[left_[j]] = erasures.count(j);
      else
        again.push_back(left_[j]);
    }
    left_ = std::move(again);
    return left_.empty() ? Status() : attempts_.after_conflict();
  }

 private:
  std::vector<size_t> left_;
  std::vector<uint64_t> tried_, erased_;
  Attempts attempts_;
};

// What is under the keys of ids, with the records.
struct ByIds {
  Found found;
  std::vector<uint64_t> keys;  // ascending

  Status look_up(Backend& backend, StoredRecords& records, Cancelled cancelled) {
    sort_distinct(keys);
    NEARDUP_ASSIGN(found, backend.look_up({.keys = keys, .fingerprints = {}, .reserve = 0, .to_commit = true}));
    if (cancelled == Cancelled::kHidden) NEARDUP_TRY(records.set_shared(found.shared));
    std::vector<uint64_t> numbers;
    for (size_t i = 0; i < keys.size(); ++i) {
      records.cache_ids(keys[i], found.by_key[i]);
      numbers.insert(numbers.end(), found.by_key[i].begin(), found.by_key[i].end());
    }
    return records.fetch(numbers);
  }
  [[nodiscard]] std::span<const uint64_t> numbers_of(uint64_t key) const {
    return found.by_key[static_cast<size_t>(std::ranges::lower_bound(keys, key) - keys.begin())];
  }
};

Status erase_some_ids(Backend& backend, std::span<const std::string_view> ids, std::span<uint64_t> counts) {
  PendingErasure erasing(backend, ids.size());
  while (!erasing.left().empty()) {
    StoredRecords records(backend);
    ByIds by_ids;
    for (const size_t i : erasing.left()) by_ids.keys.push_back(store::id_key(ids[i]));
    NEARDUP_TRY(by_ids.look_up(backend, records, Cancelled::kHidden));
    NEARDUP_TRY(erasing.step(backend, *by_ids.found.seen, [&](size_t i, Erasures& erasures) -> Result<bool> {
      const uint64_t key = store::id_key(ids[i]);
      std::vector<const StoredEntry*> entries;
      for (const uint64_t number : by_ids.numbers_of(key)) {
        NEARDUP_ASSIGN(const StoredEntry* entry, records.at(number));
        if (entry != nullptr && entry->record.id == ids[i]) entries.push_back(entry);
      }
      if (!entries.empty()) erasures.add(key, entries);
      return !entries.empty();
    }));
  }
  for (size_t i = 0; i < ids.size(); ++i) counts[i] = erasing.erased(i);
  return {};
}

Result<uint64_t> erase_some_numbers(Backend& backend, std::span<const uint64_t> numbers,
                                    const ShouldErase& should_erase, Cancelled cancelled) {
  PendingErasure erasing(backend, numbers.size());
  while (!erasing.left().empty()) {
    StoredRecords before(backend), records(backend);
    ByIds by_ids;
    std::vector<uint64_t> left;
    for (const size_t i : erasing.left()) left.push_back(numbers[i]);
    NEARDUP_TRY(before.fetch(left));
    for (const uint64_t number : left) {
      NEARDUP_ASSIGN(const StoredEntry* entry, before.at(number));
      if (entry != nullptr) by_ids.keys.push_back(store::id_key(entry->record.id));
    }
    NEARDUP_TRY(by_ids.look_up(backend, records, cancelled));
    NEARDUP_TRY(erasing.step(backend, *by_ids.found.seen, [&](size_t i, Erasures& erasures) -> Result<bool> {
      NEARDUP_ASSIGN(const StoredEntry* there_before, before.at(numbers[i]));
      if (there_before == nullptr) return false;
      NEARDUP_ASSIGN(const StoredEntry* entry, records.at(numbers[i]));
      if (entry == nullptr) return false;
      NEARDUP_ASSIGN(const bool is_it, should_erase(records, *entry));
      if (is_it) erasures.add(store::id_key(entry->record.id), {entry});
      return is_it;
    }));
  }
  return erasing.total();
}

}  // namespace

Result<uint64_t> erase_ids(Backend& backend, std::span<const std::string_view> ids, std::vector<size_t>* missing) {
  std::map<std::string_view, uint64_t> counts;
  for (const std::string_view id : ids) counts.emplace(id, 0);
  std::vector<std::string_view> distinct;
  for (const auto& [id, count] : counts) distinct.push_back(id);
  uint64_t total = 0;
  for (std::span<const std::string_view> left = distinct; !left.empty();) {
    const auto some = left.first(std::min(left.size(), kErasedAtOnce));
    std::vector<uint64_t> erased(some.size());
    NEARDUP_TRY(erase_some_ids(backend, some, erased));
    for (size_t i = 0; i < some.size(); ++i) total += counts[some[i]] = erased[i];
    left = left.subspan(some.size());
  }
  for (size_t i = 0; missing != nullptr && i < ids.size(); ++i)
    if (counts[ids[i]] == 0) missing->push_back(i);
  return total;
}

Result<uint64_t> erase_numbers(Backend& backend, std::span<const uint64_t> numbers, const ShouldErase& should_erase,
                               Cancelled cancelled) {
  uint64_t total = 0;
  while (!numbers.empty()) {
    const auto some = numbers.first(std::min(numbers.size(), kErasedAtOnce));
    NEARDUP_ASSIGN(const uint64_t count, erase_some_numbers(backend, some, should_erase, cancelled));
    total += count;
    numbers = numbers.subspan(some.size());
  }
  return total;
}

}  // namespace neardup::remote
