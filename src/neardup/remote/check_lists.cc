#include "neardup/remote/check_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "neardup/base/hash.h"
#include "neardup/remote/stored_records.h"
#include "neardup/store/document_keys.h"
#include "neardup/store/fingerprint_index.h"

namespace neardup::remote {
namespace {

using store::Record;

// One of the things by which a document must be found.
struct Way {
  uint64_t number = 0;
  std::string_view by;
};

class ListCheck {
 public:
  ListCheck(Backend& backend, const Context& context) : backend_(backend), context_(context) {}

  Result<store::StoreCheck> run() {
    NEARDUP_ASSIGN(const BackendFigures before, backend_.figures());
    if (context_.progress != nullptr) context_.progress->begin_stage("check", "documents", 0, before.documents);
    NEARDUP_TRY(check_all());
    if (context_.progress != nullptr) context_.progress->end_stage();
    for (const auto& [by, count] : counts_)
      if (count > store::kMostOfAKind)
        faults_.push_back(fmt::format("and {} more that are not found by their {}", count - store::kMostOfAKind, by));
    NEARDUP_ASSIGN(const BackendFigures after, backend_.figures());
    compare_counts(before, after);
    return store::StoreCheck{std::move(faults_), num_documents_};
  }

 private:
  Status check_all() {
    for (uint64_t first = 0;;) {
      NEARDUP_TRY(context_.check_cancel());
      NEARDUP_ASSIGN(const std::vector<uint64_t> numbers, backend_.numbers_from(first, kCheckedAtOnce));
      if (numbers.empty()) return {};
      NEARDUP_TRY(check_some(numbers));
      if (context_.progress != nullptr) context_.progress->advance(0, num_documents_);
      first = numbers.back() + 1;
    }
  }
  Status check_some(std::span<const uint64_t> numbers);
  void add_keys(const StoredEntry& entry);
  void add_fingerprints(const Record& record);
  Status ask_keys();
  Status ask_fingerprints();
  Status note(const std::vector<Way>& missed);
  void compare_counts(const BackendFigures& before, const BackendFigures& after);

