#include "neardup/store/arrivals.h"

#include <algorithm>
#include <utility>

namespace neardup::store {
namespace {

constexpr size_t kAtOnce = 1024;  // documents that are looked up together

}  // namespace

Status Arrivals::prepare() {
  stamp_ = state_.stamp();
  decisions_.reserve(documents_.size());
  for (size_t begin = 0; begin < documents_.size(); begin += kAtOnce)
    NEARDUP_TRY(prepare_some(documents_.subspan(begin, std::min(kAtOnce, documents_.size() - begin))));
  return {};
}

// Beside others a candidate may be erased, and its record be gone, before it is read: then it is looked up once more.
Status Arrivals::prepare_some(std::span<const Record> documents) {
  const std::vector<Candidates> candidates = find_candidates(state_, documents, DocumentKeys(documents), Wanted::kAll);
  for (size_t i = 0; i < documents.size(); ++i) {
    auto decision = decide_arrival(state_, documents[i], candidates[i], bounded_);
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
  if (shown.fate.kind == Kind::kNew) return writer.show(shown, keys_.all(i), decision.same_id, batch);
  shown.keys = {};
  return writer.show(shown, state_.keys_to_add(shown), decision.same_id, batch);
}

Result<ArrivalDecision> Arrivals::decide_now(size_t i) const {
  const auto one = documents_.subspan(i, 1);
  const std::vector<Candidates> candidates = find_candidates(state_, one, DocumentKeys(one), Wanted::kAll);
  return decide_arrival(state_, one[0], candidates[0], bounded_);
}

Status Puts::prepare() {
  stamp_ = state_.stamp();
  const std::vector<Candidates> candidates = find_candidates(state_, documents_, keys_, Wanted::kSameId);
  for (size_t i = 0; i < documents_.size(); ++i) {
    auto numbers = find_same_id(state_, documents_[i], candidates[i]);
    if (!numbers) numbers = state_.find_ids(documents_[i].id);
    if (!numbers) return tl::unexpected<Error>(numbers.error());
    same_id_.push_back(std::move(*numbers));
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
    NEARDUP_TRY(writer.show(shown, keys_.all(i), same_id_[i], batch));
  }
  return {};
}

}  // namespace neardup::store
