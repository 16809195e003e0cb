#include "neardup/store/arrival_decision.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace neardup::store {
namespace {

// Nothing where it was erased meanwhile, and its record is gone.
Result<std::optional<std::string>> id_of(const StoredView& view, uint64_t number) {
  HeldRecord held;
  NEARDUP_ASSIGN(const bool is_there, view.read(number, held));
  return is_there ? std::optional(std::string(held->id)) : std::nullopt;
}

// The one that a document with `tag` sees: one at most.
Result<std::optional<uint64_t>> seen_of(const StoredView& view, const std::vector<uint64_t>& numbers,
                                        std::string_view tag) {
  for (const uint64_t number : numbers) {
    NEARDUP_ASSIGN(const bool is_seen, view.sees(tag, number));
    if (is_seen) return std::optional(number);
  }
  return std::optional<uint64_t>();
}

// The answer that the same document got when it came, as long as the one that it repeats is there.
Result<std::optional<Answer>> answer_of_id(const StoredView& view, const Record& arriving,
                                           std::optional<uint64_t> known) {
  if (!known) return std::optional<Answer>();
  HeldRecord held;
  NEARDUP_ASSIGN(const bool is_there, view.read(*known, held));
  if (!is_there) return std::optional<Answer>();
  const bool is_new = held->fate.kind == Kind::kNew;
  if (held->checksum != arriving.checksum) return std::optional<Answer>();
  if (!is_new) {
    NEARDUP_ASSIGN(const bool is_seen, view.sees(arriving.tag, held->fate.kept));
    if (!is_seen) return std::optional<Answer>();
  }
  Answer answer{.fate = held->fate, .number = *known, .kept_id = {}, .is_repeated = true};
  if (!is_new) {
    NEARDUP_ASSIGN(std::optional<std::string> kept_id, id_of(view, answer.fate.kept));
    if (!kept_id) return std::optional<Answer>();
    answer.kept_id = std::move(*kept_id);
  }
  return std::optional(std::move(answer));
}

// What an equal text was told, whose document is not the known one, or that it is an exact copy of it.
Status take_fate_of_text(const StoredView& view, const Record& arriving, std::span<const uint64_t> equal,
                         ArrivalDecision& decision) {
  HeldRecord held;
  for (const uint64_t number : equal) {
    NEARDUP_ASSIGN(const bool is_there, view.read_candidate(number, arriving.tag, held));
    if (!is_there || number == decision.known || held->checksum != arriving.checksum || held->within != arriving.within)
      continue;
    const bool is_new = held->fate.kind == Kind::kNew;
    if (!is_new) {
      if (held->fate.kept == decision.known) continue;
      NEARDUP_ASSIGN(const bool is_seen, view.sees(arriving.tag, held->fate.kept));
      if (!is_seen) continue;
    }
    decision.answer.fate = is_new ? Fate{.kind = Kind::kExact, .kept = number} : held->fate;
    decision.equal = number;
    return {};
  }
  return {};
}

// A document that comes, who may be near it, and who compares them.
struct Comparing {
  const StoredView& view;
  const Record& arriving;
  std::span<const uint64_t> near;
  const BoundedJudge& bounded;
};

// The oldest that share a key with it.
Result<std::unique_ptr<Lesson>> learn(const Comparing& what, ArrivalDecision& decision) {
  std::unique_ptr<Lesson> lesson = what.bounded.judge.lesson_of(what.arriving);
  if (lesson == nullptr) return lesson;
  decision.has_learnt = true;
  HeldRecord held;
  for (const uint64_t number : what.near) {
    if (decision.learnt_from.size() == kMostLearntFrom) break;
    if (number == decision.known) continue;
    NEARDUP_ASSIGN(const bool is_there, what.view.read_candidate(number, what.arriving.tag, held));
    if (!is_there || held->within != what.arriving.within) continue;
    decision.learnt_from.push_back(number);
    NEARDUP_TRY(lesson->take(*held));
  }
  return lesson;
}

// Those that are remembered are no originals.
Result<Fate> fate_of_nearest(const Comparing& what, ArrivalDecision& decision) {
  HeldRecord held;
  uint64_t num_compared = 0;
  Judge::Comparison compare;  // made for the first: most documents have none
  std::unique_ptr<Lesson> lesson;
  for (const uint64_t number : what.near) {
    if (number == decision.known) continue;
    NEARDUP_ASSIGN(const bool is_there, what.view.read_candidate(number, what.arriving.tag, held));
    if (!is_there || held->within != what.arriving.within || held->fate.kind != Kind::kNew) continue;
    const bool is_over = what.bounded.most_compared != 0 && num_compared == what.bounded.most_compared;
    if (is_over || (lesson != nullptr && num_compared >= kMostComparedLearning)) return Fate{.is_truncated = true};
    ++num_compared;
    if (!compare) compare = what.bounded.judge.comparison_of(what.arriving);
    NEARDUP_ASSIGN(auto likeness, compare(*held));
    if (likeness && likeness->may_change) {
      if (!decision.has_learnt) {
        NEARDUP_ASSIGN(lesson, learn(what, decision));
      }
      if (lesson != nullptr) {
        NEARDUP_ASSIGN(likeness, lesson->compare(*held));
      }
    }
    if (!likeness) continue;
    if (lesson != nullptr) decision.remembered = lesson->body_to_remember(number);
    return Fate{Kind::kNear, number, likeness->similarity, likeness->distance, likeness->is_estimate};
  }
  return Fate{};
}

// Who is near none may stand in a longer one; and others may stand in it. Of one text one has a passage.
Status look_into_longer(const StoredView& view, const Record& arriving, const Candidates& candidates,
                        const BoundedJudge& bounded, ArrivalDecision& decision) {
  if (arriving.passages.empty()) return {};
  std::vector<Holding> holdings = candidates.holdings;
  if (decision.known) leave_out({&*decision.known, 1}, holdings);
  decision.passages = passages_to_record(arriving, holdings);
  leave_out(candidates.equal, holdings);
  for (const Holding& holding : holdings) decision.holders.push_back(holding.number);
  std::ranges::sort(decision.holders);
  decision.holders.erase(std::unique(decision.holders.begin(), decision.holders.end()), decision.holders.end());
  NEARDUP_ASSIGN(const std::vector<Container> found,
                 bounded.judge.containers_of(arriving, holdings, Containing::kLongest, reader_of(view, arriving)));
  if (found.empty()) return {};
  Fate& fate = decision.answer.fate;  // which may be cut already: not all that it may be near were compared
  fate = {.kind = Kind::kContained,
          .kept = found[0].number,
          .similarity = found[0].share,
          .is_truncated = fate.is_truncated};
  return {};
}

}  // namespace

