// Lines that a program holds: the sets of files, filled from views.
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "neardup/base/guard.h"
#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"
#include "neardup/lines/line_chunk.h"
#include "neardup/lines/line_set.h"
#include "neardup/lines/similar_stage.h"
#include "neardup/lines/solve_parts.h"
#include "neardup/lines/unique_lines.h"

namespace neardup::lines {
namespace {

constexpr size_t kLinesOfChunk = size_t{1} << 14;  // at most

class MemoryLines {
 public:
  MemoryLines(const LinesOptions& options, const KeyMaker& maker)
      : options_(options), num_threads_(resolve_num_threads(options.num_threads)) {
    std::random_device random;
    keying_ = {&maker, Hold::kCounts, options.fast, '\n', uint64_t{random()} << 32 | random()};
    for (size_t part = 0; part < kNumParts; ++part) sets_.emplace_back(Hold::kCounts);
    chunks_.resize(4 * static_cast<size_t>(num_threads_));
  }

  /// Adds `lines`, which come after those before. Returns the indices of those without a key.
  Result<std::vector<uint64_t>> add(std::span<const std::string_view> lines) {
    std::vector<uint64_t> without_key;
    for (size_t at = 0; at < lines.size();) {
      NEARDUP_TRY(options_.context.check_cancel());
      const auto block = next_block(lines.subspan(at));
      NEARDUP_TRY(add_block(block));
      for (const LineChunk& chunk : chunks_) {
        for (const uint64_t index : chunk.without_key) without_key.push_back(at + index);
      }
      at += block.size();
      position_ += block.size();
      NEARDUP_TRY(check_memory());
    }
    return without_key;
  }
  [[nodiscard]] uint64_t position() const { return position_; }

  /// Calls use(position, count) for each key, in no order.
  template <class Use>
  void each(const Use& use) const {
    for (const LineSet& set : sets_) set.each(use);
  }

 private:
  /// So many of the first `lines`, at least one, as their keys may be in memory twice.
  [[nodiscard]] std::span<const std::string_view> next_block(std::span<const std::string_view> lines) const {
    size_t count = 0;
    uint64_t num_bytes = 0;
    while (count < std::min(lines.size(), chunks_.size() * kLinesOfChunk)) {
      num_bytes += lines[count].size();
      if (count > 0 && num_bytes > options_.memory_bytes / 16) break;
      ++count;
    }
    return lines.first(count);
  }

  Status add_block(std::span<const std::string_view> block) {
    const size_t lines_of_chunk = (block.size() + chunks_.size() - 1) / chunks_.size();
    NEARDUP_TRY(parallel_for(num_threads_, chunks_.size(), [&](size_t i, int) -> Status {
      LineChunk& chunk = chunks_[i];
      reset(chunk);
      std::string made;
      for (size_t k = i * lines_of_chunk; k < std::min(block.size(), (i + 1) * lines_of_chunk); ++k) {
        if (const auto key = key_of_line(keying_, block[k], k - i * lines_of_chunk, made, chunk.made)) {
          chunk.keys[part_of_hash(key->hash)].push_back(*key);
        } else {
          chunk.without_key.push_back(k);
        }
      }
      return {};
    }));
    return parallel_for(num_threads_, kNumParts, [&](size_t part, int) -> Status {
      for (size_t i = 0; i < chunks_.size(); ++i) {
        const uint64_t first = position_ + i * lines_of_chunk;
        sets_[part].add(
            chunks_[i].keys[part], false, [&](const LineKey& key) { return first + key.index; }, [](const LineKey&) {},
            [](const LineKey&) {});
      }
      return {};
    });
  }

  [[nodiscard]] Status check_memory() const {
    uint64_t held = 0;
    for (const LineSet& set : sets_) held += set.memory_bytes();
    if (held <= options_.memory_bytes) return {};
    return fail(Code::kMemory, fmt::format("the different lines take more than {} of memory; raise --memory, or give "
                                           "them as files, which are compared on disk",
                                           size_text(options_.memory_bytes)));
  }

