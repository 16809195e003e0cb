// From a hit to all pairs of its positions. Hits come in no order, so each look-up is a miss: they are asked for a
// batch at a time, and the last few are remembered, as in clusters the same values come again and again.
// In a join of a set with itself a hit of a value with itself stands for each pair of its positions once (x < y).
#include "neardup/join/pair_writer.h"

#include <algorithm>

namespace neardup::join {
namespace {

using match::Hit;

constexpr size_t kWrittenPairs = 4096;
constexpr size_t kWriteBatch = 64;

}  // namespace

PairWriter::PairWriter(const JoinedSets& sets, const ValuePositions& left, const ValuePositions& right,
                       const PairSink& sink, int thread, const Context& context)
    : sets_(sets), left_(left), right_(right), sink_(sink), thread_(thread), context_(context) {
  pairs_.reserve(kWrittenPairs);
}

Status PairWriter::write(std::span<const Hit> hits) {
  for (size_t i = 0; i < hits.size() && status_; i += kWriteBatch) {
    const auto batch = hits.subspan(i, std::min(kWriteBatch, hits.size() - i));
    prefetch(batch);
    for (const Hit& hit : batch) expand(hit);
  }
  return status_;
}

Status PairWriter::finish() {
  deliver();
  return status_;
}

void PairWriter::prefetch(std::span<const Hit> batch) const {
  for (const Hit& hit : batch) {
    left_.prefetch_first(hit.a);
    right_.prefetch_first(hit.b);
  }
  for (const Hit& hit : batch) {
    left_.prefetch_second(hit.a);
    right_.prefetch_second(hit.b);
  }
}

size_t PairWriter::find(const ValuePositions& positions, fingerprint::Fingerprint key, Memos& memos) {
  Memo& memo = memos[key * 0x9e3779b97f4a7c15 >> (64 - kMemoBits)];
  if (memo.key != key || memo.index == SIZE_MAX) memo = {key, positions.values().lower_bound(key)};
  return memo.index;
}

void PairWriter::expand(const Hit& hit) {
  const size_t a = find(left_, hit.a, left_memos_), b = find(right_, hit.b, right_memos_);
  const auto distance = static_cast<uint32_t>(fingerprint::distance(hit.a, hit.b));
  left_.for_each(a, [&](uint32_t x) {
    right_.for_each(b, [&](uint32_t y) {
      if (hit.a != hit.b || !sets_.self) {
        push(sets_.left_begin + x, sets_.right_begin + y, distance);
      } else if (x < y) {
        push(sets_.left_begin + x, sets_.right_begin + y, 0);
      }
    });
  });
}

void PairWriter::push(uint64_t x, uint64_t y, uint32_t distance) {
  if (!status_) return;
  pairs_.push_back(sets_.self ? Pair{std::min(x, y), std::max(x, y), distance} : Pair{x, y, distance});
  if (pairs_.size() == kWrittenPairs) deliver();
}

void PairWriter::deliver() {
  if (status_) status_ = context_.check_cancel();
  if (status_ && !pairs_.empty()) status_ = sink_(pairs_, thread_);
  pairs_.clear();
}

}  // namespace neardup::join
