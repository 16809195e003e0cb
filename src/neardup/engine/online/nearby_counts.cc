#include "neardup/engine/online/nearby_counts.h"

#include <algorithm>
#include <utility>

#include "neardup/engine/match/families.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/decide.h"
#include "neardup/verify/intersect.h"
#include "neardup/verify/shingles.h"

namespace neardup::engine {
namespace {

constexpr uint64_t kCacheBytes = uint64_t{1} << 20;
constexpr uint64_t kCountersPerToken = 64;  // so that hardly any n-grams share one

std::vector<uint32_t> ngrams_of(std::span<const uint32_t> tokens) {
  return verify::make_shingle_set(tokens, verify::kContentNgram).hashes;
}

// Most that are asked are not: the merge ends early.
bool are_of_one_family(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  const size_t needed = verify::needed_common(a.size(), b.size(), kFamilySimilarity);
  return verify::count_common(a, b, needed) >= needed;
}

}  // namespace

NearbyCounts::NearbyCounts(const Decision& decision, std::span<const uint32_t> arriving)
    : decision_(decision), arriving_(arriving), num_tokens_(arriving.size()) {
  further_.push_back(ngrams_of(arriving));
}

bool NearbyCounts::has_room(size_t num_tokens) {
  is_full_ = is_full_ || num_tokens_ + num_tokens > kMostTokens;
  if (!is_full_) num_tokens_ += num_tokens;
  return !is_full_;
}

const NearbyCounts::Kept* NearbyCounts::find(uint64_t kept) const {
  const auto at = std::ranges::lower_bound(kept_, kept, {}, &Kept::number);
  return at != kept_.end() && at->number == kept ? &*at : nullptr;
}

void NearbyCounts::take_kept(uint64_t number, std::span<const uint32_t> tokens) {
  if (!wants_kept() || !has_room(tokens.size())) return;
  kept_.push_back({.number = number});
  families_.push_back({.head = ngrams_of(tokens)});
}

bool NearbyCounts::wants_near(uint64_t kept) const {
  const Kept* const of = find(kept);
  return !is_full_ && num_near_ < kMostNear && of != nullptr && of->num_near < kMostNearOne;
}

void NearbyCounts::take_near(uint64_t kept, std::span<const uint32_t> tokens) {
  if (!wants_near(kept) || !has_room(tokens.size())) return;
  ++num_near_;
  ++kept_[static_cast<size_t>(find(kept) - kept_.data())].num_near;
  join_family(ngrams_of(tokens));
}

// As in a run (families.h) that of the first head that it is alike, which is kept or not; or it begins one.
void NearbyCounts::join_family(Ngrams ngrams) {
  const auto family =
      std::ranges::find_if(families_, [&](const Family& other) { return are_of_one_family(ngrams, other.head); });
  if (family == families_.end())
    families_.push_back({.head = std::move(ngrams)});
  else if (family->members++ >= kFamilyMembers)
    further_.push_back(std::move(ngrams));
}

void NearbyCounts::count() {
  counts_ = std::make_unique<verify::Commonness>(kCountersPerToken * num_tokens_, kCountersPerToken * num_tokens_);
  for (const Family& family : families_) counts_->add(family.head);
  for (const Ngrams& ngrams : further_) counts_->add(ngrams);
  counts_->settle();
  const auto tokens = [this](uint32_t which, std::vector<uint32_t>& out) -> Status {
    const std::span<const uint32_t> text = which == 0 ? arriving_ : stored_;
    out.assign(text.begin(), text.end());
    return {};
  };
  verifier_ = decision_.verifier(tokens, kCacheBytes, counts_.get());
}

// Each under a number of its own, so that the set of the text that comes is made once.
verify::Verdict NearbyCounts::compare(std::span<const uint32_t> stored) {
  if (counts_ == nullptr) count();
  stored_ = stored;
  return *verifier_->compare(++num_compared_, 0);  // the source has no errors
}

}  // namespace neardup::engine
