#include "neardup/store/arrival_decision.h"

#include <string>
#include <utility>

namespace neardup::store {
namespace {

Result<std::string> id_of(const StoreState& state, uint64_t number) {
  HeldRecord held;
  NEARDUP_TRY(state.read(number, held));
  return std::string(held->id);
}

// The answer that the same document got when it came, as long as the one that it repeats is there.
Result<std::optional<Answer>> answer_of_id(const StoreState& state, const Record& arriving,
                                           std::optional<uint64_t> known) {
  if (!known) return std::optional<Answer>();
  HeldRecord held;
  NEARDUP_TRY(state.read(*known, held));
  const bool is_new = held->fate.kind == Kind::kNew;
  if (held->checksum != arriving.checksum || (!is_new && !state.is_live(held->fate.kept)))
    return std::optional<Answer>();
  Answer answer{.fate = held->fate, .number = *known, .kept_id = {}, .is_repeated = true};
  if (!is_new) {
    NEARDUP_ASSIGN(answer.kept_id, id_of(state, answer.fate.kept));
  }
  return std::optional(std::move(answer));
}

// What an equal text was told, whose document is `known` apart, or that it is an exact copy of.
Result<std::optional<Fate>> fate_of_text(const StoreState& state, const Record& arriving,
                                         std::optional<uint64_t> known) {
  HeldRecord held;
  for (const uint64_t number : state.find_equal(arriving)) {
    NEARDUP_TRY(state.read(number, held));
    if (number == known || held->checksum != arriving.checksum || held->within != arriving.within) continue;
    if (held->fate.kind == Kind::kNew) return std::optional(Fate{.kind = Kind::kExact, .kept = number});
    if (held->fate.kept != known && state.is_live(held->fate.kept)) return std::optional(held->fate);
  }
  return std::optional<Fate>();
}

Result<Fate> fate_of_nearest(const StoreState& state, const Record& arriving, std::optional<uint64_t> known,
                             const Judge& judge) {
  HeldRecord held;
  for (const uint64_t number : state.find_near(arriving)) {
    if (number == known) continue;
    NEARDUP_TRY(state.read(number, held));
    if (held->within != arriving.within) continue;
    NEARDUP_ASSIGN(const auto likeness, judge.compare(arriving, *held));
    if (likeness) return Fate{Kind::kNear, number, likeness->similarity, likeness->distance};
  }
  return Fate{};
}

}  // namespace

Result<ArrivalDecision> decide_arrival(const StoreState& state, const Record& arriving, const Judge& judge) {
  NEARDUP_ASSIGN(const std::optional<uint64_t> known, state.find_id(arriving.id));
  NEARDUP_ASSIGN(std::optional<Answer> repeated, answer_of_id(state, arriving, known));
  if (repeated) return ArrivalDecision{std::move(*repeated), {}};
  ArrivalDecision decision{.answer = {}, .replaced = known};
  NEARDUP_ASSIGN(const std::optional<Fate> equal, fate_of_text(state, arriving, known));
  if (equal) {
    decision.answer.fate = *equal;
  } else {
    NEARDUP_ASSIGN(decision.answer.fate, fate_of_nearest(state, arriving, known, judge));
  }
  if (decision.answer.fate.kind == Kind::kNew) return decision;
  NEARDUP_ASSIGN(decision.answer.kept_id, id_of(state, decision.answer.fate.kept));
  return decision;
}

}  // namespace neardup::store
