#include "neardup/engine/match/contained/held_comparer.h"

namespace neardup::engine {
namespace {

// Of the longer one tokens and runs; of the shorter one tokens, runs, passages and marks.
constexpr uint64_t kBytesPerToken = 28;

}  // namespace

bool may_contain(const Documents& documents, const ExactGroups& groups, uint32_t longer, uint32_t shorter,
                 double asked) {
  const Row &row = documents.row(groups.best[longer]), &short_row = documents.row(groups.best[shorter]);
  if ((short_row.flags & kIsReference) != 0 || short_row.num_tokens < verify::kLeastContained) return false;
  if (!verify::is_longer(row.num_tokens, short_row.num_tokens, asked) || row.within != short_row.within) return false;
  return (row.flags & kIsReference) != 0 || row.keep_key <= short_row.keep_key;
}

HeldComparer::HeldComparer(const Documents& documents, const ExactGroups& groups, const Followers& followers,
                           double asked, const MemoryPlan& plan, int num_threads, const Context& context)
    : documents_(documents),
      groups_(groups),
      followers_(followers),
      asked_(asked),
      context_(context),
      long_pairs_(documents, groups, kBytesPerToken, plan.bytes_of(MemoryUse::kLongTexts) / 2, num_threads),
      indexes_(plan.bytes_of(MemoryUse::kLongTexts) / 2) {}

// A text that holds one excerpt often holds many.
Result<HeldComparer::Longer> HeldComparer::longer_of(uint32_t group) {
  Longer longer;
  longer.num_tokens = documents_.row(groups_.best[group]).num_tokens;
  longer.runs = indexes_.find(group);
  if (longer.runs != nullptr) return longer;
  NEARDUP_TRY(documents_.read_tokens(groups_.best[group], longer.tokens));
  if (indexes_.has_room_for(longer.tokens.size()))
    longer.runs = indexes_.add(group, std::make_shared<verify::RunIndex>(longer.tokens));
  return longer;
}

Result<cluster::Likeness> HeldComparer::compare_with(const Longer& longer, uint32_t shorter) const {
  NEARDUP_TRY(context_.check_cancel());
  std::vector<uint32_t> tokens;
  NEARDUP_TRY(documents_.read_tokens(groups_.best[shorter], tokens));
  std::vector<uint8_t> is_common;
  if (passages_ != nullptr && passages_->num_common_keys() > 0) {
    std::vector<feature::Passage> selected;
    feature::select_passages(tokens, selected);
    const Row& row = documents_.row(groups_.best[shorter]);
    std::vector<bool> common(selected.size());
    for (size_t i = 0; i < selected.size(); ++i) common[i] = passages_->is_common(key_of(selected[i], row));
    verify::mark_common(selected, common, tokens.size(), is_common);
  }
  const verify::HeldTokens held = longer.runs != nullptr ? verify::held_tokens(tokens, *longer.runs, is_common)
                                                         : verify::held_tokens(tokens, longer.tokens, is_common);
  const double asked = verify::share_to_hold(longer.num_tokens, tokens.size(), asked_);
  return cluster::Likeness{held.reaches(asked), held.share()};
}

Result<cluster::Likeness> HeldComparer::compare(uint32_t longer, uint32_t shorter) {
  const MemoryBudget::Permit permit = long_pairs_.permit_for(longer, shorter);
  NEARDUP_ASSIGN(const Longer longer_text, longer_of(longer));
  return compare_with(longer_text, shorter);
}

// The followers are shorter, too, or they are not contained.
Result<cluster::Likeness> HeldComparer::compare_all(uint32_t longer, uint32_t shorter) {
  num_verified_.fetch_add(1, std::memory_order_relaxed);
  const auto followers = followers_.of(shorter);
  for (const uint32_t follower : followers)
    if (!may_contain(documents_, groups_, longer, follower, asked_)) return cluster::Likeness{};
  // No follower is longer than `longer`.
  const MemoryBudget::Permit permit = long_pairs_.permit_for(longer, followers.empty() ? shorter : longer);
  NEARDUP_ASSIGN(const Longer longer_text, longer_of(longer));
  NEARDUP_ASSIGN(const cluster::Likeness likeness, compare_with(longer_text, shorter));
  if (!likeness.similar) return likeness;
  for (const uint32_t follower : followers) {
    NEARDUP_ASSIGN(const cluster::Likeness of_follower, compare_with(longer_text, follower));
    if (!of_follower.similar) return cluster::Likeness{};
  }
  return likeness;
}

}  // namespace neardup::engine
