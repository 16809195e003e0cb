#include "neardup/join/emitter.h"

#include <algorithm>
#include <utility>

namespace neardup::join {
namespace {

const Rules kNoRules;

}  // namespace

Emitter::Emitter(const JoinedSets& sets, bool swapped, size_t capacity, const PairSink& sink, const Context& context,
                 int thread)
    : sets_(sets),
      swapped_(swapped),
      capacity_(capacity),
      sink_(sink),
      context_(context),
      thread_(thread),
      rules_(&kNoRules),
      hits_(&Emitter::drain, this) {}

void Emitter::set_rules(const Rules* rules) {
  hits_.flush();
  rules_ = rules;
}

void Emitter::drain(void* self, std::span<const hamming::Hit> hits) {
  auto& emitter = *static_cast<Emitter*>(self);
  for (const hamming::Hit& hit : hits) {
    if (!emitter.met_before(hit)) emitter.add(hit);
  }
}

bool Emitter::met_before(const hamming::Hit& hit) const {
  return std::any_of(rules_->begin(), rules_->end(), [&](const Block& block) {
    return fingerprint::distance(hit.a & block.mask, hit.b & block.mask) <= block.threshold;
  });
}

void Emitter::add(const hamming::Hit& hit) {
  if (!status_) return;
  list_.push(swapped_ ? hamming::Hit{hit.b, hit.a} : hit);
  if (list_.size() < capacity_) return;
  const HitList* list = &list_;
  status_ = resolve(sets_, {&list, 1}, 1, thread_, sink_, context_);
  list_.clear();
}

Status resolve_all(std::span<const std::unique_ptr<Emitter>> emitters) {
  std::vector<const HitList*> lists;
  for (const auto& emitter : emitters) {
    emitter->hits_.flush();
    NEARDUP_TRY(emitter->status_);
    lists.push_back(&emitter->list_);
  }
  const Emitter& first = *emitters[0];
  return resolve(first.sets_, lists, static_cast<int>(emitters.size()), 0, first.sink_, first.context_);
}

}  // namespace neardup::join
