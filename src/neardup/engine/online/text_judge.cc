#include "neardup/engine/online/text_judge.h"

#include <memory>
#include <string>
#include <utility>

#include "neardup/engine/online/nearby_counts.h"
#include "neardup/fingerprint/value.h"
#include "neardup/verify/decide.h"

namespace neardup::engine {

using store::Likeness;

namespace {

// A document that comes among those that are stored.
class NearbyLesson final : public store::Lesson {
 public:
  NearbyLesson(const Decision& decision, TextRecord arriving)
      : decision_(decision), arriving_(std::move(arriving)), nearby_(decision, arriving_.side().tokens) {}

  [[nodiscard]] Status take(const store::Record& stored) override {
    const bool is_kept = stored.fate.kind == store::Kind::kNew;
    if (is_kept ? !nearby_.wants_kept() : !nearby_.wants_near(stored.fate.kept)) return {};
    NEARDUP_TRY(stored_.read(stored));
    if (is_kept)
      nearby_.take_kept(stored.number, stored_.side().tokens);
    else
      nearby_.take_near(stored.fate.kept, stored_.side().tokens);
    return {};
  }
  [[nodiscard]] Result<std::optional<Likeness>> compare(const store::Record& stored) override {
    NEARDUP_TRY(stored_.read(stored));
    const verify::Verdict verdict = nearby_.compare(stored_.side().tokens);
    if (!verdict.similar) return std::optional<Likeness>();
    const Meeting meeting = decision_.meet(PairRoute::kMinHash, arriving_.side(), stored_.side());
    return std::optional(Likeness{verdict.similarity, meeting.distance});
  }
  [[nodiscard]] std::string body_to_remember(uint64_t kept) const override {
    std::string body;
    if (nearby_.wants_near(kept)) append_body(body, {.tokens = arriving_.side().tokens}, RecordsKept::kTokens, {});
    return body;
  }

 private:
  const Decision& decision_;
  TextRecord arriving_, stored_;
  NearbyCounts nearby_;
};

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

std::unique_ptr<store::Lesson> TextJudge::lesson_of(const store::Record& arriving) const {
  TextRecord record;
  if (!learns_ || !record.read(arriving) || !record.is_whole()) return nullptr;
  if (!NearbyCounts::has_room_for(record.side().tokens.size())) return nullptr;
  return std::make_unique<NearbyLesson>(decision_, std::move(record));
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
  const bool may_change = learns_ && route == PairRoute::kMinHash && !verdict.any_counts;
  return counted(similar_, Likeness{verdict.similarity, meeting.distance, false, may_change});
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
