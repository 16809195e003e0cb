#include "neardup/store/arrivals.h"

#include <algorithm>
#include <utility>

namespace neardup::store {
namespace {

constexpr size_t kAtOnce = 1024;                     // documents that are looked up together
constexpr size_t kPassagesAtOnce = size_t{1} << 16;  // of these, of which each may find kMostRecorded

// Returns how many of the first are looked up together: one at least.
size_t count_at_once(std::span<const Record> documents) {
  size_t count = 0, num_passages = 0;
  while (count < std::min(kAtOnce, documents.size())) {
    num_passages += documents[count].passages.size();
    if (count > 0 && num_passages > kPassagesAtOnce) break;
    ++count;
  }
  return count;
}

}  // namespace

Status Arrivals::prepare() {
  stamp_ = state_.stamp();
  decisions_.reserve(documents_.size());
  for (std::span<const Record> left = documents_; !left.empty();) {
    const auto some = left.first(count_at_once(left));
    NEARDUP_TRY(prepare_some(some));
    left = left.subspan(some.size());
  }
  return {};
}

// Beside others a candidate may be erased, and its record be gone, before it is read: then it is looked up once more.
Status Arrivals::prepare_some(std::span<const Record> documents) {
  const std::vector<Candidates> candidates = find_candidates(state_, documents, DocumentKeys(documents), Wanted::kAll);
  for (size_t i = 0; i < documents.size(); ++i) {
    auto decision = decide_arrival(records_, documents[i], candidates[i], bounded_);
    if (!decision) decision = decide_now(decisions_.size());
    if (!decision) return tl::unexpected<Error>(decision.error());
    decisions_.push_back(std::move(*decision));
  }
  return {};
}

std::vector<Answer> Arrivals::prepared() && {
  for (ArrivalDecision& decision : decisions_) answers_.push_back(std::move(decision.answer));
  return std::move(answers_);
}

Status Arrivals::show(StoreWriter& writer, StoreWriter::Batch& batch) {
  answers_.reserve(documents_.size());
  for (size_t i = 0; i < documents_.size(); ++i) NEARDUP_TRY(show_one(i, writer, batch));
  return {};
}

Status Arrivals::show_one(size_t i, StoreWriter& writer, StoreWriter::Batch& batch) {
  if (!still_holds(state_, stamp_, decisions_[i], documents_[i], keys_, i)) {
    NEARDUP_ASSIGN(decisions_[i], decide_now(i));
  }
  ArrivalDecision& decision = decisions_[i];
  answers_.push_back(std::move(decision.answer));
  Answer& answer = answers_.back();
  if (answer.is_repeated) return {};
  Record shown = documents_[i];
  answer.number = writer.next_number();
  shown.fate = answer.fate;
  shown.passages = decision.passages;
  std::vector<uint64_t> few;
  if (!decision.crowded.empty()) shown.keys = few = keys_to_record(documents_[i], decision.crowded);
  const bool has_all_keys = decision.crowded.empty() && shown.passages.size() == documents_[i].passages.size();
  if (shown.fate.kind == Kind::kNew && has_all_keys) return writer.show(shown, keys_.all(i), decision.same_id, batch);
  if (shown.fate.kind != Kind::kNew) shown.body = decision.remembered;
  leave_out_needless(shown);
  return writer.show(shown, state_.keys_to_add(shown), decision.same_id, batch);
}

Result<ArrivalDecision> Arrivals::decide_now(size_t i) const {
  const auto one = documents_.subspan(i, 1);
  const std::vector<Candidates> candidates = find_candidates(state_, one, DocumentKeys(one), Wanted::kAll);
  return decide_arrival(records_, one[0], candidates[0], bounded_);
}

Status Puts::prepare() {
  stamp_ = state_.stamp();
  for (std::span<const Record> left = documents_; !left.empty();) {
    const auto some = left.first(count_at_once(left));
    NEARDUP_TRY(prepare_some(some));
    left = left.subspan(some.size());
  }
  return {};
}

Status Puts::prepare_some(std::span<const Record> documents) {
  const std::vector<Candidates> candidates =
      find_candidates(state_, documents, DocumentKeys(documents), Wanted::kToPut);
  for (size_t i = 0; i < documents.size(); ++i) {
    auto numbers = find_same_id(state_, documents[i], candidates[i]);
    if (!numbers) numbers = state_.find_ids(documents[i].id);
    if (!numbers) return tl::unexpected<Error>(numbers.error());
    same_id_.push_back(std::move(*numbers));
    passages_.push_back(passages_to_record(documents[i], candidates[i].holdings));
    crowds_.push_back(candidates[i].crowded.empty() ? std::vector<uint64_t>() : candidates[i].near);
    crowded_.push_back(candidates[i].crowded);
  }
  return {};
}

Status Puts::show(StoreWriter& writer, StoreWriter::Batch& batch) {
  for (size_t i = 0; i < documents_.size(); ++i) {
    Record shown = documents_[i];
    shown.fate = {};
    const uint64_t id = keys_.id(i);
    if (state_.may_have_come_since(stamp_, {&id, 1})) {
      NEARDUP_ASSIGN(same_id_[i], state_.find_ids(shown.id));
    }
    const auto counted = shown.most_sharing != 0 ? keys_.bands_and_passages(i) : keys_.passages(i);
    const bool may_differ = !counted.empty() && state_.may_have_come_since(stamp_, counted);
    if (may_differ || !state_.sees_all(crowds_[i], shown.tag)) look_again(i);
    shown.passages = passages_[i];
    std::vector<uint64_t> few;
    if (!crowded_[i].empty()) shown.keys = few = keys_to_record(documents_[i], crowded_[i]);
    const bool has_all_keys = crowded_[i].empty() && shown.passages.size() == documents_[i].passages.size();
    const std::vector<uint64_t> others = has_all_keys ? std::vector<uint64_t>() : state_.keys_to_add(shown);
    NEARDUP_TRY(writer.show(shown, has_all_keys ? keys_.all(i) : others, same_id_[i], batch));
  }
  return {};
}

// Those before it in its batch, too, have its keys and passages.
void Puts::look_again(size_t i) {
  const auto one = documents_.subspan(i, 1);
  Candidates now = std::move(find_candidates(state_, one, DocumentKeys(one), Wanted::kToPut)[0]);
  passages_[i] = passages_to_record(one[0], now.holdings);
  crowded_[i] = std::move(now.crowded);
}

}  // namespace neardup::store
