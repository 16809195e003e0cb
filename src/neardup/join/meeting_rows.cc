// Words of half a hash and a row (band_words.h) are sorted, band by band; only whether a row has company is kept. Rows
// are read in blocks, each once for all bands of a turn. Where a band is crowded, its words are more than there is room
// for: then those who have met already are put down, and one of each bucket stays to meet the next.
#include "neardup/join/meeting_rows.h"

#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include "neardup/base/threads.h"
#include "neardup/join/block_hashes.h"

namespace neardup::join {
namespace {

// What is put down of all rows, from any thread.
class MetRows {
 public:
  explicit MetRows(uint32_t num_rows) : num_rows_(num_rows), bits_(num_rows / 64 + 1) {}
  void set(uint32_t row) { bits_[row / 64].fetch_or(uint64_t{1} << row % 64, std::memory_order_relaxed); }
  [[nodiscard]] std::vector<uint32_t> all() const {
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < num_rows_; ++row)
      if ((bits_[row / 64].load(std::memory_order_relaxed) >> row % 64 & 1) != 0) rows.push_back(row);
    return rows;
  }

 private:
  const uint32_t num_rows_;
  std::vector<std::atomic<uint64_t>> bits_;
};

// The words of one part of a band. Threads: add() from many at once.
class PartWords {
 public:
  PartWords(size_t most_words, MetRows& met) : most_words_(most_words), met_(met) { words_.reserve(most_words); }

  void add(std::span<const uint64_t> words) {
    const std::scoped_lock lock(mutex_);
    if (words_.size() + words.size() > most_words_) settle();
    words_.insert(words_.end(), words.begin(), words.end());
  }

  // Puts down who has met, and keeps the first of each bucket.
  void settle() {
    hwy::Sorter()(words_.data(), words_.size(), hwy::SortAscending());
    size_t kept = 0;
    static_cast<void>(for_each_run(words_, [&](std::span<const uint64_t> run) -> Status {
      for (size_t i = 0; i < run.size() && run.size() > 1; ++i) met_.set(row_of_word(run[i]));
      words_[kept++] = run.front();
      return {};
    }));
    words_.resize(kept);
  }

 private:
  const size_t most_words_;
  MetRows& met_;
  std::mutex mutex_;
  std::vector<uint64_t> words_;
};

class Finder {
 public:
  Finder(const SignatureSource& source, std::span<const Band> bands, const MeetingMeans& means, const Context& context)
      : source_(source),
        bands_(bands),
        num_threads_(resolve_num_threads(means.num_threads)),
        context_(context),
        met_(source.count),
        lanes_(static_cast<size_t>(num_threads_), Lane{BlockHashes(source), {}}) {
    const uint64_t least_words = 4 * BlockHashes::kRows;
    while (part_words() * sizeof(uint64_t) > means.memory_bytes && source.count / num_parts_ > least_words)
      ++num_parts_;
    const size_t num_tasks = bands.size() * num_parts_;
    at_once_ = std::clamp<uint64_t>(means.memory_bytes / (part_words() * sizeof(uint64_t)), 1, num_tasks);
  }

  Result<std::vector<uint32_t>> run() {
    const size_t num_tasks = bands_.size() * num_parts_;
    for (size_t task = 0; task < num_tasks; task += at_once_)
      NEARDUP_TRY(take(task, std::min(task + at_once_, num_tasks)));
    return met_.all();
  }

 private:
  // What each thread works with.
  struct Lane {
    BlockHashes hashes;
    std::vector<uint64_t> words;
  };

  // Parts are of random size.
  [[nodiscard]] uint64_t part_words() const {
    return uint64_t{source_.count} / num_parts_ + source_.count / num_parts_ / 16 + 4 * uint64_t{BlockHashes::kRows};
  }

  // Task t is part t % num_parts_ of band t / num_parts_.
  Status take(size_t first_task, size_t end_task) {
    std::deque<PartWords> tasks;
    for (size_t task = first_task; task < end_task; ++task) tasks.emplace_back(part_words(), met_);
    NEARDUP_TRY(parallel_for(num_threads_, BlockHashes::num_blocks(source_), [&](size_t block, int thread) -> Status {
      NEARDUP_TRY(context_.check_cancel());
      return hand_out(static_cast<uint32_t>(block), first_task, tasks, lanes_[static_cast<size_t>(thread)]);
    }));
    return parallel_for(num_threads_, tasks.size(), [&](size_t i, int) -> Status {
      tasks[i].settle();
      return context_.check_cancel();
    });
  }

  // The words of one block of rows to all tasks.
  Status hand_out(uint32_t block, size_t first_task, std::deque<PartWords>& tasks, Lane& lane) const {
    NEARDUP_TRY(lane.hashes.load(block));
    const uint32_t first_row = lane.hashes.first_row();
    std::span<const uint64_t> hashes;
    for (size_t i = 0; i < tasks.size(); ++i) {
      const size_t band = (first_task + i) / num_parts_, part = (first_task + i) % num_parts_;
      if (i == 0 || part == 0) {
        NEARDUP_ASSIGN(hashes, lane.hashes.of(bands_[band]));
      }
      lane.words.clear();
      for (uint32_t row = 0; row < hashes.size(); ++row)
        if (uint64_t{static_cast<uint32_t>(hashes[row])} * num_parts_ >> 32 == part)
          lane.words.push_back(hashes[row] >> 32 << 32 | (first_row + row));
      tasks[i].add(lane.words);
    }
    return {};
  }

  const SignatureSource& source_;
  const std::span<const Band> bands_;
  const int num_threads_;
  const Context& context_;
  MetRows met_;
  std::vector<Lane> lanes_;
  uint32_t num_parts_ = 1;  // of a band
  size_t at_once_ = 1;      // parts of bands whose words are held at a time
};

}  // namespace

Result<std::vector<uint32_t>> find_meeting_rows(const SignatureSource& signatures, std::span<const Band> bands,
                                                const MeetingMeans& means, const Context& context) {
  return Finder(signatures, bands, means, context).run();
}

SignatureSource some_rows(const SignatureSource& source, std::span<const uint32_t> rows) {
  return {.count = static_cast<uint32_t>(rows.size()),
          .num_values = source.num_values,
          .values = nullptr,
          .read = [&source, rows](std::span<const uint32_t> which, uint16_t* values) -> Status {
            std::vector<uint32_t> of_source(which.size());
            std::ranges::transform(which, of_source.begin(), [rows](uint32_t row) { return rows[row]; });
            return source.read(of_source, values);
          }};
}

}  // namespace neardup::join
