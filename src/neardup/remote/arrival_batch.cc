// What is decided about a document stands on the lists that were looked up for it: of one that is near none on all of
// them, of one that repeats another one on those of its id and its text, and of documents of the same batch that it
// refers to. Who is repeated may be erased at the same moment, as if that had come a moment later.
#include "neardup/remote/arrival_batch.h"

#include <algorithm>
#include <utility>

namespace neardup::remote {

using store::Candidates;
using store::Holding;
using store::Record;

namespace {

constexpr size_t kNearAtOnce = 16;  // that are read before anybody asks for them
constexpr uint32_t kMostHoldings = 2 * store::kMostRecorded;

std::vector<Record> records_of(std::span<const Arriving> documents) {
  std::vector<Record> records;
  records.reserve(documents.size());
  for (const Arriving& document : documents) records.push_back(*document.record);
  return records;
}

BatchLookups::Wanted wanted_for(Purpose purpose) {
  if (purpose == Purpose::kPut || purpose == Purpose::kLook) return BatchLookups::Wanted::kToPut;
  return purpose == Purpose::kRestore ? BatchLookups::Wanted::kToRestore : BatchLookups::Wanted::kAll;
}

}  // namespace

ArrivalBatch::ArrivalBatch(Backend& backend, std::span<const Arriving> documents, Purpose purpose,
                           uint64_t most_compared)
    : StoredRecords(backend),
      purpose_(purpose),
      most_compared_(most_compared),
      documents_(records_of(documents)),
      keys_(documents_),
      lookups_(keys_, wanted_for(purpose)),
      fingerprints_(backend.settings(), purpose == Purpose::kInsert ? documents.size() : 0),
      own_(documents.size()) {
  judges_.reserve(documents.size());
  for (const Arriving& document : documents) judges_.push_back(document.judge);
}

bool ArrivalBatch::has_open_tag() const {
  return !crawls().open().empty() &&
         std::ranges::any_of(documents_, [&](const Record& document) { return crawls().scope_of(document.tag) != 0; });
}

Status ArrivalBatch::look_up() {
  std::vector<uint64_t> fingerprints;
  uint32_t num_lists = 0;
  for (const Record& document : documents_) {
    fingerprint_lists_.push_back(num_lists);
    if (!decides() || document.fingerprints.empty()) continue;
    ++num_lists;
    fingerprints.insert(fingerprints.end(), document.fingerprints.begin(), document.fingerprints.end());
  }
  const bool reserves = purpose_ == Purpose::kInsert || purpose_ == Purpose::kPut;
  NEARDUP_ASSIGN(found_, backend().look_up({.keys = lookups_.keys(),
                                            .fingerprints = fingerprints,
                                            .reserve = reserves ? documents_.size() : 0,
                                            .to_commit = stores()}));
  NEARDUP_TRY(set_shared(found_.shared));
  for (size_t i = 0; reserves && i < documents_.size(); ++i) documents_[i].number = found_.first_reserved + i;
  NEARDUP_TRY(fetch(numbers_to_fetch()));
  sift(lookups_.keys(), found_, num_sure_);
  NEARDUP_TRY(fetch_kept());
  return fetch_same_ids(has_open_tag());
}

// Of those that are near some more are read when it comes to them.
std::vector<uint64_t> ArrivalBatch::numbers_to_fetch() const {
  std::vector<uint64_t> numbers;
  size_t most_sharing = kNearAtOnce;
  for (const Record& document : documents_) most_sharing = std::max<size_t>(most_sharing, document.most_sharing);
  const auto add = [&](std::span<const uint64_t> list, size_t most) {
    const auto some = list.first(std::min(most, list.size()));
    numbers.insert(numbers.end(), some.begin(), some.end());
  };
  for (size_t place = 0; place < found_.by_key.size(); ++place) {
    const Kind kind = lookups_.kind_of(place);
    const size_t most = kind == Kind::kBand ? most_sharing : (kind == Kind::kPassage ? kMostHoldings : SIZE_MAX);
    add(found_.by_key[place], most);
  }
  for (size_t i = 0; i < found_.by_fingerprint.size(); ++i) add(found_.by_fingerprint[i], kNearAtOnce);
  return numbers;
}

// Numbers of a batch ascend.
std::optional<size_t> ArrivalBatch::own_place(uint64_t number) const {
  if (documents_.empty() || number < documents_.front().number || number > documents_.back().number) return {};
  const auto found = std::ranges::lower_bound(documents_, number, {}, &Record::number);
  if (found->number != number) return {};
  return static_cast<size_t>(found - documents_.begin());
}

Result<StoredEntry*> ArrivalBatch::at(uint64_t number) const {
  if (const auto place = own_place(number); place && stores()) {
    Own& own = own_[*place];
    return own.is_stored && !own.entry.is_erased ? &own.entry : nullptr;
  }
  return StoredRecords::at(number);
}

// Ids of the batch were looked up with it, and may be those of documents of the batch.
const std::vector<uint64_t>* ArrivalBatch::known_with_id(uint64_t key) const {
  const auto place = lookups_.place_of(key);
  if (!place || lookups_.kind_of(*place) != Kind::kId) return StoredRecords::known_with_id(key);
  const std::span<const uint64_t> list = found_.by_key[*place];
  with_id_.assign(list.begin(), list.end());
  for (uint32_t use = lookups_.last_use(*place); use != BatchLookups::kNone; use = lookups_.use(use).before)
    if (is_recorded(lookups_.use(use))) with_id_.push_back(documents_[lookups_.use(use).document].number);
  return &with_id_;
}

const StoredEntry& ArrivalBatch::entry_to_erase(uint64_t number) const {
  const auto place = own_place(number);
  return place ? own_[*place].entry : known(number);
}

bool ArrivalBatch::is_recorded(const Use& use) const {
  const Own& own = own_[use.document];
  if (!own.is_stored || own.entry.is_erased) return false;
  if (use.kind == Kind::kText) return own.standing.by_text;
  if (use.kind == Kind::kBand)
    return !own.entry.record.keys.empty() && !std::ranges::binary_search(own.crowded, use.which);
  return use.kind == Kind::kId ||
         std::ranges::binary_search(own.passages, documents_[use.document].passages[use.which]);
}

void ArrivalBatch::add_found(const Use& use, std::vector<uint64_t>& numbers) const {
  const std::span<const uint64_t> list = found_.by_key[use.place];
  numbers.insert(numbers.end(), list.begin(), list.end());
  for (uint32_t before = use.before; before != BatchLookups::kNone; before = lookups_.use(before).before) {
    const Use& other = lookups_.use(before);
    if (is_recorded(other)) numbers.push_back(documents_[other.document].number);
  }
}

// The first that the document of `use` sees, of those that have its key.
Result<std::vector<uint64_t>> ArrivalBatch::first_seen(const Use& use, uint32_t most) const {
  std::vector<uint64_t> numbers, seen;
  add_found(use, numbers);
  sort_distinct(numbers);
  set_upcoming(numbers);
  for (const uint64_t number : numbers) {
    if (seen.size() == most) break;
    NEARDUP_ASSIGN(const bool is_seen, sees(documents_[use.document].tag, number));
    const bool is_own = stores() && own_place(number);
    if (is_seen && (is_own || has_key(number, lookups_.keys()[use.place]))) seen.push_back(number);
  }
  set_upcoming({});
  return seen;
}

Status ArrivalBatch::add_holdings(const Use& use, std::vector<Holding>& holdings) const {
  NEARDUP_ASSIGN(const std::vector<uint64_t> numbers, first_seen(use, kMostHoldings));
  for (const uint64_t number : numbers) holdings.push_back({use.which, number});
  return {};
}

// It is read of each whether it has the key, so none of them is doubtful.
Status ArrivalBatch::add_first_sharing(const Use& use, Candidates& candidates) const {
  const uint32_t most = documents_[use.document].most_sharing;
  NEARDUP_ASSIGN(const std::vector<uint64_t> numbers, first_seen(use, most));
  candidates.near.insert(candidates.near.end(), numbers.begin(), numbers.end());
  if (numbers.size() == most) candidates.crowded.push_back(use.which);
  return {};
}

Result<Candidates> ArrivalBatch::candidates_of(size_t i) const {
  Candidates candidates;
  set_upcoming({});  // of the document before
  asking_ = i;
  doubtful_.clear();
  for (const Use& use : lookups_.of(i)) {
    if (use.before == BatchLookups::kNone && found_.by_key[use.place].empty()) continue;
    if (use.kind == Kind::kId) add_found(use, candidates.same_id);
    if (use.kind == Kind::kText) add_found(use, candidates.equal);
    const bool is_bounded = documents_[i].most_sharing != 0;
    if (use.kind == Kind::kBand && !is_bounded) add_sharing(use, candidates.near);
    if (use.kind == Kind::kBand && is_bounded) NEARDUP_TRY(add_first_sharing(use, candidates));
    if (use.kind == Kind::kPassage) NEARDUP_TRY(add_holdings(use, candidates.holdings));
  }
  if (decides() && !documents_[i].fingerprints.empty()) add_near(i, candidates.near);
  for (std::vector<uint64_t>* numbers : {&candidates.same_id, &candidates.equal, &candidates.near})
    sort_distinct(*numbers);
  sort_distinct(doubtful_);
  std::ranges::sort(candidates.holdings);
  candidates.holdings.erase(std::unique(candidates.holdings.begin(), candidates.holdings.end()),
                            candidates.holdings.end());
  return candidates;
}

// Of those that were not read it is not known yet whether they have the very key.
void ArrivalBatch::add_sharing(const Use& use, std::vector<uint64_t>& numbers) const {
  const std::span<const uint64_t> list = found_.by_key[use.place];
  const std::span<const uint64_t> others = list.subspan(num_sure_[use.place]);
  doubtful_.insert(doubtful_.end(), others.begin(), others.end());
  add_found(use, numbers);
}

Result<bool> ArrivalBatch::read_candidate(uint64_t number, std::string_view tag, store::HeldRecord& held) const {
  NEARDUP_ASSIGN(const bool is_there, StoredRecords::read_candidate(number, tag, held));
  if (!is_there || !std::ranges::binary_search(doubtful_, number)) return is_there;
  const auto is_own = [&](uint64_t key) { return has_key(number, key); };
  if (std::ranges::any_of(keys_.bands(asking_), is_own)) return true;
  return decides() && !documents_[asking_].fingerprints.empty() &&
         std::ranges::binary_search(found_.by_fingerprint[fingerprint_lists_[asking_]], number);
}

void ArrivalBatch::add_near(size_t i, std::vector<uint64_t>& numbers) const {
  const std::span<const uint64_t> list = found_.by_fingerprint[fingerprint_lists_[i]];
  numbers.insert(numbers.end(), list.begin(), list.end());
  fingerprints_.find(documents_[i].fingerprints, [&](uint32_t other) {
    if (!own_[other].entry.is_erased) numbers.push_back(documents_[other].number);
  });
}

}  // namespace neardup::remote
