#include "neardup/engine/online/text_judge.h"

#include <memory>

#include "neardup/fingerprint/value.h"
#include "neardup/verify/decide.h"

namespace neardup::engine {

using store::Likeness;

namespace {

std::optional<Likeness> counted(std::atomic<uint64_t>& count, std::optional<Likeness> likeness) {
  count.fetch_add(1, std::memory_order_relaxed);
  return likeness;
}

}  // namespace

Result<std::optional<Likeness>> TextJudge::compare(const store::Record& arriving, const store::Record& stored) const {
  return comparison_of(arriving)(stored);
}

store::Judge::Comparison TextJudge::comparison_of(const store::Record& arriving) const {
  struct Both {
    TextRecord arriving, stored;
    Status read;
  };
  auto both = std::make_shared<Both>();
  both->read = both->arriving.read(arriving);
  return [this, both](const store::Record& stored) -> Result<std::optional<Likeness>> {
    NEARDUP_TRY(both->read);
    NEARDUP_TRY(both->stored.read(stored));
    return compare(both->arriving, both->stored);
  };
}

Result<std::vector<store::Container>> TextJudge::containers_of(const store::Record& arriving,
                                                               std::span<const store::Holding> holdings,
                                                               store::Containing which, const ReadStored& read) const {
  if (!containers_) return std::vector<store::Container>();
  return containers_->find(arriving, holdings, which, read);
}

std::optional<Likeness> TextJudge::compare(const TextRecord& arriving, const TextRecord& stored) const {
  const PairSide &a = arriving.side(), &b = stored.side();
  const PairRoute route = decision_.route(a, b);
  if (route == PairRoute::kExact || route == PairRoute::kTooShort) return {};
  if (arriving.is_whole() && stored.is_whole()) return judge(route, a, b);
  return estimate(a, b);
}

std::optional<Likeness> TextJudge::judge(PairRoute route, const PairSide& arriving, const PairSide& stored) const {
  const Meeting meeting = decision_.meet(route, arriving, stored);
  if (!meeting.are_candidates) return counted(unlike_, {});
  const verify::Verdict verdict = decision_.compare(route, stored, arriving);
  if (!verdict.similar) return counted(refused_, {});
  return counted(similar_, Likeness{verdict.similarity, meeting.distance});
}

std::optional<Likeness> TextJudge::estimate(const PairSide& arriving, const PairSide& stored) const {
  const PairRoute route = decision_.route(false);
  const bool has_both = route == PairRoute::kSimHash || (!arriving.signature.empty() && !stored.signature.empty());
  if (!has_both) return counted(similar_, Likeness{.is_estimate = true});
  const Meeting meeting = decision_.meet(route, arriving, stored);
  if (!meeting.are_candidates) return counted(unlike_, {});
  const size_t most = route == PairRoute::kSimHash ? fingerprint::kNumBits : arriving.signature.size();
  const float similarity = 1 - static_cast<float>(meeting.distance) / static_cast<float>(most);
  const bool is_enough =
      route == PairRoute::kSimHash || similarity >= static_cast<float>(verify::lowest_threshold(decision_.rule()));
  if (!is_enough) return counted(refused_, {});
  return counted(similar_, Likeness{similarity, meeting.distance, true});
}

}  // namespace neardup::engine
