// First whole signatures that are equal: the first of them stands for all from then on. Then band by band: a pair is
// delivered in the first band where it meets, which its own mask of equal values tells.
#include "neardup/join/banding.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "neardup/base/threads.h"
#include "neardup/fingerprint/equal_values.h"
#include "neardup/join/block_hashes.h"
#include "neardup/join/budget.h"

namespace neardup::join {
namespace {

constexpr size_t kTileRows = 128;   // signatures that a thread holds of one side of a bucket
constexpr size_t kItemWords = 512;  // small buckets that make one piece of work
constexpr size_t kBlockPairs = 1024;
constexpr uint32_t kNone = UINT32_MAX;
constexpr uint64_t kWordBytes = 12;  // a word, and half a one for what is kept of them where few are

// A piece of work: the buckets in words[begin, end) of a task. Of a large bucket: its rows [tile, tile + kTileRows)
// against one another and against those behind them.
struct Item {
  size_t task = 0;
  size_t begin = 0;
  size_t end = 0;
  size_t tile = 0;
  bool is_large = false;
};

// Rows of a bucket with their signatures.
struct Tile {
  std::vector<uint32_t> rows;
  std::vector<uint16_t> values;
};

// What each thread works with.
struct Lane {
  Tile left, right;
  std::vector<size_t> met;  // bands in which a pair meets, up to the one that is looked at
  std::vector<Pair> pairs;
};

class BandJoin {
 public:
  BandJoin(const SignatureSource& signatures, const BandingOptions& options, const PairSink& sink)
      : signatures_(signatures),
        options_(options),
        sink_(sink),
        num_threads_(resolve_num_threads(options.num_threads)),
        width_(static_cast<size_t>(signatures.num_values)),
        meter_(options.context.progress, signatures.count),
        lanes_(static_cast<size_t>(num_threads_)) {
    for (const Band& band : options.bands) masks_.emplace_back(band);
  }

  Status run();

 private:
  Status plan_parts();
  Status find_equal();
  Status unite_equal(std::span<uint64_t> run, int thread);
  Status join_bands(size_t first_task, size_t num_tasks);
  void cut(size_t task, size_t band, std::vector<Item>& items);
  void sort_by_root(std::span<uint64_t> run) const;
  [[nodiscard]] bool is_unwanted(uint32_t a, uint32_t b) const;
  [[nodiscard]] bool are_unwanted(std::span<const uint64_t> left, std::span<const uint64_t> right) const;
  Status work_on_tiles(std::span<const uint64_t> words, size_t first, size_t band, int thread);
  Status work(const Item& item, size_t band, int thread);
  Status load(std::span<const uint64_t> words, Tile& tile) const;
  Status compare_within(const Tile& tile, size_t band, int thread);
  Status compare_between(const Tile& left, const Tile& right, size_t band, int thread);
  Status compare(const uint16_t* a, const uint16_t* b, Pair pair, size_t band, int thread);
  Status deliver_behind(uint32_t first, uint32_t others, uint32_t distance, int thread);
  Status push(const Pair& pair, int thread);
  Status flush(int thread);
  [[nodiscard]] bool is_late(uint64_t row, size_t band) const {
    return options_.late != nullptr && options_.late->at(static_cast<uint32_t>(row), band);
  }
  [[nodiscard]] bool is_late_everywhere(uint32_t row) const;
  [[nodiscard]] bool are_late(std::span<const uint64_t> words, size_t band) const;
  [[nodiscard]] bool only_unjoined() const { return options_.joined.sets != nullptr; }
  Lane& lane(int thread) { return lanes_[static_cast<size_t>(thread)]; }
  const uint16_t* row(const Tile& tile, size_t i) const { return tile.values.data() + i * width_; }

