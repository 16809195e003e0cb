#include "neardup/lines/solve_parts.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <vector>

#include "neardup/base/disk/folders.h"
#include "neardup/base/hash.h"
#include "neardup/base/threads.h"

namespace neardup::lines {
namespace {

/// Keys that still meet after so many hashes are held in memory, however many they are.
constexpr uint64_t kDeepest = 4;

class PartSolver {
 public:
  PartSolver(const PartWork& work, uint64_t set_bytes, VerdictFile& verdicts)
      : work_(work), set_bytes_(set_bytes), verdicts_(verdicts) {}

  Status solve(PartFile& file, uint64_t level) {
    if (file.empty()) return {};
    std::optional<PartFiles> smaller;
    NEARDUP_TRY(solve_what_fits(file, level, smaller));
    NEARDUP_TRY(remove_all(file.path()));
    if (!smaller) return {};
    for (size_t part = 0; part < kNumParts; ++part) {
      NEARDUP_TRY((*smaller)[part].finish());
      NEARDUP_TRY(solve((*smaller)[part], level + 1));
    }
    return {};
  }

 private:
  Status solve_what_fits(const PartFile& file, uint64_t level, std::optional<PartFiles>& smaller) {
    LineSet set(work_.hold);
    verdicts_.begin_list();
    NEARDUP_ASSIGN(PartReader reader, PartReader::open(file.path(), kReadBytes));
    while (true) {
      NEARDUP_TRY(work_.context.check_cancel());
      NEARDUP_ASSIGN(const bool more, reader.next(records_));
      if (!more) break;
      const uint64_t bytes = make_keys(level);
      if (!smaller && level < kDeepest && set.most_bytes(keys_.size(), bytes) > set_bytes_)
        smaller.emplace(file.path(), static_cast<size_t>(work_.buffer_bytes));
      NEARDUP_TRY(smaller ? look_up(set, *smaller) : add(set));
    }
    return work_.hold == Hold::kCounts ? write_counts(set) : Status();
  }

  uint64_t make_keys(uint64_t level) {
    keys_.clear();
    uint64_t bytes = 0;
    for (size_t i = 0; i < records_.size(); ++i) {
      const std::string_view key = records_[i].key;
      LineKey& made = keys_.emplace_back(hash64(key, work_.seed + level), key, i);
      if (work_.hold == Hold::kHashes) std::memcpy(&made.data, key.data() + sizeof made.hash, sizeof made.data);
      bytes += key.size();
    }
    return bytes;
  }

  Status add(LineSet& set) {
    Status added;
    set.add(
        keys_, false, [&](const LineKey& key) { return records_[key.index].position; }, [](const LineKey&) {},
        [&](const LineKey& key) {
          const uint64_t position = records_[key.index].position;
          if (work_.hold != Hold::kCounts && added && work_.wanted(position, 1)) added = verdicts_.add({position, 1});
        });
    return added;
  }

  Status look_up(LineSet& set, PartFiles& smaller) {
    Status added;
    set.look_up(keys_, [&](const LineKey& key) {
      const PartRecord& record = records_[key.index];
      if (added) added = smaller[part_of_hash(key.hash)].add(record.position, record.key);
    });
    return added;
  }

  Status write_counts(const LineSet& set) {
    Status added;
    set.each([&](uint64_t position, uint64_t count) {
      if (added && work_.wanted(position, count)) added = verdicts_.add({position, count});
    });
    return added;
  }

  static constexpr size_t kReadBytes = size_t{1} << 18;

  const PartWork& work_;
  uint64_t set_bytes_;
  VerdictFile& verdicts_;
  std::vector<PartRecord> records_;
  std::vector<LineKey> keys_;
};

}  // namespace

Status solve_parts(const PartWork& work, PartFiles& parts, std::span<VerdictFile> verdicts) {
  uint64_t all = 0, done = 0;
  for (size_t part = 0; part < kNumParts; ++part) all += parts[part].num_keys();
  Progress* const progress = work.context.progress;
  std::mutex mutex;
  if (progress != nullptr) progress->begin_stage("compare", "lines", 0, all);
  NEARDUP_TRY(parallel_for(static_cast<int>(verdicts.size()), kNumParts, [&](size_t part, int thread) -> Status {
    const uint64_t keys = parts[part].num_keys();
    PartSolver solver(work, work.set_bytes / verdicts.size(), verdicts[static_cast<size_t>(thread)]);
    NEARDUP_TRY(solver.solve(parts[part], 1));
    const std::lock_guard lock(mutex);
    done += keys;
    if (progress != nullptr) progress->advance(0, done);
    return {};
  }));
  if (progress != nullptr) progress->end_stage();
  return {};
}

}  // namespace neardup::lines
