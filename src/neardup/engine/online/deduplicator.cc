// Stars grow in the order of arrival: a document is compared with those that were kept, first in first, and goes to the
// first that is similar. That is what cluster/star.h makes of all pairs at once when earlier documents are preferred,
// so both come to the same end. Who contains it is asked of those that are near none.
#include "neardup/engine/online/deduplicator.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "neardup/base/guard.h"
#include "neardup/base/undo.h"
#include "neardup/engine/match/decision.h"
#include "neardup/engine/online/band_index.h"
#include "neardup/engine/online/containers.h"
#include "neardup/engine/online/fingerprint_scan.h"
#include "neardup/engine/online/kept_texts.h"
#include "neardup/engine/online/matcher.h"
#include "neardup/engine/online/nearby_counts.h"
#include "neardup/engine/online/text_maker.h"
#include "neardup/store/document_store.h"

namespace neardup::engine {
namespace {

constexpr uint32_t kMostDocuments = (uint32_t{1} << 31) - 1, kNobody = UINT32_MAX;

// So that push_back() cannot fail; it grows as it would by itself.
template <class T>
void make_room_for_one(std::vector<T>& list) {
  if (list.size() == list.capacity()) list.reserve(std::max<size_t>(16, 2 * list.size()));
}

struct HashOfChecksum {
  size_t operator()(const Hash128& checksum) const { return checksum.low; }
};

// What became of all documents of one text.
struct TextFate {
  uint32_t kept = 0;  // the document that is kept for it
  float similarity = 1;
  uint16_t distance = 0;
  Arrival::Kind kind = Arrival::Kind::kNew;  // of the first of them
};

// A text whose fate is decided, and what is learnt of it.
struct Decided {
  TextFate fate;
  bool is_witness = false;  // near another one, and worth being remembered: NearbyCounts
};

}  // namespace

class Deduplicator::Impl {
 public:
  Impl(Matcher matcher, std::optional<double> contained, uint64_t memory_bytes);

  Result<Arrival> add(std::string_view id, std::string_view text);
  DeduplicatorFigures figures() const;
  const recipe::Recipe& recipe() const { return matcher_.recipe; }

 private:
  [[nodiscard]] Arrival arrival_of(const TextFate& fate, std::string_view id) const;
  Result<Arrival> settle(std::string_view id, const PairSide& side);
  Status remember(std::string_view id, const PairSide& side, const Decided& decided);
  Result<Decided> decide(const PairSide& side);
  void drop_repeated();
  Result<bool> are_similar(const PairSide& side, uint32_t kept, std::optional<NearbyCounts>& nearby, TextFate& fate);
  [[nodiscard]] bool learns_of(const PairSide& side) const {
    return matcher_.learns && NearbyCounts::has_room_for(side.tokens.size());
  }
  void learn(NearbyCounts& nearby) const;
  Status keep(std::string_view id, const PairSide& side, uint32_t near_to);
  Status put_into_indexes(uint32_t number, const PairSide& side, bool is_kept);
  [[nodiscard]] std::string_view id_of(uint32_t kept) const;
  Status read_tokens(uint32_t text, std::vector<uint32_t>& tokens) const;

  const Matcher matcher_;
  const Decision& decision_ = matcher_.decision;
  std::unique_ptr<verify::Verifier> verifier_;  // by numbers of texts, which are never used twice
  TextMaker maker_{matcher_};

