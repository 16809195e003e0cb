// Each thread collects in a buffer of its own, without a lock. A full buffer is sorted, and becomes a run on disk where
// summing has not made room. What is delivered is the merge of all runs and buffers.
#include "neardup/join/disk/keyed_sorter.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "neardup/base/base.h"
#include "neardup/base/threads.h"
#include "neardup/join/disk/run_files.h"

namespace neardup::join {
namespace {

using Records = std::span<const KeyedValue>;

constexpr uint64_t kLeastThreadBytes = uint64_t{64} << 10;
constexpr size_t kBlock = size_t{1} << 12;

// The sort takes 128-bit numbers with the more significant half behind.
static_assert(sizeof(KeyedValue) == sizeof(hwy::uint128_t));

void sort_keyed(std::vector<KeyedValue>& records, EqualKeys equal_keys) {
  constexpr size_t kFew = 256;
  if (records.size() < kFew) {
    std::ranges::sort(records);
  } else {
    hwy::Sorter()(reinterpret_cast<hwy::uint128_t*>(records.data()), records.size(), hwy::SortAscending());
  }
  if (equal_keys == EqualKeys::kAll || records.empty()) return;
  size_t last = 0;
  for (size_t i = 1; i < records.size(); ++i) {
    if (records[i].key == records[last].key) {
      records[last].value += records[i].value;
    } else {
      records[++last] = records[i];
    }
  }
  records.resize(last + 1);
}

/// Merges runs, a block at a time.
class BlockMerge {
 public:
  BlockMerge(std::vector<RunReader<KeyedValue>> runs, EqualKeys equal_keys)
      : runs_(std::move(runs)), equal_keys_(equal_keys) {}

  Status begin() { return runs_.begin(); }

  /// Returns the next records; empty at the end.
  Result<Records> next() {
    block_.clear();
    while (!runs_.empty() && (block_.size() < kBlock || adds_to_last())) {
      if (adds_to_last()) {
        block_.back().value += runs_.front().value;
      } else {
        block_.push_back(runs_.front());
      }
      NEARDUP_TRY(runs_.pop());
    }
    return Records(block_);
  }

 private:
  [[nodiscard]] bool adds_to_last() const {
    return equal_keys_ == EqualKeys::kSum && !block_.empty() && block_.back().key == runs_.front().key;
  }

  RunMerge<KeyedValue> runs_;
  const EqualKeys equal_keys_;
  std::vector<KeyedValue> block_;
};

}  // namespace

struct KeyedSorter::Impl {
  using Lane = RunLane<KeyedValue>;

  Impl(std::string prefix, uint64_t memory, int num_threads, EqualKeys equals)
      : memory_bytes(memory), equal_keys(equals), lanes(static_cast<size_t>(num_threads)), files(std::move(prefix)) {
    // Two thirds, because a buffer that grows stands twice, and less than that when it grows to its end.
    lane_capacity = static_cast<size_t>(memory_bytes / 3 * 2 / sizeof(KeyedValue) / lanes.size());
  }

  Status make_room(Lane& lane) {
    return files.make_room(lane, lane_capacity,
                           [this](std::vector<KeyedValue>& records) { sort_keyed(records, equal_keys); });
  }

  Status finish() {
    NEARDUP_TRY(parallel_for(static_cast<int>(lanes.size()), lanes.size(), [this](size_t lane, int) -> Status {
      sort_keyed(lanes[lane].records, equal_keys);
      return {};
    }));
    std::vector<RunReader<KeyedValue>> readers;
    if (std::ranges::none_of(lanes, [](const Lane& lane) { return lane.file.has_value(); })) {
      for (const Lane& lane : lanes) readers.emplace_back(Records(lane.records));
    } else {
      NEARDUP_ASSIGN(std::vector<FileRun> runs, files.spill_all(lanes));
      const size_t fan_in = merge_fan_in(memory_bytes);
      while (runs.size() > fan_in) {
        NEARDUP_ASSIGN(runs, files.merge_level(runs, fan_in, [this](std::span<const FileRun> group, auto& output) {
          return append_merged(group, output);
        }));
      }
      readers = readers_of<KeyedValue>(runs, memory_bytes);
    }
    merge.emplace(std::move(readers), equal_keys);
    return merge->begin();
  }

  Status append_merged(std::span<const FileRun> group, ScratchFile<KeyedValue>& output) const {
    BlockMerge merged(readers_of<KeyedValue>(group, memory_bytes), equal_keys);
    NEARDUP_TRY(merged.begin());
    while (true) {
      NEARDUP_ASSIGN(const Records block, merged.next());
      if (block.empty()) return {};
      NEARDUP_TRY(output.append(block));
    }
  }

  uint64_t memory_bytes;
  EqualKeys equal_keys;
  size_t lane_capacity = 0;
  std::vector<Lane> lanes;
  RunFiles<KeyedValue> files;
  std::optional<BlockMerge> merge;
};

Result<KeyedSorter> KeyedSorter::create(std::string prefix, uint64_t memory_bytes, int num_threads,
                                        EqualKeys equal_keys) {
  const uint64_t memory = std::max(memory_bytes, kLeastThreadBytes * static_cast<uint64_t>(num_threads));
  return KeyedSorter(std::make_unique<Impl>(std::move(prefix), memory, num_threads, equal_keys));
}

KeyedSorter::KeyedSorter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
KeyedSorter::KeyedSorter(KeyedSorter&& other) noexcept = default;
KeyedSorter& KeyedSorter::operator=(KeyedSorter&& other) noexcept = default;
KeyedSorter::~KeyedSorter() = default;

Status KeyedSorter::add(std::span<const KeyedValue> records, int thread) {
  Impl::Lane& lane = impl_->lanes[static_cast<size_t>(thread)];
  for (const KeyedValue& record : records) {
    if (lane.records.size() == lane.records.capacity()) NEARDUP_TRY(impl_->make_room(lane));
    lane.records.push_back(record);
  }
  return {};
}

Status KeyedSorter::finish() { return impl_->finish(); }
Result<std::span<const KeyedValue>> KeyedSorter::next() { return impl_->merge->next(); }

}  // namespace neardup::join
