#include "neardup/engine/online/containers.h"

#include <algorithm>
#include <memory>
#include <tuple>

#include "neardup/engine/match/contained/contained.h"
#include "neardup/verify/held.h"

namespace neardup::engine {

// With the text that comes one more has a passage.
Containers::Containers(const KeptTexts& kept, double asked, uint64_t memory_bytes)
    : kept_(kept), asked_(asked), holders_(kMostHolders), indexes_(memory_bytes) {}

void Containers::select(std::span<const uint32_t> tokens) {
  feature::select_passages(tokens, selected_);
  feature::take_hashes(selected_, hashes_);
}

// Those that have enough of its passages, in the order in which they are asked.
void Containers::find_candidates(size_t num_tokens) {
  met_.clear();
  candidates_.clear();
  uint32_t num_own = 0;
  for (const uint64_t hash : hashes_) {
    const PassageHolders::Holders holders = holders_.of(hash);
    if (holders.is_common) continue;
    ++num_own;
    std::ranges::copy_if(holders.numbers, std::back_inserter(met_),
                         [](uint32_t kept) { return kept != PassageHolders::kNobody; });
  }
  std::ranges::sort(met_);
  for (size_t begin = 0, end = 0; begin < met_.size(); begin = end) {
    while (end < met_.size() && met_[end] == met_[begin]) ++end;
    if (have_enough_passages(end - begin, num_own, asked_) &&
        verify::is_longer(kept_.side(met_[begin]).tokens.size(), num_tokens, asked_))
      candidates_.push_back(met_[begin]);
  }
  std::ranges::stable_sort(candidates_, std::greater(),
                           [this](uint32_t kept) { return kept_.side(kept).tokens.size(); });
}

verify::SharedRunIndex Containers::index_of(uint32_t kept, std::span<const uint32_t> tokens) {
  verify::SharedRunIndex index = indexes_.find(kept);
  if (index == nullptr && indexes_.has_room_for(tokens.size()))
    index = indexes_.add(kept, std::make_shared<verify::RunIndex>(tokens));
  return index;
}

std::optional<Container> Containers::find(std::span<const uint32_t> tokens) {
  if (tokens.size() < verify::kLeastContained) return {};
  select(tokens);
  find_candidates(tokens.size());
  if (candidates_.empty()) return {};
  std::vector<bool> common;
  for (const feature::Passage& passage : selected_) common.push_back(holders_.of(passage.hash).is_common);
  std::vector<uint8_t> is_common;
  verify::mark_common(selected_, common, tokens.size(), is_common);
  for (const uint32_t kept : candidates_) {
    const std::span<const uint32_t> longer = kept_.side(kept).tokens;
    const verify::SharedRunIndex index = index_of(kept, longer);
    const verify::HeldTokens held = index != nullptr ? verify::held_tokens(tokens, *index, is_common)
                                                     : verify::held_tokens(tokens, longer, is_common);
    if (held.reaches(verify::share_to_hold(longer.size(), tokens.size(), asked_))) return Container{kept, held.share()};
  }
  return {};
}

void Containers::add(uint32_t kept, std::span<const uint32_t> tokens) {
  select(tokens);
  holders_.add(hashes_, kept);
}

}  // namespace neardup::engine