  mutable std::mutex mutex_;  // of all below
  std::unique_ptr<CandidateIndex> index_, short_index_;
  std::unordered_map<Hash128, TextFate, HashOfChecksum> fates_;
  KeptTexts kept_;                 // and witnesses
  std::vector<uint32_t> near_to_;  // of each: of a witness the one that it is near, of those that are kept kNobody
  uint32_t num_witnesses_ = 0;
  std::optional<Containers> containers_;  // where it is asked who is contained
  std::string ids_;                       // of kept documents, one after the other; witnesses have none
  std::vector<uint64_t> id_ends_;         // of each
  std::vector<uint32_t> texts_;           // of each: its number as a text, ascending
  uint32_t num_texts_ = 0;                // that had a number, those too that were refused
  const PairSide* current_ = nullptr;     // the last of them
  std::vector<uint32_t> found_;
  std::vector<uint64_t> seen_;  // a bit for each kept document; clear between uses
};

Deduplicator::Impl::Impl(Matcher matcher, std::optional<double> contained, uint64_t memory_bytes)
    : matcher_(std::move(matcher)) {
  verifier_ = decision_.verifier(
      [this](uint32_t text, std::vector<uint32_t>& tokens) { return read_tokens(text, tokens); }, memory_bytes / 8);
  const MostSharing most = [this](const PairSide& side) { return matcher_.most_sharing(side); };
  const auto banded = [&](PairRoute route) {
    return std::make_unique<BandIndex>(route, decision_.band_rule(route).bands(), most);
  };
  if (matcher_.recipe.family == recipe::Family::kMinHash)
    index_ = banded(PairRoute::kMinHash);
  else
    index_ = std::make_unique<FingerprintScan>(matcher_.recipe.num_fingerprints(), decision_.bounds().max_distance);
  short_index_ = banded(PairRoute::kCharacters);
  if (contained) containers_.emplace(kept_, *contained, memory_bytes / 8);
}

Result<Arrival> Deduplicator::Impl::add(std::string_view id, std::string_view text) {
  NEARDUP_ASSIGN(TextMaker::Loan loan, maker_.lend());
  const PairSide side = loan.make(text).side();
  const std::lock_guard lock(mutex_);
  return settle(id, side);
}

// One after the other: requires mutex_.
Result<Arrival> Deduplicator::Impl::settle(std::string_view id, const PairSide& side) {
  if (const auto known = fates_.find(side.checksum); known != fates_.end()) return arrival_of(known->second, id);
  if (num_texts_ == kMostDocuments)
    return fail(Code::kUnsupported, "a Deduplicator holds at most 2^31 texts; begin another one");
  current_ = &side;
  ++num_texts_;
  NEARDUP_ASSIGN(const Decided decided, decide(side));
  Arrival arrival = decided.fate.kind == Arrival::Kind::kNew ? Arrival{} : arrival_of(decided.fate, id);
  NEARDUP_TRY(remember(id, side, decided));
  return arrival;
}

// All of it, or nothing.
Status Deduplicator::Impl::remember(std::string_view id, const PairSide& side, const Decided& decided) {
  const TextFate& fate = decided.fate;
  const auto added = fates_.emplace(side.checksum, fate).first;
  Undo undo([&] { fates_.erase(added); });
  if (fate.kind == Arrival::Kind::kNew) NEARDUP_TRY(keep(id, side, kNobody));
  if (decided.is_witness) NEARDUP_TRY(keep({}, side, fate.kept));
  if (fate.kind == Arrival::Kind::kContained) containers_->count(side.tokens);
  undo.keep();
  return {};
}

// Copies of a text that is near another one, or contained, are as near as it is.
Arrival Deduplicator::Impl::arrival_of(const TextFate& fate, std::string_view id) const {
  const std::string_view kept = id_of(fate.kept);
  if (fate.kind != Arrival::Kind::kNew) return {fate.kind, std::string(kept), fate.similarity, fate.distance};
  if (kept == id && !id.empty()) return {};  // sent twice; texts without an id are not told apart by it
  return {.kind = Arrival::Kind::kExact, .duplicate_of = std::string(kept)};
}

Result<Decided> Deduplicator::Impl::decide(const PairSide& side) {
  Decided decided{.fate = {.kept = kept_.size()}};
  if (!side.has_features) return decided;
  found_.clear();
  NEARDUP_TRY(index_->find(side, found_));
  if (!side.short_text.empty()) NEARDUP_TRY(short_index_->find(side, found_));
  drop_repeated();
  std::ranges::sort(found_);
  std::optional<NearbyCounts> nearby;
  size_t num_compared = 0;
  for (const uint32_t kept : found_) {
    if (near_to_[kept] != kNobody) continue;
    if (nearby && num_compared >= store::kMostComparedLearning) break;
    ++num_compared;
    NEARDUP_ASSIGN(const bool similar, are_similar(side, kept, nearby, decided.fate));
    if (!similar) continue;
    decided.is_witness = nearby && nearby->wants_near(kept);
    return decided;
  }
  if (!containers_) return decided;
  if (const auto container = containers_->find(side.tokens))
    decided.fate = {.kept = container->kept, .similarity = container->share, .kind = Arrival::Kind::kContained};
  return decided;
}

// A document that shares all bands was found in each: repetitions go before they are sorted.
void Deduplicator::Impl::drop_repeated() {
  seen_.resize(kept_.size() / 64 + 1);
  std::erase_if(found_, [this](uint32_t kept) {
    const uint64_t bit = uint64_t{1} << kept % 64;
    return (std::exchange(seen_[kept / 64], seen_[kept / 64] | bit) & bit) != 0;
  });
  for (const uint32_t kept : found_) seen_[kept / 64] = 0;
}

// Sets `fate` where they are.
Result<bool> Deduplicator::Impl::are_similar(const PairSide& side, uint32_t kept, std::optional<NearbyCounts>& nearby,
                                             TextFate& fate) {
  const PairSide other = kept_.side(kept);
  const PairRoute route = decision_.route(side, other);
  const Meeting meeting = decision_.meet(route, side, other);
  if (!meeting.are_candidates) return false;
  verify::Verdict verdict;
  if (route == PairRoute::kCharacters) {
    verdict = decision_.compare(route, other, side);
  } else {
    NEARDUP_ASSIGN(verdict, verifier_->compare(texts_[kept], num_texts_ - 1));
  }
  if (verdict.similar && !verdict.any_counts && learns_of(side) && route == PairRoute::kMinHash) {
    if (!nearby) learn(nearby.emplace(decision_, side.tokens));
    verdict = nearby->compare(other.tokens);
  }
  if (!verdict.similar) return false;
  fate = {kept, verdict.similarity, static_cast<uint16_t>(meeting.distance), Arrival::Kind::kNear};
  return true;
}

// From the oldest that share a band with the text that comes, as a store does.
void Deduplicator::Impl::learn(NearbyCounts& nearby) const {
  for (const uint32_t number : std::span(found_).first(std::min(found_.size(), store::kMostLearntFrom))) {
    if (near_to_[number] == kNobody)
      nearby.take_kept(number, kept_.side(number).tokens);
    else
      nearby.take_near(near_to_[number], kept_.side(number).tokens);
  }
}

// What may fail comes first, and last of it what cannot be taken back.
Status Deduplicator::Impl::keep(std::string_view id, const PairSide& side, uint32_t near_to) {
  make_room_for_one(near_to_);
  make_room_for_one(texts_);
  make_room_for_one(id_ends_);
  ids_.reserve(ids_.size() + id.size());
  const uint32_t number = kept_.add(side);
  Undo undo([&] { kept_.take_back(); });
  if (side.has_features) NEARDUP_TRY(put_into_indexes(number, side, near_to == kNobody));
  undo.keep();
  near_to_.push_back(near_to);
  num_witnesses_ += near_to == kNobody ? 0 : 1;
  texts_.push_back(num_texts_ - 1);
  ids_ += id;
  id_ends_.push_back(ids_.size());
  return {};
}

Status Deduplicator::Impl::put_into_indexes(uint32_t number, const PairSide& side, bool is_kept) {
  NEARDUP_TRY(index_->add(number, side));
  Undo undo([&] { index_->take_back(number, side); });
  const bool is_short = !side.short_text.empty();
  if (is_short) NEARDUP_TRY(short_index_->add(number, side));
  Undo undo_short([&] {
    if (is_short) short_index_->take_back(number, side);
  });
  if (containers_ && is_kept) containers_->add(number, side.tokens);
  undo_short.keep();
  undo.keep();
  return {};
}

std::string_view Deduplicator::Impl::id_of(uint32_t kept) const {
  const uint64_t begin = kept == 0 ? 0 : id_ends_[kept - 1];
  return std::string_view(ids_).substr(begin, id_ends_[kept] - begin);
}

Status Deduplicator::Impl::read_tokens(uint32_t text, std::vector<uint32_t>& tokens) const {
  const auto at = static_cast<uint32_t>(std::ranges::lower_bound(texts_, text) - texts_.begin());
  const std::span<const uint32_t> held = text == num_texts_ - 1 ? current_->tokens : kept_.side(at).tokens;
  tokens.assign(held.begin(), held.end());
  return {};
}

DeduplicatorFigures Deduplicator::Impl::figures() const {
  constexpr uint64_t kFateBytes = sizeof(Hash128) + sizeof(TextFate) + 3 * sizeof(void*);
  const std::lock_guard lock(mutex_);
  return {.new_texts = kept_.size() - num_witnesses_,
          .different_texts = fates_.size(),
          .size_bytes = kept_.size_bytes() + index_->size_bytes() + short_index_->size_bytes() +
                        fates_.size() * kFateBytes + ids_.capacity() + id_ends_.capacity() * sizeof(uint64_t) +
                        (texts_.capacity() + near_to_.capacity()) * sizeof(uint32_t) +
                        seen_.capacity() * sizeof(uint64_t) + verifier_->cache_stats().size_bytes +
                        (containers_ ? containers_->size_bytes() : 0)};
}

Deduplicator::Deduplicator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Deduplicator::Deduplicator(Deduplicator&&) noexcept = default;
Deduplicator& Deduplicator::operator=(Deduplicator&&) noexcept = default;
Deduplicator::~Deduplicator() = default;

Result<Deduplicator> Deduplicator::create(DedupOptions options) {
  NEARDUP_TRY(check_contained(options));
  const uint64_t memory_bytes = options.memory_bytes;
  const std::optional<double> contained = options.contained;
  NEARDUP_ASSIGN(Matcher matcher, make_matcher(std::move(options)));
  return Deduplicator(std::make_unique<Impl>(std::move(matcher), contained, memory_bytes));
}

Result<Arrival> Deduplicator::add(std::string_view id, std::string_view text) {
  return guarded([&] { return impl_->add(id, text); });
}
DeduplicatorFigures Deduplicator::figures() const { return impl_->figures(); }
const recipe::Recipe& Deduplicator::recipe() const { return impl_->recipe(); }

}  // namespace neardup::engine
