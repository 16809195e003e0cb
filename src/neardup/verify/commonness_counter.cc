#include "neardup/verify/commonness_counter.h"

#include "neardup/base/threads.h"

namespace neardup::verify {

CommonnessCounter::CommonnessCounter(Commonness& table, int num_threads)
    : table_(table),
      most_waiting_(table.size_bytes() / 2 / kParts / sizeof(uint32_t)),
      stages_(static_cast<size_t>(num_threads)),
      parts_(kParts) {
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

void CommonnessCounter::hand_over(Stage& stage, size_t part) {
  const std::span<const uint32_t> hashes = staged(stage, part);
  stage.sizes[part] = 0;
  std::vector<uint32_t>& waiting = parts_[part].waiting;
  const std::lock_guard lock(parts_[part].mutex);
  if (most_waiting_ < kStaged) return table_.raise(hashes);  // a small table is in the cache anyway
  if (waiting.empty()) waiting.reserve(most_waiting_);
  waiting.insert(waiting.end(), hashes.begin(), hashes.end());
  if (waiting.size() + kStaged <= most_waiting_) return;
  table_.raise(waiting);
  waiting.clear();
}

Status CommonnessCounter::finish() {
  for (const Stage& stage : stages_) {
    table_.num_texts_ += stage.num_texts;
    table_.num_added_ += stage.num_added;
  }
  return parallel_for(static_cast<int>(stages_.size()), kParts, [this](size_t part, int) -> Status {
    table_.raise(parts_[part].waiting);
    for (const Stage& stage : stages_) table_.raise(staged(stage, part));
    return {};
  });
}

}  // namespace neardup::verify