Judge::ReadStored reader_of(const StoredView& view, const Record& arriving) {
  return [&view, &arriving, held = std::make_shared<HeldRecord>()](uint64_t number) -> Result<const Record*> {
    NEARDUP_ASSIGN(const bool is_there, view.read(number, *held));
    return is_there && (*held)->within == arriving.within ? &**held : nullptr;
  };
}

Result<std::vector<uint64_t>> find_same_id(const StoredView& view, const Record& arriving,
                                           const Candidates& candidates) {
  std::vector<uint64_t> found;
  HeldRecord held;
  for (const uint64_t number : candidates.same_id) {
    NEARDUP_ASSIGN(const bool is_there, view.read(number, held));
    if (is_there && held->id == arriving.id) found.push_back(number);
  }
  return found;
}

namespace {

// Once more where the one that it repeats was erased meanwhile: each time there is one less.
Result<ArrivalDecision> decide_without(const StoredView& view, const Record& arriving, const Candidates& candidates,
                                       uint64_t gone, const BoundedJudge& bounded) {
  Candidates others = candidates;
  std::erase(others.near, gone);
  std::erase(others.equal, gone);
  leave_out({&gone, 1}, others.holdings);
  return decide_arrival(view, arriving, others, bounded);
}

}  // namespace

Result<ArrivalDecision> decide_arrival(const StoredView& view, const Record& arriving, const Candidates& candidates,
                                       const BoundedJudge& bounded) {
  ArrivalDecision decision;
  NEARDUP_ASSIGN(decision.same_id, find_same_id(view, arriving, candidates));
  NEARDUP_ASSIGN(decision.known, seen_of(view, decision.same_id, arriving.tag));
  NEARDUP_ASSIGN(std::optional<Answer> repeated, answer_of_id(view, arriving, decision.known));
  if (repeated) {
    decision.answer = std::move(*repeated);
    return decision;
  }
  Fate& fate = decision.answer.fate;
  NEARDUP_TRY(take_fate_of_text(view, arriving, candidates.equal, decision));
  if (!decision.equal) {
    decision.crowded = candidates.crowded;
    if (!decision.crowded.empty()) decision.crowd = candidates.near;
    NEARDUP_ASSIGN(fate, fate_of_nearest({view, arriving, candidates.near, bounded}, decision));
    if (fate.kind == Kind::kNew) NEARDUP_TRY(look_into_longer(view, arriving, candidates, bounded, decision));
  }
  if (fate.kind == Kind::kNew) return decision;
  NEARDUP_ASSIGN(std::optional<std::string> kept_id, id_of(view, fate.kept));
  if (!kept_id) return decide_without(view, arriving, candidates, fate.kept, bounded);
  decision.answer.kept_id = std::move(*kept_id);
  return decision;
}

// Who is near none, and contained in what is there or not, is so by all that have its passages: how many they are
// counts; so it is for what was learnt from those that share a key with it. Where one of a crowd is gone another one is
// looked at in its place, and there is room for one more. Else documents are compared oldest first,
// so what came since changes nothing for who is near an older one, as long as that is there; nor does it matter that
// others were erased who were not similar, or did not come to be compared.
bool still_holds(const StoreState& state, const StateStamp& stamp, const ArrivalDecision& decision,
                 const Record& arriving, const DocumentKeys& keys, size_t i) {
  const Fate& fate = decision.answer.fate;
  const bool is_new = fate.kind == Kind::kNew;
  const bool is_near_none = is_new || (fate.kind == Kind::kContained && !decision.equal);
  const bool rests_on_keys = is_near_none || decision.has_learnt;
  if (decision.known && !state.is_seen(*decision.known, arriving.tag)) return false;
  if (decision.equal && !state.is_seen(*decision.equal, arriving.tag)) return false;
  if (!is_new && !state.is_seen(fate.kept, arriving.tag)) return false;
  if (decision.answer.is_repeated) return true;  // who has its id is the one that had it
  if (rests_on_keys && state.may_be_within_reach_since(stamp, arriving)) return false;
  const std::array<uint64_t, 2> id_and_text = {keys.id(i), keys.text(i)};
  if (state.may_have_come_since(stamp, id_and_text)) return false;
  if (!state.sees_all(decision.crowd, arriving.tag)) return false;
  if (!rests_on_keys) return true;
  return !state.may_have_come_since(stamp, keys.bands_and_passages(i)) &&
         state.sees_all(decision.holders, arriving.tag) && state.sees_all(decision.learnt_from, arriving.tag);
}

}  // namespace neardup::store