  Backend& backend_;
  const Context& context_;
  // What is asked for some documents, and of what each is; each document with its fingerprints is one.
  std::vector<uint64_t> keys_, fingerprints_;
  std::vector<Way> of_keys_, of_fingerprints_;
  std::map<std::string_view, uint64_t> counts_;  // of faults
  std::vector<std::string> faults_;
  uint64_t num_documents_ = 0, num_duplicates_ = 0;
};

void ListCheck::add_keys(const StoredEntry& entry) {
  const Record& record = entry.record;
  const store::DocumentKeys own({&record, 1});
  const auto add = [&](std::string_view by, uint64_t key) {
    keys_.push_back(key);
    of_keys_.push_back({record.number, by});
  };
  add("id", own.id(0));
  if (entry.standing->by_text) add("text", own.text(0));
  for (const uint64_t key : own.bands(0)) add("keys", key);
  for (const uint64_t key : own.passages(0)) add("passages", key);
  if (record.fate.kind != store::Kind::kNew) add("kept document", store::kept_key(record.fate.kept));
}

// Of several fingerprints one is asked for, the others are as far from those of the document as they can be.
void ListCheck::add_fingerprints(const Record& record) {
  const size_t words = backend_.settings().num_bits / 64;
  const auto bits = static_cast<uint64_t>(backend_.settings().num_bits);
  for (size_t begin = 0; begin < record.fingerprints.size(); begin += words) {
    for (const int changed : {0, backend_.settings().max_distance}) {
      const size_t place = fingerprints_.size();
      for (const uint64_t word : record.fingerprints) fingerprints_.push_back(~word);
      uint64_t* const asked = fingerprints_.data() + place + begin;
      std::copy_n(record.fingerprints.begin() + static_cast<std::ptrdiff_t>(begin), words, asked);
      for (int i = 0; i < changed; ++i) {
        const uint64_t bit = mix64(record.number * 131 + begin * 17 + static_cast<uint64_t>(i)) % bits;
        asked[bit / 64] ^= uint64_t{1} << bit % 64;
      }
      of_fingerprints_.push_back({record.number, "fingerprints"});
    }
  }
}

// What crawls are open or ended does not matter: all that is there must be found.
Status ListCheck::check_some(std::span<const uint64_t> numbers) {
  const StoredRecords records(backend_);
  NEARDUP_TRY(records.fetch(numbers));
  for (const uint64_t number : numbers) {
    NEARDUP_ASSIGN(const StoredEntry* entry, records.at(number));
    if (entry == nullptr) continue;
    ++num_documents_;
    num_duplicates_ += entry->record.fate.kind != store::Kind::kNew ? 1 : 0;
    add_keys(*entry);
    add_fingerprints(entry->record);
  }
  NEARDUP_TRY(ask_keys());
  return ask_fingerprints();
}

// Each key once: many documents may have it, and its list be long.
Status ListCheck::ask_keys() {
  std::vector<uint64_t> distinct = keys_;
  sort_distinct(distinct);
  std::vector<std::pair<uint64_t, Way>> asked;
  for (size_t i = 0; i < keys_.size(); ++i) asked.emplace_back(keys_[i], of_keys_[i]);
  std::ranges::stable_sort(asked, {}, &std::pair<uint64_t, Way>::first);
  std::vector<Way> missed;
  auto one = asked.begin();
  for (std::span<const uint64_t> left = distinct; !left.empty();) {
    const auto some = left.first(std::min(left.size(), kLookedUpAtOnce));
    NEARDUP_ASSIGN(const Found found, backend_.look_up({.keys = some, .fingerprints = {}}));
    for (size_t i = 0; i < some.size(); ++i)
      for (; one != asked.end() && one->first == some[i]; ++one)
        if (!std::ranges::binary_search(found.by_key[i], one->second.number)) missed.push_back(one->second);
    left = left.subspan(some.size());
  }
  keys_.clear(), of_keys_.clear();
  return note(missed);
}

Status ListCheck::ask_fingerprints() {
  const size_t words = store::num_words(backend_.settings());
  std::vector<Way> missed;
  for (size_t begin = 0; begin < of_fingerprints_.size(); begin += kLookedUpAtOnce) {
    const size_t count = std::min(kLookedUpAtOnce, of_fingerprints_.size() - begin);
    const auto some = std::span(fingerprints_).subspan(begin * words, count * words);
    NEARDUP_ASSIGN(const Found found, backend_.look_up({.keys = {}, .fingerprints = some}));
    for (size_t i = 0; i < count; ++i) {
      const Way& way = of_fingerprints_[begin + i];
      if (!std::ranges::binary_search(found.by_fingerprint[i], way.number)) missed.push_back(way);
    }
  }
  fingerprints_.clear(), of_fingerprints_.clear();
  return note(missed);
}

// Who went meanwhile is no fault.
Status ListCheck::note(const std::vector<Way>& missed) {
  if (missed.empty()) return {};
  std::vector<uint64_t> numbers;
  for (const Way& way : missed) numbers.push_back(way.number);
  const StoredRecords records(backend_);
  NEARDUP_TRY(records.fetch(numbers));
  for (const Way& way : missed) {
    NEARDUP_ASSIGN(const StoredEntry* entry, records.at(way.number));
    if (entry == nullptr || ++counts_[way.by] > store::kMostOfAKind) continue;
    faults_.push_back(fmt::format("document '{}' is not found by its {}", entry->record.id, way.by));
  }
  return {};
}

void ListCheck::compare_counts(const BackendFigures& before, const BackendFigures& after) {
  const auto counts_of = [](const BackendFigures& figures) {
    return std::tuple(figures.documents, figures.duplicates, figures.erased, figures.next_number);
  };
  if (after.documents_vanish || counts_of(before) != counts_of(after)) return;
  if (after.documents == num_documents_ && after.duplicates == num_duplicates_) return;
  faults_.push_back(fmt::format("the store counted {} documents, {} of them duplicates, and {} and {} are there",
                                after.documents, after.duplicates, num_documents_, num_duplicates_));
}

}  // namespace

Result<store::StoreCheck> check_lists(Backend& backend, const Context& context) {
  return ListCheck(backend, context).run();
}

}  // namespace neardup::remote
