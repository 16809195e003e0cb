// Collects the hits of one thread, and has them turned into pairs of positions when they are many.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "neardup/fingerprint/value.h"
#include "neardup/join/pair.h"
#include "neardup/join/pair_writer.h"
#include "neardup/join/resolver.h"
#include "neardup/join/rules.h"
#include "neardup/match/hits.h"

namespace neardup::join {

/// Takes the hits of one thread and drops those that an earlier table has met. When it holds `capacity` of the others
/// it resolves them and gives their pairs to the sink; what is left at the end is resolve_all()'s. Where the positions
/// of all values are known beforehand it holds none. Threads: one.
class Emitter {
 public:
  /// `swapped`: hits have a from sets.right and b from sets.left. All references must outlive the emitter.
  Emitter(const JoinedSets& sets, bool swapped, size_t capacity, const PairSink& sink, const Context& context,
          int thread);
  /// The same where `left` and `right` (in a self join the same object) know all values of the sets.
  Emitter(const JoinedSets& sets, bool swapped, const ValuePositions& left, const ValuePositions& right,
          const PairSink& sink, const Context& context, int thread);
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  [[nodiscard]] match::HitBuffer& hits() { return hits_; }
  /// Hits from now on are judged by `rules`, which must outlive them.
  void set_rules(const Rules* rules);
  [[nodiscard]] const Rules& rules() const { return *rules_; }
  /// Takes a value that stands in the set of a self join more than once.
  void repeat(fingerprint::Fingerprint value) { take(std::array{match::Hit{value, value}}); }
  /// Returns what the sink has returned so far.
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  friend Status resolve_all(std::span<const std::unique_ptr<Emitter>> emitters);
  static void drain(void* self, std::span<const match::Hit> hits);
  void take(std::span<const match::Hit> hits);
  void add(const match::Hit& hit);

  const JoinedSets& sets_;
  bool swapped_;
  size_t capacity_;  // hits in list_ before they are resolved
  const PairSink& sink_;
  const Context& context_;
  int thread_;
  const Rules* rules_;
  Status status_;                     // the first failure; nothing is taken after it
  HitList list_;                      // where the positions are not known: hits to be looked up
  std::optional<PairWriter> writer_;  // where the positions are known
  std::vector<match::Hit> new_hits_;  // those of a buffer that no rule drops; memory used again
  match::HitBuffer hits_;
};

/// Delivers what the emitters of all threads of one join still hold, on as many threads.
/// Errors: kCancelled, what a sink has returned.
[[nodiscard]] Status resolve_all(std::span<const std::unique_ptr<Emitter>> emitters);

/// The threads that work on a problem: all of them, or one inside a larger parallel loop.
struct EmitterCrew {
  int num_threads = 1;
  std::span<const std::unique_ptr<Emitter>> emitters;  // one for each thread
  [[nodiscard]] Emitter& emitter(int thread) const { return *emitters[static_cast<size_t>(thread)]; }
  /// The crew of one of its threads.
  [[nodiscard]] EmitterCrew alone(int thread) const { return {1, emitters.subspan(static_cast<size_t>(thread), 1)}; }
};

}  // namespace neardup::join