  const SignatureSource& signatures_;
  const BandingOptions& options_;
  const PairSink& sink_;
  const int num_threads_;
  const size_t width_;
  Meter meter_;
  std::vector<ValueMask> masks_;
  std::vector<Lane> lanes_;
  std::vector<std::vector<uint64_t>> words_;  // of the tasks of a round
  uint32_t num_parts_ = 1;                    // of a band
  size_t round_tasks_ = 1;                    // parts of bands whose words are held at a time
  std::vector<uint32_t> leaders_;             // of each row: the first row with an equal signature
  std::vector<uint32_t> next_equal_;          // of each row: the next one with an equal signature; kNone at the end
};

// Cuts bands into parts so that the words of one part for each thread fit, and takes as many at a time as fit then.
Status BandJoin::plan_parts() {
  const uint64_t rows = signatures_.count, threads = static_cast<uint64_t>(num_threads_);
  round_tasks_ = 4 * threads;
  if (options_.memory_bytes == 0) return {};
  const uint64_t least = least_banding_bytes(rows, signatures_.num_values, num_threads_);
  if (options_.memory_bytes < least) {
    return fail(Code::kMemory, fmt::format("joining {} signatures takes at least {} MiB, {} MiB are allowed; raise the "
                                           "limit of memory, or use fewer threads",
                                           rows, (least >> 20) + 1, options_.memory_bytes >> 20));
  }
  const uint64_t band_bytes = kWordBytes * rows;  // where all rows are in one part: the same for any number of parts
  const uint64_t free_bytes = options_.memory_bytes - least + band_bytes + (uint64_t{1} << 20);
  // A vector that grows stands twice in memory for a moment, and parts are of random size.
  const auto part_bytes = [&] { return 20 * rows / num_parts_ + 4096; };
  while (part_bytes() * threads > free_bytes && part_bytes() > 2 * 4096) ++num_parts_;
  round_tasks_ = std::clamp<uint64_t>(free_bytes / part_bytes(), threads, round_tasks_);
  const uint64_t num_bands = std::max<uint64_t>(1, free_bytes / (band_bytes + 1));
  round_tasks_ = std::min<uint64_t>(round_tasks_, num_bands * num_parts_);
  if (round_tasks_ > num_parts_) round_tasks_ -= round_tasks_ % num_parts_;
  return {};
}

Status BandJoin::run() {
  if (signatures_.count < 2) return {};
  NEARDUP_TRY(plan_parts());
  meter_.set_tasks((options_.bands.size() + (only_unjoined() ? 0 : 1)) * num_parts_);
  NEARDUP_TRY(find_equal());
  const size_t num_tasks = options_.bands.size() * num_parts_;
  for (size_t task = 0; task < num_tasks;) {
    const size_t left = round_tasks_ < num_parts_ ? num_parts_ - task % num_parts_ : num_tasks - task;
    const size_t count = std::min(round_tasks_, left);
    NEARDUP_TRY(join_bands(task, count));
    task += count;
  }
  return {};
}

Status BandJoin::find_equal() {
  leaders_.resize(signatures_.count);
  std::iota(leaders_.begin(), leaders_.end(), 0);
  next_equal_.assign(signatures_.count, kNone);
  if (only_unjoined()) return {};  // equal ones meet in the first band, and are joined there
  Band all(width_);
  std::iota(all.begin(), all.end(), uint16_t{0});
  return parallel_for(num_threads_, num_parts_, [&](size_t part, int thread) -> Status {
    std::vector<uint64_t> words;
    const RowChoice choice{.part = static_cast<uint32_t>(part), .num_parts = num_parts_};
    NEARDUP_TRY(find_bucket_words(signatures_, all, choice, options_.context, words));
    NEARDUP_TRY(for_each_run(words, [&](std::span<const uint64_t> run) -> Status {
      return unite_equal(std::span(words).subspan(static_cast<size_t>(run.data() - words.data()), run.size()), thread);
    }));
    meter_.add(1);
    return flush(thread);
  });
}

// Chains the rows of a run that are equal and delivers their pairs. Nearly always all of a run are.
Status BandJoin::unite_equal(std::span<uint64_t> run, int thread) {
  Lane& lane = this->lane(thread);
  while (run.size() > 1) {
    NEARDUP_TRY(load(run.first(1), lane.left));
    const uint32_t leader = lane.left.rows[0];
    uint32_t last = leader;
    size_t others = 0;  // that equal another row, moved to the front
    for (size_t first = 1; first < run.size(); first += kTileRows) {
      const size_t count = std::min(kTileRows, run.size() - first);
      NEARDUP_TRY(load(run.subspan(first, count), lane.right));
      for (size_t i = 0; i < count; ++i) {
        if (!std::equal(row(lane.left, 0), row(lane.left, 1), row(lane.right, i))) {
          run[others++] = run[first + i];
          continue;
        }
        leaders_[lane.right.rows[i]] = leader;
        last = next_equal_[last] = lane.right.rows[i];
      }
    }
    run = run.first(others);
    for (uint32_t a = leader; a != kNone && !is_late_everywhere(a); a = next_equal_[a]) {
      NEARDUP_TRY(options_.context.check_cancel());
      for (uint32_t b = next_equal_[a]; b != kNone; b = next_equal_[b]) NEARDUP_TRY(push({a, b, 0}, thread));
    }
  }
  return {};
}

// Task t is part t % num_parts_ of band t / num_parts_.
Status BandJoin::join_bands(size_t first_task, size_t num_tasks) {
  words_.resize(num_tasks);
  NEARDUP_TRY(parallel_for(num_threads_, num_tasks, [&](size_t i, int) -> Status {
    const size_t task = first_task + i;
    const RowChoice choice{static_cast<uint32_t>(task % num_parts_), num_parts_, leaders_};
    NEARDUP_TRY(find_bucket_words(signatures_, options_.bands[task / num_parts_], choice, options_.context, words_[i]));
    if (words_[i].size() <= words_[i].capacity() / 2) words_[i].shrink_to_fit();
    return {};
  }));
  std::vector<Item> items;
  for (size_t i = 0; i < num_tasks; ++i) cut(i, (first_task + i) / num_parts_, items);
  NEARDUP_TRY(parallel_for(num_threads_, items.size(), [&](size_t i, int thread) -> Status {
    NEARDUP_TRY(options_.context.check_cancel());
    NEARDUP_TRY(work(items[i], (first_task + items[i].task) / num_parts_, thread));
    return flush(thread);
  }));
  for (size_t i = 0; i < num_tasks; ++i) meter_.add(1);
  return {};
}

bool BandJoin::is_late_everywhere(uint32_t row) const {
  for (size_t band = 0; band < options_.bands.size(); ++band)
    if (!is_late(row, band)) return false;
  return true;
}

bool BandJoin::are_late(std::span<const uint64_t> words, size_t band) const {
  return std::ranges::all_of(words, [&](uint64_t word) { return is_late(row_of_word(word), band); });
}

// Cuts the words of a task, which is of `band`, where buckets end, and large buckets by tiles.
void BandJoin::cut(size_t task, size_t band, std::vector<Item>& items) {
  const std::span<uint64_t> words = words_[task];
  size_t begin = 0, at = 0;  // small buckets from `begin` on make no item yet
  const auto close = [&] {
    if (begin < at) items.push_back({.task = task, .begin = begin, .end = at});
    begin = at;
  };
  static_cast<void>(for_each_run(words, [&](std::span<const uint64_t> run) -> Status {
    if (run.size() > kTileRows) {
      close();
      if (only_unjoined()) sort_by_root(words.subspan(at, run.size()));
      for (size_t tile = 0; tile < run.size(); tile += kTileRows) {
        if (are_late(run.subspan(tile, std::min(kTileRows, run.size() - tile)), band)) continue;
        items.push_back({.task = task, .begin = at, .end = at + run.size(), .tile = tile, .is_large = true});
      }
      begin = at + run.size();
    }
    at += run.size();
    if (at - begin >= kItemWords) close();
    return {};
  }));
  close();
}

// Puts side by side what is joined already: the root takes the place of the hash, which has done its work.
void BandJoin::sort_by_root(std::span<uint64_t> run) const {
  for (uint64_t& word : run) word = uint64_t{options_.joined.root_of(row_of_word(word))} << 32 | row_of_word(word);
  std::ranges::sort(run);
}

bool BandJoin::is_unwanted(uint32_t a, uint32_t b) const {
  const GrowingSets& joined = options_.joined;
  return (a < joined.num_given && b < joined.num_given) || joined.root_of(a) == joined.root_of(b);
}

// Whether no pair of the rows on both sides is wanted.
bool BandJoin::are_unwanted(std::span<const uint64_t> left, std::span<const uint64_t> right) const {
  if (!only_unjoined()) return false;
  const auto root = [](uint64_t word) { return static_cast<uint32_t>(word >> 32); };  // as it was, see sort_by_root()
  const uint32_t first = root(left.front());
  if (first == root(left.back()) && first == root(right.front()) && first == root(right.back())) return true;
  const auto all = [&](auto&& holds) { return std::ranges::all_of(left, holds) && std::ranges::all_of(right, holds); };
  if (all([this](uint64_t word) { return row_of_word(word) < options_.joined.num_given; })) return true;
  const uint32_t now = options_.joined.root_of(row_of_word(left.front()));
  return all([&](uint64_t word) { return options_.joined.root_of(row_of_word(word)) == now; });
}

Status BandJoin::work(const Item& item, size_t band, int thread) {
  const auto words = std::span<const uint64_t>(words_[item.task]).subspan(item.begin, item.end - item.begin);
  if (item.is_large) return work_on_tiles(words, item.tile, band, thread);
  Tile& tile = lane(thread).left;
  return for_each_run(words, [&](std::span<const uint64_t> run) -> Status {
    NEARDUP_TRY(load(run, tile));
    return compare_within(tile, band, thread);
  });
}

// The tile that begins at `first` against itself and against all behind it.
Status BandJoin::work_on_tiles(std::span<const uint64_t> words, size_t first, size_t band, int thread) {
  Lane& lane = this->lane(thread);
  const auto tile = [words](size_t begin) { return words.subspan(begin, std::min(kTileRows, words.size() - begin)); };
  NEARDUP_TRY(load(tile(first), lane.left));
  if (!are_unwanted(tile(first), tile(first))) NEARDUP_TRY(compare_within(lane.left, band, thread));
  for (size_t other = first + kTileRows; other < words.size(); other += kTileRows) {
    NEARDUP_TRY(options_.context.check_cancel());
    if (are_unwanted(tile(first), tile(other))) continue;
    NEARDUP_TRY(load(tile(other), lane.right));
    NEARDUP_TRY(compare_between(lane.left, lane.right, band, thread));
  }
  return {};
}

Status BandJoin::load(std::span<const uint64_t> words, Tile& tile) const {
  tile.rows.resize(words.size());
  std::ranges::transform(words, tile.rows.begin(), row_of_word);
  tile.values.resize(words.size() * width_);
  return signatures_.read(tile.rows, tile.values.data());
}

Status BandJoin::compare_within(const Tile& tile, size_t band, int thread) {
  for (size_t i = 0; i < tile.rows.size(); ++i)
    for (size_t j = i + 1; j < tile.rows.size() && !is_late(tile.rows[i], band); ++j)
      NEARDUP_TRY(compare(row(tile, i), row(tile, j), {tile.rows[i], tile.rows[j], 0}, band, thread));
  return {};
}

Status BandJoin::compare_between(const Tile& left, const Tile& right, size_t band, int thread) {
  for (size_t i = 0; i < left.rows.size(); ++i)
    for (size_t j = 0; j < right.rows.size() && !is_late(left.rows[i], band); ++j)
      NEARDUP_TRY(compare(row(left, i), row(right, j), {left.rows[i], right.rows[j], 0}, band, thread));
  return {};
}

// Also where the hashes of unequal values were equal: then the two meet in another band or in none.
Status BandJoin::compare(const uint16_t* a, const uint16_t* b, Pair pair, size_t band, int thread) {
  if (only_unjoined() && is_unwanted(static_cast<uint32_t>(pair.a), static_cast<uint32_t>(pair.b))) return {};
  uint64_t equal[fingerprint::mask_words(fingerprint::kMaxSignatureValues)];
  const int count = fingerprint::equal_values(a, b, width_, equal);
  if (count < options_.min_equal || !masks_[band].within(equal)) return {};
  std::vector<size_t>& met = lane(thread).met;
  met.clear();
  for (size_t earlier = 0; earlier < band; ++earlier) {
    if (!masks_[earlier].within(equal)) continue;
    if (options_.late == nullptr) return {};  // delivered there
    met.push_back(earlier);
  }
  met.push_back(band);
  const auto distance = static_cast<uint32_t>(width_) - static_cast<uint32_t>(count);
  const auto first = static_cast<uint32_t>(pair.a), second = static_cast<uint32_t>(pair.b);
  NEARDUP_TRY(deliver_behind(first, second, distance, thread));
  return deliver_behind(second, first, distance, thread);
}

// Two rows stand for all that equal them. Delivers the pairs of all that equal `first` with those behind them that
// equal `others`, but for those of an earlier band of `met`, which ends with this one. Of equal rows all behind a late
// one are late.
Status BandJoin::deliver_behind(uint32_t first, uint32_t others, uint32_t distance, int thread) {
  const std::vector<size_t>& met = lane(thread).met;
  for (uint32_t i = first; i != kNone && !is_late(i, met.back()); i = next_equal_[i]) {
    const auto was_delivered = [&](size_t earlier) { return earlier != met.back() && !is_late(i, earlier); };
    if (std::ranges::any_of(met, was_delivered)) continue;
    for (uint32_t j = others; j != kNone; j = next_equal_[j])
      if (j > i) NEARDUP_TRY(push({i, j, distance}, thread));
  }
  return {};
}

Status BandJoin::push(const Pair& pair, int thread) {
  lane(thread).pairs.push_back(pair);
  return lane(thread).pairs.size() < kBlockPairs && !only_unjoined() ? Status() : flush(thread);
}

Status BandJoin::flush(int thread) {
  std::vector<Pair>& pairs = lane(thread).pairs;
  if (pairs.empty()) return {};
  const Status status = sink_(pairs, thread);
  pairs.clear();
  return status;
}

}  // namespace

Status band_join(const SignatureSource& signatures, const BandingOptions& options, const PairSink& sink) {
  return BandJoin(signatures, options, sink).run();
}

uint64_t least_banding_bytes(uint64_t num_rows, int num_values, int num_threads) {
  constexpr uint64_t kRowsInLane = BlockHashes::kRows + 2 * kTileRows;  // the first of find_bucket_words()
  const auto row_bytes = static_cast<uint64_t>(num_values) * sizeof(uint16_t) + 2 * sizeof(uint32_t);
  return (8 + kWordBytes) * num_rows +
         static_cast<uint64_t>(resolve_num_threads(num_threads)) * kRowsInLane * row_bytes + (uint64_t{2} << 20);
}

}  // namespace neardup::join
