#include "neardup/engine/match/contained/held_comparer.h"

namespace neardup::engine {
namespace {

// Tokens of both, and of the shorter one its runs, their table, passages and marks: it is no longer than half of both.
constexpr uint64_t kBytesPerToken = 24;

}  // namespace

bool may_contain(const Documents& documents, const ExactGroups& groups, uint32_t longer, uint32_t shorter,
                 double asked) {
  const Row &row = documents.row(groups.best[longer]), &short_row = documents.row(groups.best[shorter]);
  if ((short_row.flags & kIsReference) != 0 || short_row.num_tokens < verify::kLeastContained) return false;
  if (!verify::is_longer(row.num_tokens, short_row.num_tokens, asked) || row.within != short_row.within) return false;
  return (row.flags & kIsReference) != 0 || row.keep_key <= short_row.keep_key;
}

HeldComparer::HeldComparer(const Documents& documents, const ExactGroups& groups, const Followers& followers,
                           double asked, const MemoryPlan& plan, int num_threads)
    : documents_(documents),
      groups_(groups),
      followers_(followers),
      asked_(asked),
      long_pairs_(documents, groups, kBytesPerToken, plan.bytes_of(MemoryUse::kLongTexts), num_threads) {}

Result<cluster::Likeness> HeldComparer::compare_with(const std::vector<uint32_t>& longer, uint32_t shorter) const {
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
  const verify::HeldTokens held = verify::held_tokens(tokens, longer, is_common);
  return cluster::Likeness{held.reaches(asked_), held.share()};
}

Result<cluster::Likeness> HeldComparer::compare(uint32_t longer, uint32_t shorter) {
  const MemoryBudget::Permit permit = long_pairs_.permit_for(longer, shorter);
  std::vector<uint32_t> tokens;
  NEARDUP_TRY(documents_.read_tokens(groups_.best[longer], tokens));
  return compare_with(tokens, shorter);
}

// The followers are shorter, too, or they are not contained.
Result<cluster::Likeness> HeldComparer::compare_all(uint32_t longer, uint32_t shorter) {
  num_verified_.fetch_add(1, std::memory_order_relaxed);
  const auto followers = followers_.of(shorter);
  for (const uint32_t follower : followers)
    if (!may_contain(documents_, groups_, longer, follower, asked_)) return cluster::Likeness{};
  // No follower is longer than `longer`.
  const MemoryBudget::Permit permit = long_pairs_.permit_for(longer, followers.empty() ? shorter : longer);
  std::vector<uint32_t> tokens;
  NEARDUP_TRY(documents_.read_tokens(groups_.best[longer], tokens));
  NEARDUP_ASSIGN(const cluster::Likeness likeness, compare_with(tokens, shorter));
  if (!likeness.similar) return likeness;
  for (const uint32_t follower : followers) {
    NEARDUP_ASSIGN(const cluster::Likeness of_follower, compare_with(tokens, follower));
    if (!of_follower.similar) return cluster::Likeness{};
  }
  return likeness;
}

}  // namespace neardup::engine
