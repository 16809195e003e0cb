// From hits, pairs of fingerprint values, to pairs of positions, in blocks for the sink.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "neardup/base/context.h"
#include "neardup/fingerprint/value.h"
#include "neardup/join/pair.h"
#include "neardup/join/positions.h"
#include "neardup/match/hits.h"

namespace neardup::join {

/// The sets (or parts of them) that a join is about. Both are the same in a self join.
struct JoinedSets {
  std::span<const fingerprint::Fingerprint> left;
  std::span<const fingerprint::Fingerprint> right;
  bool self = false;
  uint64_t left_begin = 0;  // added to the positions
  uint64_t right_begin = 0;
};

/// Turns hits into pairs and hands them on in blocks. A hit of a value with itself stands for all pairs among its
/// positions. Threads: one.
class PairWriter {
 public:
  /// `left` and `right` must know all values of the hits; in a self join they are the same.
  PairWriter(const JoinedSets& sets, const ValuePositions& left, const ValuePositions& right, const PairSink& sink,
             int thread, const Context& context);

  /// Errors: kCancelled, what the sink has returned.
  [[nodiscard]] Status write(std::span<const match::Hit> hits);
  /// Hands on the last pairs.
  [[nodiscard]] Status finish();

 private:
  // The last look-ups: in clusters the same few values come again and again.
  struct Memo {
    fingerprint::Fingerprint key = 0;
    size_t index = SIZE_MAX;
  };
  static constexpr int kMemoBits = 8;
  using Memos = std::array<Memo, size_t{1} << kMemoBits>;
  static size_t find(const ValuePositions& positions, fingerprint::Fingerprint key, Memos& memos);
  void prefetch(std::span<const match::Hit> batch) const;
  void expand(const match::Hit& hit);
  void push(uint64_t x, uint64_t y, uint32_t distance);
  void deliver();

  const JoinedSets& sets_;
  const ValuePositions& left_;
  const ValuePositions& right_;
  const PairSink& sink_;
  int thread_;
  const Context& context_;
  Status status_;
  std::vector<Pair> pairs_;
  Memos left_memos_, right_memos_;
};

}  // namespace neardup::join
