#include "neardup/join/emitter.h"

#include <algorithm>

#include "neardup/base/hash.h"

namespace neardup::join {
namespace {

constexpr size_t kBlockPairs = 4096;
const Rules kNoRules;

}  // namespace

Emitter::Emitter(const Distinct& left, const Distinct& right, const PairSink& sink, const Context& context, int thread)
    : left_(left),
      right_(right),
      sink_(sink),
      context_(context),
      thread_(thread),
      rules_(&kNoRules),
      hits_(&Emitter::drain, this) {
  pairs_.reserve(kBlockPairs);
}

void Emitter::set_rules(const Rules* rules) {
  hits_.flush();
  rules_ = rules;
}

void Emitter::emit_equal(std::span<const uint32_t> positions) {
  for (size_t i = 0; i < positions.size() && status_; ++i) {
    for (size_t j = i + 1; j < positions.size() && status_; ++j) {
      push({std::min(positions[i], positions[j]), std::max(positions[i], positions[j]), 0});
    }
  }
}

Status Emitter::finish() {
  hits_.flush();
  deliver();
  return status_;
}

void Emitter::drain(void* self, std::span<const hamming::Hit> hits) { static_cast<Emitter*>(self)->take(hits); }

// Where the fingerprints stand is looked up for all hits together: each look-up misses the cache two or three times,
// and so the misses overlap.
void Emitter::take(std::span<const hamming::Hit> hits) {
  new_hits_.clear();
  for (const hamming::Hit& hit : hits) {
    if (met_before(hit)) continue;
    left_.prefetch_offset(hit.a);
    right_.prefetch_offset(hit.b);
    new_hits_.push_back(hit);
  }
  for (const hamming::Hit& hit : new_hits_) {
    left_.prefetch_bucket(hit.a);
    right_.prefetch_bucket(hit.b);
  }
  for (const hamming::Hit& hit : new_hits_) {
    if (status_) emit(hit);
  }
}

bool Emitter::met_before(const hamming::Hit& hit) const {
  return std::any_of(rules_->begin(), rules_->end(), [&](const Block& block) {
    return fingerprint::distance(hit.a & block.mask, hit.b & block.mask) <= block.threshold;
  });
}

void Emitter::emit(const hamming::Hit& hit) {
  const bool self = &left_ == &right_;
  const auto distance = static_cast<uint32_t>(fingerprint::distance(hit.a, hit.b));
  const auto right = right_.positions(find(right_, hit.b, right_memos_));
  for (const uint32_t a : left_.positions(find(left_, hit.a, left_memos_))) {
    for (const uint32_t b : right) {
      if (!status_) return;
      push(self ? Pair{std::min(a, b), std::max(a, b), distance} : Pair{a, b, distance});
    }
  }
}

size_t Emitter::find(const Distinct& set, fingerprint::Fingerprint key, Memos& memos) {
  Memo& memo = memos[mix64(key) % std::tuple_size_v<Memos>];
  if (memo.key != key || memo.index == SIZE_MAX) memo = {key, set.index_of(key)};
  return memo.index;
}

void Emitter::push(const Pair& pair) {
  pairs_.push_back(pair);
  if (pairs_.size() == kBlockPairs) deliver();
}

void Emitter::deliver() {
  if (status_) status_ = context_.check_cancel();
  if (status_ && !pairs_.empty()) status_ = sink_(pairs_, thread_);
  pairs_.clear();
}

}  // namespace neardup::join