  const LinesOptions& options_;
  int num_threads_;
  Keying keying_;
  std::vector<LineSet> sets_;
  std::vector<LineChunk> chunks_;
  uint64_t position_ = 0;
};

/// What is left of `kept`, in the order of the lines; counts of what goes are added to those that stay. `firsts`: the
/// lines of `minus` that are like none before.
Status remove_similar(std::span<const std::string_view> lines, std::span<const std::string_view> minus,
                      std::span<const uint64_t> firsts, const LinesOptions& options, const KeyMaker& maker,
                      KeptLines& kept) {
  NEARDUP_ASSIGN(const SimilarRule rule, similar_rule(*options.similar));
  std::vector<std::string_view> compared;
  for (const uint64_t index : firsts) compared.push_back(minus[index]);
  for (const KeptLine& line : kept.lines) compared.push_back(lines[line.index]);
  NEARDUP_ASSIGN(const std::vector<SimilarFate> fates,
                 find_similar(compared, {.rule = rule,
                                         .num_minus = firsts.size(),
                                         .maker = &maker,
                                         .memory_bytes = options.memory_bytes,
                                         .num_threads = resolve_num_threads(options.num_threads),
                                         .context = options.context}));
  std::vector<KeptLine> left;
  std::vector<size_t> place(kept.lines.size());  // in `left`
  for (size_t i = 0; i < kept.lines.size(); ++i) {
    const SimilarFate& fate = fates[firsts.size() + i];
    const bool of_minus = fate.kept < firsts.size();
    const size_t other = of_minus ? fate.kept : fate.kept - firsts.size();
    if (!of_minus && other == i) {
      place[i] = left.size();
      left.push_back(kept.lines[i]);
      continue;
    }
    if (!of_minus) left[place[other]].count += kept.lines[i].count;
    kept.similar.push_back(
        {kept.lines[i].index, of_minus ? firsts[other] : kept.lines[other].index, of_minus, fate.similarity});
  }
  std::erase_if(left, [&](const KeptLine& line) { return !Wanted{options.show, 0}(0, line.count); });
  kept.lines = std::move(left);
  return {};
}

Result<KeptLines> find_unique(std::span<const std::string_view> lines, std::span<const std::string_view> minus,
                              const LinesOptions& options) {
  NEARDUP_ASSIGN(const KeyMaker maker, KeyMaker::create(options.key));
  MemoryLines memory(options, maker);
  NEARDUP_TRY(memory.add(minus));
  const Wanted wanted{options.similar ? Show::kAll : options.show, memory.position()};
  NEARDUP_ASSIGN(const std::vector<uint64_t> without_key, memory.add(lines));
  KeptLines kept;
  std::vector<uint64_t> firsts;  // of minus
  memory.each([&](uint64_t position, uint64_t count) {
    if (options.similar && position < wanted.first) firsts.push_back(position);
    if (wanted(position, count)) kept.lines.push_back({position - wanted.first, count});
  });
  for (const uint64_t index : without_key) {
    if (wanted(wanted.first + index, 1)) kept.lines.push_back({index, 1});
  }
  std::ranges::sort(kept.lines, {}, &KeptLine::index);
  std::ranges::sort(firsts);
  if (options.similar) NEARDUP_TRY(remove_similar(lines, minus, firsts, options, maker, kept));
  if (options.order == Order::kSorted)
    std::ranges::stable_sort(kept.lines, {}, [&](const KeptLine& line) { return lines[line.index]; });
  kept.totals = {.read = lines.size(), .kept = kept.lines.size(), .removed = lines.size() - kept.lines.size()};
  kept.totals.minus = minus.size();
  kept.totals.without_key = without_key.size();
  kept.totals.similar = kept.similar.size();
  return kept;
}

}  // namespace

Result<KeptLines> unique_lines_of(std::span<const std::string_view> lines, std::span<const std::string_view> minus,
                                  const LinesOptions& options) {
  return guarded([&] { return find_unique(lines, minus, options); });
}

}  // namespace neardup::lines
