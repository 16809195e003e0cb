// One for each thread, so that hits need no lock. Rules are applied to a buffer of hits at a time, in vectors. Hits
// that survive stay as values until there are `capacity` of them: that bounds the memory, whatever the number of pairs,
// and makes one look through the sets serve many.
// Invariant: a buffer never holds hits of two sets of rules; whoever changes the rules flushes first. After a sink has
// failed, everything else is dropped and the status says why.
#include "neardup/join/emitter.h"

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

Emitter::Emitter(const JoinedSets& sets, bool swapped, const ValuePositions& left, const ValuePositions& right,
                 const PairSink& sink, const Context& context, int thread)
    : Emitter(sets, swapped, 0, sink, context, thread) {
  writer_.emplace(sets, left, right, sink, thread, context);
}

void Emitter::set_rules(const Rules* rules) {
  hits_.flush();
  rules_ = rules;
}

void Emitter::drain(void* self, std::span<const match::Hit> hits) {
  auto& emitter = *static_cast<Emitter*>(self);
  emitter.new_hits_.resize(hits.size());
  const auto kept = std::span(emitter.new_hits_).first(drop_met(hits, *emitter.rules_, emitter.new_hits_.data()));
  if (emitter.swapped_) {
    for (match::Hit& hit : kept) std::swap(hit.a, hit.b);
  }
  emitter.take(kept);
}

void Emitter::take(std::span<const match::Hit> hits) {
  if (!status_) return;
  if (writer_) {
    status_ = writer_->write(hits);
  } else {
    for (const match::Hit& hit : hits) add(hit);
  }
}

void Emitter::add(const match::Hit& hit) {
  if (!status_) return;
  list_.push(hit);
  if (list_.size() < capacity_) return;
  const HitList* list = &list_;
  // On this thread alone: the others are in the middle of their own buckets.
  status_ = resolve(sets_, {&list, 1}, 1, thread_, sink_, context_);
  list_.clear();
}

Status resolve_all(std::span<const std::unique_ptr<Emitter>> emitters) {
  std::vector<const HitList*> lists;
  for (const auto& emitter : emitters) {
    emitter->hits_.flush();
    NEARDUP_TRY(emitter->status_);
    if (emitter->writer_) NEARDUP_TRY(emitter->writer_->finish());
    lists.push_back(&emitter->list_);
  }
  const Emitter& first = *emitters[0];
  return resolve(first.sets_, lists, static_cast<int>(emitters.size()), 0, first.sink_, first.context_);
}

}  // namespace neardup::join
