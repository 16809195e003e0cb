#include "neardup/engine/online/container_judge.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "neardup/engine/match/contained/contained.h"
#include "neardup/verify/held.h"

namespace neardup::engine {

namespace {

// Of each passage of a record, by its place. With the text that comes one more has it.
std::vector<bool> common_passages(size_t num_passages, std::span<const store::Holding> holdings) {
  std::vector<uint32_t> counts(num_passages, 0);
  for (const store::Holding& holding : holdings) ++counts[holding.passage];
  std::vector<bool> is_common;
  for (const uint32_t count : counts) is_common.push_back(count >= kMostHolders);
  return is_common;
}

// Of each token.
std::vector<uint8_t> common_tokens(std::span<const uint32_t> tokens, std::span<const uint64_t> passages,
                                   const std::vector<bool>& is_common_passage) {
  std::vector<feature::Passage> selected;
  feature::select_passages(tokens, selected);
  std::vector<bool> common;
  for (const feature::Passage& passage : selected) {
    const auto place = std::ranges::lower_bound(passages, passage.hash);
    const bool is_there = place != passages.end() && *place == passage.hash;
    common.push_back(is_there && is_common_passage[static_cast<size_t>(place - passages.begin())]);
  }
  std::vector<uint8_t> is_common;
  verify::mark_common(selected, common, tokens.size(), is_common);
  return is_common;
}

}  // namespace

// Those that have enough of its passages, ascending.
std::vector<uint64_t> ContainerJudge::candidates_of(std::span<const store::Holding> holdings,
                                                    const std::vector<bool>& is_common) const {
  std::vector<uint64_t> met, candidates;
  for (const store::Holding& holding : holdings)
    if (!is_common[holding.passage]) met.push_back(holding.number);
  std::ranges::sort(met);
  const auto num_own = static_cast<uint64_t>(std::ranges::count(is_common, false));
  for (size_t begin = 0, end = 0; begin < met.size(); begin = end) {
    while (end < met.size() && met[end] == met[begin]) ++end;
    if (have_enough_passages(end - begin, num_own, asked_)) candidates.push_back(met[begin]);
  }
  return candidates;
}

// Nothing where it does not, or is no longer than `longer_than`. A long text is read once for many quotes.
Result<std::optional<ContainerJudge::Held>> ContainerJudge::held_by(uint64_t number, const Quote& quote,
                                                                    uint64_t longer_than,
                                                                    const store::Judge::ReadStored& read) const {
  const auto judge = [&](uint64_t longer_tokens, const auto& longer) -> std::optional<Held> {
    const uint64_t shorter = quote.tokens.size();
    if (longer_tokens <= longer_than || !verify::is_longer(longer_tokens, shorter, asked_)) return {};
    const verify::HeldTokens held = verify::held_tokens(quote.tokens, longer, quote.is_common);
    if (!held.reaches(verify::share_to_hold(longer_tokens, shorter, asked_))) return {};
    return Held{longer_tokens, held.share()};
  };
  if (const verify::SharedRunIndex runs = indexes_.find(number)) return judge(runs->num_tokens(), *runs);
  NEARDUP_ASSIGN(const store::Record* stored, read(number));
  if (stored == nullptr || stored->fate.kind != store::Kind::kNew) return std::optional<Held>();
  TextRecord text;
  NEARDUP_TRY(text.read(*stored));
  const std::span<const uint32_t> tokens = text.side().tokens;
  if (tokens.size() <= longer_than || !verify::is_longer(tokens.size(), quote.tokens.size(), asked_))
    return std::optional<Held>();  // before it is made ready for many quotes
  if (!indexes_.has_room_for(tokens.size())) return judge(tokens.size(), tokens);
  return judge(tokens.size(), *indexes_.add(number, std::make_shared<const verify::RunIndex>(tokens)));
}

Result<std::vector<store::Container>> ContainerJudge::find(const store::Record& arriving,
                                                           std::span<const store::Holding> holdings,
                                                           store::Containing which,
                                                           const store::Judge::ReadStored& read) const {
  const std::vector<bool> is_common = common_passages(arriving.passages.size(), holdings);
  const std::vector<uint64_t> candidates = candidates_of(holdings, is_common);
  std::vector<store::Container> found;
  if (candidates.empty()) return found;
  TextRecord text;
  NEARDUP_TRY(text.read(arriving));
  const std::span<const uint32_t> tokens = text.side().tokens;
  if (tokens.size() < verify::kLeastContained) return found;
  const Quote quote{tokens, common_tokens(tokens, arriving.passages, is_common)};
  uint64_t longest = 0;
  for (const uint64_t number : candidates) {
    NEARDUP_ASSIGN(const auto held, held_by(number, quote, longest, read));
    if (!held) continue;
    if (which == store::Containing::kLongest) {
      found.clear();
      longest = held->longer_tokens;
    }
    found.push_back({number, held->share});
  }
  return found;
}

}  // namespace neardup::engine
