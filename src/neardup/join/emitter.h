// From hits (two fingerprint values) to pairs of positions, in blocks, for one thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/hamming/hits.h"
#include "neardup/join/distinct.h"
#include "neardup/join/join.h"
#include "neardup/join/plan.h"

namespace neardup::join {

/// Blocks whose tables came before: a pair that differs in at most `threshold` bits of one of them was met there.
using Rules = std::vector<Block>;

/// Takes the hits of one thread, drops those that an earlier table has met, and gives their pairs to the sink.
/// Threads: one.
class Emitter {
 public:
  /// For a self join left and right are the same object.
  Emitter(const Distinct& left, const Distinct& right, const PairSink& sink, const Context& context, int thread);
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  [[nodiscard]] hamming::HitBuffer& hits() { return hits_; }
  /// Hits from now on are judged by `rules`, which must outlive them.
  void set_rules(const Rules* rules);
  [[nodiscard]] const Rules& rules() const { return *rules_; }
  /// Gives the pairs among the positions of one distinct fingerprint of a self join.
  void emit_equal(std::span<const uint32_t> positions);
  /// Delivers what is buffered. Errors: what the sink has returned so far.
  [[nodiscard]] Status finish();
  [[nodiscard]] const Status& status() const { return status_; }

 private:
  static void drain(void* self, std::span<const hamming::Hit> hits);
  void take(std::span<const hamming::Hit> hits);
  [[nodiscard]] bool met_before(const hamming::Hit& hit) const;
  void emit(const hamming::Hit& hit);
  void push(const Pair& pair);

  // The last look-ups: in clusters the same few fingerprints come again and again.
  struct Memo {
    fingerprint::Fingerprint key = 0;
    size_t index = SIZE_MAX;
  };
  using Memos = std::array<Memo, 256>;
  static size_t find(const Distinct& set, fingerprint::Fingerprint key, Memos& memos);
  void deliver();

  const Distinct& left_;
  const Distinct& right_;
  const PairSink& sink_;
  const Context& context_;
  int thread_;
  const Rules* rules_;
  Status status_;
  std::vector<Pair> pairs_;
  std::vector<hamming::Hit> new_hits_;
  Memos left_memos_, right_memos_;
  hamming::HitBuffer hits_;
};

}  // namespace neardup::join
