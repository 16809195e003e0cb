// Each thread collects in a buffer of its own, without a lock. A full buffer is sorted, and becomes a run on disk where
// summing has not made room. What is delivered is the merge of all runs and buffers.
#include "neardup/join/disk/keyed_sorter.h"

#include <fmt/format.h>
#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

#include "neardup/base/base.h"
#include "neardup/base/bytes.h"
#include "neardup/base/disk/file.h"
#include "neardup/base/disk/folders.h"
#include "neardup/base/threads.h"

namespace neardup::join {
namespace {

using Records = std::span<const KeyedValue>;

constexpr uint64_t kLeastThreadBytes = uint64_t{64} << 10;
constexpr uint64_t kLeastReadBytes = uint64_t{32} << 10;  // of a run, while merging
constexpr uint64_t kMostReadBytes = uint64_t{1} << 20;
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

/// A file of runs; it is removed with the object.
class RunsFile {
 public:
  [[nodiscard]] static Result<RunsFile> create(std::string path) {
    NEARDUP_ASSIGN(AppendFile file, AppendFile::open(path, 0));
    return RunsFile(std::move(path), std::move(file));
  }
  RunsFile(RunsFile&& other) noexcept = default;
  RunsFile& operator=(RunsFile&& other) = delete;
  ~RunsFile() {
    reading_.reset();
    writing_.reset();
    if (!path_.empty()) remove_all_quietly(path_);  // nobody is left to tell
  }

  Status append(Records records) {
    num_records_ += records.size();
    return writing_->append(bytes_of(records));
  }
  [[nodiscard]] uint64_t num_records() const { return num_records_; }
  Result<std::shared_ptr<const ReadFile>> reader() {
    if (reading_) return reading_;
    NEARDUP_TRY(writing_->flush());
    writing_.reset();
    NEARDUP_ASSIGN(ReadFile file, ReadFile::open(path_));
    reading_ = std::make_shared<const ReadFile>(std::move(file));
    return reading_;
  }

 private:
  RunsFile(std::string path, AppendFile file) : path_(std::move(path)), writing_(std::move(file)) {}

  std::string path_;
  std::optional<AppendFile> writing_;
  std::shared_ptr<const ReadFile> reading_;
  uint64_t num_records_ = 0;
};

struct KeyedRun {
  std::shared_ptr<const ReadFile> file;
  uint64_t begin = 0, count = 0;  // records
};

/// A run that is read from its first record to its last.
class RunInput {
 public:
  explicit RunInput(Records in_memory) : current_(in_memory) {}
  RunInput(KeyedRun run, uint64_t buffer_bytes)
      : run_(std::move(run)), buffer_(static_cast<size_t>(std::min(buffer_bytes / sizeof(KeyedValue), run_.count))) {}

  /// Makes front() valid, or returns false at the end.
  [[nodiscard]] Result<bool> has_front() {
    if (!current_.empty()) return true;
    if (run_.count == 0) return false;
    const auto count = static_cast<size_t>(std::min<uint64_t>(buffer_.size(), run_.count));
    const std::span<KeyedValue> records = std::span(buffer_).first(count);
    NEARDUP_TRY(run_.file->read_exact_at(run_.begin * sizeof(KeyedValue), writable_bytes_of(records)));
    run_.begin += count;
    run_.count -= count;
    current_ = records;
    return true;
  }
  [[nodiscard]] const KeyedValue& front() const { return current_.front(); }
  void pop() { current_ = current_.subspan(1); }

 private:
  KeyedRun run_;  // what is not yet read
  std::vector<KeyedValue> buffer_;
  Records current_;
};

/// Merges runs, a block at a time.
class Merge {
 public:
  Merge(std::vector<RunInput> inputs, EqualKeys equal_keys) : inputs_(std::move(inputs)), equal_keys_(equal_keys) {}

  Status begin() {
    for (size_t input = 0; input < inputs_.size(); ++input) NEARDUP_TRY(push_front_of(input));
    return {};
  }

  Result<Records> next() {
    block_.clear();
    while (!heap_.empty() && (block_.size() < kBlock || is_open())) NEARDUP_TRY(take_least());
    return Records(block_);
  }

 private:
  struct Head {
    KeyedValue record;
    size_t input;
  };
  static bool is_later(const Head& a, const Head& b) { return a.record > b.record; }

  // A sum ends with its key.
  [[nodiscard]] bool is_open() const {
    return equal_keys_ == EqualKeys::kSum && heap_.front().record.key == block_.back().key;
  }

  Status take_least() {
    std::ranges::pop_heap(heap_, is_later);
    const Head head = heap_.back();
    heap_.pop_back();
    if (equal_keys_ == EqualKeys::kSum && !block_.empty() && block_.back().key == head.record.key) {
      block_.back().value += head.record.value;
    } else {
      block_.push_back(head.record);
    }
    return push_front_of(head.input);
  }

  Status push_front_of(size_t input) {
    NEARDUP_ASSIGN(const bool more, inputs_[input].has_front());
    if (!more) return {};
    heap_.push_back({inputs_[input].front(), input});
    inputs_[input].pop();
    std::ranges::push_heap(heap_, is_later);
    return {};
  }

  std::vector<RunInput> inputs_;
  const EqualKeys equal_keys_;
  std::vector<Head> heap_;
  std::vector<KeyedValue> block_;
};

}  // namespace

struct KeyedSorter::Impl {
  struct alignas(64) Lane {
    std::vector<KeyedValue> records;
    std::optional<RunsFile> file;
    std::vector<uint64_t> run_begins;
  };

