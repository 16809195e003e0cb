// How the documents of a batch are decided, and what is sent of them.
#include <algorithm>
#include <array>
#include <utility>

#include "neardup/remote/arrival_batch.h"

namespace neardup::remote {

using store::ArrivalDecision;
using store::Candidates;
using store::Fate;
using store::Record;

Status ArrivalBatch::decide(UnacknowledgedDocuments& unacknowledged) {
  for (size_t i = 0; i < documents_.size(); ++i) NEARDUP_TRY(decide_one(i, unacknowledged));
  return {};
}

Status ArrivalBatch::decide_one(size_t i, UnacknowledgedDocuments& unacknowledged) {
  NEARDUP_ASSIGN(const Candidates candidates, candidates_of(i));
  set_upcoming(candidates.near);
  if (decides()) return decide_arriving(i, candidates, unacknowledged);
  ArrivalDecision decision;
  NEARDUP_ASSIGN(decision.same_id, find_same_id(*this, documents_[i], candidates));
  const bool is_restored = purpose_ == Purpose::kRestore;
  if (is_restored) decision.answer.fate = documents_[i].fate;
  if (is_restored)
    decision.passages.assign(documents_[i].passages.begin(), documents_[i].passages.end());
  else
    decision.passages = passages_to_record(documents_[i], candidates.holdings);
  decision.crowded = candidates.crowded;
  return plan(i, candidates, decision);
}

Status ArrivalBatch::decide_arriving(size_t i, const Candidates& candidates, UnacknowledgedDocuments& unacknowledged) {
  NEARDUP_ASSIGN(ArrivalDecision decision,
                 decide_arrival(*this, documents_[i], candidates, {*judges_[i], most_compared_}));
  Own& own = own_[i];
  own.answer = std::move(decision.answer);
  own.is_told = own.answer.is_repeated || purpose_ == Purpose::kCheck;
  if (purpose_ == Purpose::kCheck) return {};
  if (own.answer.is_repeated) {
    own.answer.is_repeated = !unacknowledged.take(own.answer.number);
    return {};
  }
  decision.answer.fate = own.answer.fate;
  return plan(i, candidates, decision);
}

// Only what others need by which they find it.
Status ArrivalBatch::plan(size_t i, const Candidates& candidates, const ArrivalDecision& decision) {
  Own& own = own_[i];
  Record& record = own.entry.record;
  record = documents_[i];
  record.fate = own.answer.fate = decision.answer.fate;
  own.answer.number = record.number;
  own.passages = decision.passages;
  record.passages = own.passages;
  own.remembered = decision.remembered;
  own.crowded = decision.crowded;
  if (!own.crowded.empty()) record.keys = own.few_keys = keys_to_record(documents_[i], own.crowded);
  if (decides() && record.fate.kind != store::Kind::kNew) record.body = own.remembered;
  leave_out_needless(record);
  if (record.passages.empty()) own.passages.clear();
  own.standing.scope = crawls().scope_of(record.tag);
  NEARDUP_ASSIGN(own.standing.by_text, is_found_by_text(i, candidates));
  NEARDUP_TRY(settle_same_id(i, decision.same_id));
  own.entry.standing = &own.standing;
  own.is_stored = true;
  set_keys(i);
  set_stands_on(i, decision);
  if (decides() && !record.fingerprints.empty()) fingerprints_.add(static_cast<uint32_t>(i), record.fingerprints);
  return {};
}

// As StoreState::keys_to_add() says.
Result<bool> ArrivalBatch::is_found_by_text(size_t i, const Candidates& candidates) const {
  const store::Kind kind = own_[i].entry.record.fate.kind;
  if (kind == store::Kind::kNew || kind == store::Kind::kExact) return kind == store::Kind::kNew;
  size_t count = 0;
  for (const uint64_t number : candidates.equal) {
    NEARDUP_ASSIGN(const bool is_seen, sees(documents_[i].tag, number));
    count += is_seen ? 1 : 0;
  }
  return count < store::kMostFoundByText;
}

// It takes the place of those that are in its tag, or as it in no open tag; of others at the commit of an open tag.
Status ArrivalBatch::settle_same_id(size_t i, std::span<const uint64_t> same_id) {
  Own& own = own_[i];
  const uint64_t scope = own.standing.scope;
  std::vector<uint64_t>& contested = own.standing.contested;
  for (const uint64_t number : same_id) {
    NEARDUP_ASSIGN(StoredEntry* const other, at(number));
    if (other == nullptr) continue;
    const uint64_t other_scope = open_scope_of(*other->standing);
    if (other_scope == scope) {
      other->is_erased = true;
      own.erased.push_back(number);
      continue;
    }
    for (const uint64_t open : {scope, other_scope})
      if (open != 0 && std::ranges::find(contested, open) == contested.end()) contested.push_back(open);
  }
  return {};
}

void ArrivalBatch::set_keys(size_t i) {
  Own& own = own_[i];
  const bool has_all = own.entry.record.fate.kind == store::Kind::kNew && own.standing.contested.empty() &&
                       own.crowded.empty() && own.passages.size() == documents_[i].passages.size();
  own.keys = has_all ? keys_.all(i) : keep(keys_of_stored(own.entry.record, own.standing));
}

void ArrivalBatch::set_stands_on(size_t i, const ArrivalDecision& decision) {
  Own& own = own_[i];
  const std::span<const uint64_t> all = keys_.all(i);
  if (!decides()) {
    own.stands_on = all.first(1);
    if (purpose_ == Purpose::kRestore || keys_.passages(i).empty()) return;
    std::vector<uint64_t> words(keys_.passages(i).begin(), keys_.passages(i).end());
    words.push_back(keys_.id(i));
    own.stands_on = keep(std::move(words));
    return;
  }
  const Fate& fate = own.answer.fate;
  const bool is_near_none = fate.kind == store::Kind::kNew || (fate.kind == store::Kind::kContained && !decision.equal);
  const bool stands_on_bands = is_near_none || decision.has_learnt;
  own.stands_on_fingerprints = stands_on_bands;
  std::vector<uint64_t> referred;  // ids of the same batch
  for (const auto& number : {decision.equal, fate.kind == store::Kind::kNew ? std::nullopt : std::optional(fate.kept)})
    if (const auto place = number ? own_place(*number) : std::nullopt) referred.push_back(keys_.id(*place));
  const std::span<const uint64_t> others = stands_on_bands ? keys_.bands_and_passages(i) : std::span<const uint64_t>();
  own.stands_on = all.first(2 + (documents_[i].tag.empty() ? others.size() : 0));  // a tag's stands between
  if (referred.empty() && own.stands_on.size() == 2 + others.size()) return;
  referred.insert(referred.end(), all.begin(), all.begin() + 2);
  referred.insert(referred.end(), others.begin(), others.end());
  own.stands_on = keep(std::move(referred));
}

std::vector<uint64_t> ArrivalBatch::numbers() const {
  std::vector<uint64_t> numbers;
  for (const Own& own : own_)
    if (own.is_stored || (own.is_told && !own.answer.is_repeated)) numbers.push_back(own.answer.number);
  return numbers;
}

// Views into what outlives it, and what these need besides.
struct ArrivalBatch::Changes {
  struct Made {
    size_t record_begin = 0, erased_begin = 0;
  };
  std::vector<Made> made;
  std::string records;
  std::vector<StoredDocument> added, erased;
  std::vector<Change> changes;
};

void ArrivalBatch::make_changes(Changes& all) {
  for (size_t i = 0; i < own_.size(); ++i) {
    Own& own = own_[i];
    if (!own.is_stored) continue;
    const Record& record = own.entry.record;
    all.made.push_back({all.records.size(), all.erased.size()});
    append_stored(all.records, record, own.standing);
    all.added.push_back({record.number, {}, own.keys, record.fingerprints});
    const bool is_duplicate = record.fate.kind != store::Kind::kNew;
    Change change{.keys = own.stands_on, .fingerprints = {}, .added = {}, .erased = {}, .postings = {}, .shared = {}};
    if (own.stands_on_fingerprints) change.fingerprints = documents_[i].fingerprints;
    change.documents = 1, change.duplicates = is_duplicate ? 1 : 0;
    for (const uint64_t number : own.erased) {
      const StoredEntry& other = entry_to_erase(number);
      all.erased.push_back(
          {number, {}, keep(keys_of_stored(other.record, *other.standing)), other.record.fingerprints});
      --change.documents, ++change.erased_documents;
      change.duplicates -= other.record.fate.kind != store::Kind::kNew ? 1 : 0;
    }
    all.changes.push_back(change);
  }
  for (size_t j = 0; j < all.made.size(); ++j) {
    const bool is_last = j + 1 == all.made.size();
    const size_t end = is_last ? all.records.size() : all.made[j + 1].record_begin;
    const size_t erased_end = is_last ? all.erased.size() : all.made[j + 1].erased_begin;
    all.added[j].record =
        std::string_view(all.records).substr(all.made[j].record_begin, end - all.made[j].record_begin);
    all.changes[j].added = std::span(all.added).subspan(j, 1);
    all.changes[j].erased =
        std::span(all.erased).subspan(all.made[j].erased_begin, erased_end - all.made[j].erased_begin);
  }
}

Status ArrivalBatch::commit() {
  Changes changes;
  changes.records.reserve(own_.size() * 96);
  make_changes(changes);
  std::vector<bool> happened;
  if (!changes.changes.empty()) {
    NEARDUP_ASSIGN(happened, backend().commit(*found_.seen, changes.changes));
  }
  take_happened(happened);
  return {};
}

// One whose place another one of the batch took happened if that one did.
Status ArrivalBatch::find_out() {
  std::vector<uint64_t> numbers;
  std::vector<const Own*> stored;
  for (const Own& own : own_) {
    if (!own.is_stored) continue;
    numbers.push_back(own.answer.number);
    stored.push_back(&own);
  }
  NEARDUP_ASSIGN(const std::vector<std::string> records, backend().read(numbers));
  std::vector<bool> happened;
  for (const std::string& record : records) happened.push_back(!record.empty());
  for (size_t j = stored.size(); j-- > 0;) {
    if (!happened[j]) continue;
    for (const uint64_t number : stored[j]->erased) {
      const auto found = std::ranges::lower_bound(numbers, number);
      if (found != numbers.end() && *found == number) happened[static_cast<size_t>(found - numbers.begin())] = true;
    }
  }
  take_happened(happened);
  return {};
}

// `happened`: of each that was to be stored. The answer of one that repeats another one of the batch holds only if that
// one is stored.
void ArrivalBatch::take_happened(const std::vector<bool>& happened) {
  size_t j = 0;
  for (Own& own : own_)
    if (own.is_stored) own.is_told = happened[j++];
  for (Own& own : own_) {
    if (own.is_stored) continue;
    const auto place = own_place(own.answer.number);
    if (place && !own_[*place].is_told) own.is_told = false;
  }
}

}  // namespace neardup::remote
