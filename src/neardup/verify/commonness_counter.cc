// A counter is half a byte at a random place of a large table, so raising one alone is a miss. Hashes wait by part of
// the table until there are so many that a part's counters are in the core's cache when they are raised: half of the
// time (docs/design/content.md, "What it costs"; bench/DEAD_ENDS.md has the sizes).
// Raising is addition that stops at a limit: it knows no order, so counts are the same for any threads. A lock for each
// part, and no byte has counters of two.
#include "neardup/verify/commonness_counter.h"

#include <algorithm>

#include "neardup/base/threads.h"

namespace neardup::verify {

CommonnessCounter::CommonnessCounter(Commonness& table, int num_threads)
    : table_(table),
      most_waiting_(table.size_bytes() / 2 / kParts / sizeof(uint32_t)),
      stages_(static_cast<size_t>(num_threads)),
      parts_(kParts),
      waiting_(kParts * most_waiting_) {
  static_assert(Commonness::kLeastCounters >= 2 * kParts, "no byte has counters of two parts");
  for (Stage& stage : stages_) stage.hashes.resize(kParts * kStaged);
}

void CommonnessCounter::add(std::span<const uint32_t> hashes, int thread) {
  Stage& stage = stages_[static_cast<size_t>(thread)];
  ++stage.num_texts;
  stage.num_added += hashes.size();
  for (const uint32_t hash : hashes) {
    const size_t part = hash >> (32 - kPartBits);
    stage.hashes[part * kStaged + stage.sizes[part]++] = hash;
    if (stage.sizes[part] == kStaged) hand_over(stage, part);
  }
}

std::span<const uint32_t> CommonnessCounter::staged(const Stage& stage, size_t part) {
  return std::span(stage.hashes).subspan(part * kStaged, stage.sizes[part]);
}

std::span<const uint32_t> CommonnessCounter::waiting(size_t part) const {
  return std::span(waiting_).subspan(part * most_waiting_, parts_[part].num_waiting);
}

void CommonnessCounter::hand_over(Stage& stage, size_t part) {
  const std::span<const uint32_t> hashes = staged(stage, part);
  stage.sizes[part] = 0;
  size_t& num_waiting = parts_[part].num_waiting;
  const std::lock_guard lock(parts_[part].mutex);
  if (most_waiting_ < kStaged) return table_.raise(hashes);  // a small table is in the cache anyway
  std::ranges::copy(hashes, waiting_.begin() + static_cast<std::ptrdiff_t>(part * most_waiting_ + num_waiting));
  num_waiting += hashes.size();
  if (num_waiting + kStaged <= most_waiting_) return;
  table_.raise(waiting(part));
  num_waiting = 0;
}

Status CommonnessCounter::finish() {
  for (const Stage& stage : stages_) {
    table_.num_texts_ += stage.num_texts;
    table_.num_added_ += stage.num_added;
  }
  return parallel_for(static_cast<int>(stages_.size()), kParts, [this](size_t part, int) -> Status {
    table_.raise(waiting(part));
    for (const Stage& stage : stages_) table_.raise(staged(stage, part));
    return {};
  });
}

}  // namespace neardup::verify