  std::string prefix;
  uint64_t memory_bytes;
  size_t lane_capacity;
  EqualKeys equal_keys;
  std::vector<Lane> lanes;
  std::vector<RunsFile> files;  // that are merged
  std::optional<Merge> merge = {};
  std::atomic<int> num_files = 0;

  std::string new_path() { return fmt::format("{}.{}.tmp", prefix, num_files.fetch_add(1)); }

  // Lets a full buffer grow, or sums it up, or empties it into a run.
  Status make_room(Lane& lane) {
    const size_t size = lane.records.size();
    if (size < lane_capacity) {
      lane.records.reserve(std::min(lane_capacity, std::max<size_t>(1024, 2 * size)));
      return {};
    }
    sort_keyed(lane.records, equal_keys);
    return lane.records.size() <= lane_capacity / 4 * 3 ? Status() : spill(lane);
  }

  // Writes the sorted buffer as a run.
  Status spill(Lane& lane) {
    if (lane.records.empty()) return {};
    if (!lane.file) {
      NEARDUP_ASSIGN(auto file, RunsFile::create(new_path()));
      lane.file.emplace(std::move(file));
    }
    lane.run_begins.push_back(lane.file->num_records());
    NEARDUP_TRY(lane.file->append(lane.records));
    lane.records.clear();
    return {};
  }

  Status finish() {
    NEARDUP_TRY(parallel_for(static_cast<int>(lanes.size()), lanes.size(), [this](size_t lane, int) -> Status {
      sort_keyed(lanes[lane].records, equal_keys);
      return {};
    }));
    std::vector<RunInput> inputs;
    if (std::ranges::none_of(lanes, [](const Lane& lane) { return lane.file.has_value(); })) {
      for (const Lane& lane : lanes) inputs.emplace_back(Records(lane.records));
    } else {
      NEARDUP_ASSIGN(std::vector<KeyedRun> runs, spill_all());
      while (runs.size() > most_runs()) {
        NEARDUP_ASSIGN(runs, merge_level(runs));
      }
      inputs = inputs_of(runs);
    }
    merge.emplace(std::move(inputs), equal_keys);
    return merge->begin();
  }

  [[nodiscard]] size_t most_runs() const {
    return static_cast<size_t>(std::clamp<uint64_t>(memory_bytes / kLeastReadBytes, 2, 1024));
  }

  [[nodiscard]] std::vector<RunInput> inputs_of(std::span<const KeyedRun> runs) const {
    const uint64_t each = std::clamp(memory_bytes / runs.size(), kLeastReadBytes, kMostReadBytes);
    std::vector<RunInput> inputs;
    for (const KeyedRun& run : runs) inputs.emplace_back(run, each);
    return inputs;
  }

  // Puts the rest of every lane on disk, frees the buffers and returns all runs.
  Result<std::vector<KeyedRun>> spill_all() {
    std::vector<KeyedRun> runs;
    for (Lane& lane : lanes) {
      NEARDUP_TRY(spill(lane));
      std::vector<KeyedValue>().swap(lane.records);
      if (!lane.file) continue;
      NEARDUP_ASSIGN(const auto file, lane.file->reader());
      lane.run_begins.push_back(lane.file->num_records());
      for (size_t i = 0; i + 1 < lane.run_begins.size(); ++i)
        runs.push_back({file, lane.run_begins[i], lane.run_begins[i + 1] - lane.run_begins[i]});
      files.push_back(std::move(*lane.file));
      lane.file.reset();
    }
    return runs;
  }

  // Merges as many runs at a time as there is memory for, all into one new file, and removes the old ones.
  Result<std::vector<KeyedRun>> merge_level(const std::vector<KeyedRun>& runs) {
    NEARDUP_ASSIGN(auto output, RunsFile::create(new_path()));
    std::vector<std::pair<uint64_t, uint64_t>> places;
    for (size_t first = 0; first < runs.size(); first += most_runs()) {
      const uint64_t begin = output.num_records();
      Merge group(inputs_of(std::span(runs).subspan(first, std::min(most_runs(), runs.size() - first))), equal_keys);
      NEARDUP_TRY(group.begin());
      while (true) {
        NEARDUP_ASSIGN(const Records block, group.next());
        if (block.empty()) break;
        NEARDUP_TRY(output.append(block));
      }
      places.emplace_back(begin, output.num_records() - begin);
    }
    NEARDUP_ASSIGN(const auto file, output.reader());
    files.clear();
    files.push_back(std::move(output));
    std::vector<KeyedRun> merged;
    for (const auto& [begin, count] : places) merged.push_back({file, begin, count});
    return merged;
  }
};

Result<KeyedSorter> KeyedSorter::create(std::string prefix, uint64_t memory_bytes, int num_threads,
                                        EqualKeys equal_keys) {
  const auto threads = static_cast<uint64_t>(num_threads);
  const uint64_t memory = std::max(memory_bytes, kLeastThreadBytes * threads);
  // Two thirds, because a buffer that grows stands twice, and less than that when it grows to its end.
  const auto capacity = static_cast<size_t>(memory / 3 * 2 / sizeof(KeyedValue) / threads);
  std::unique_ptr<Impl> impl(new Impl{
      std::move(prefix), memory, capacity, equal_keys, std::vector<Impl::Lane>(static_cast<size_t>(num_threads)), {}});
  return KeyedSorter(std::move(impl));
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
