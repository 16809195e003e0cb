// Blocks of lines are compared with all that stayed before by many threads, then among themselves by one.
#include "neardup/lines/find_similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"

namespace neardup::lines {
namespace {

constexpr size_t kLinesOfBlock = 512;
constexpr size_t kLinesOfPart = 64;  // at most; fewer of long ones
constexpr size_t kBytesOfPart = size_t{1} << 16;
constexpr size_t kCountedLines = 1 << 16;                 // that show which n-grams are rare
constexpr size_t kKeptCapacity = (size_t{64} << 10) / 4;  // of a row that is used again

void shrink(std::vector<uint32_t>& numbers) {
  if (numbers.capacity() > kKeptCapacity) numbers.shrink_to_fit();
}

/// A line of a block.
struct ComparedLine {
  std::vector<uint32_t> row, keys;
  std::optional<SimilarTo> found = {};

  [[nodiscard]] uint64_t memory_bytes() const { return (row.capacity() + keys.capacity()) * sizeof(uint32_t); }
};

class SimilarSearch {
 public:
  SimilarSearch(std::span<const std::string_view> lines, const SimilarWork& work)
      : lines_(lines),
        work_(work),
        set_(work.rule),
        threads_(static_cast<size_t>(work.num_threads)),
        block_(kLinesOfBlock) {}

  Result<std::vector<SimilarFate>> run() {
    if (lines_.size() > UINT32_MAX)
      return fail(Code::kUnsupported, "more than 2^32 different lines cannot be compared with one another");
    NEARDUP_TRY(count_grams());
    fates_.reserve(lines_.size());
    for (size_t first = 0; first < lines_.size(); first = fates_.size()) {
      cut_block(first);
      NEARDUP_TRY(search_before(first));
      count_block_bytes();
      NEARDUP_TRY(search_among(first));
      if (block_bytes_ > work_.memory_bytes / 8) std::vector<ComparedLine>(kLinesOfBlock).swap(block_);
      if (work_.context.progress != nullptr) work_.context.progress->advance(0, fates_.size());
    }
    return std::move(fates_);
  }

 private:
  struct Thread {
    LineFeatures features;
    SimilarSet::Scratch scratch;
    std::string made;
  };

  void make_row(size_t line, size_t thread, std::vector<uint32_t>& row) {
    row.clear();
    if (work_.long_lines != nullptr && work_.long_lines->number_of(lines_[line])) return;
    const auto key = work_.maker->key(lines_[line], threads_[thread].made);
    if (key) threads_[thread].features.make(*key, row);
    shrink(row);
  }

  /// Of lines that are spread evenly.
  Status count_grams() {
    const size_t step = std::max<size_t>(1, lines_.size() / kCountedLines);
    std::vector<uint32_t> row;
    size_t num_bytes = kBytesOfPart;  // since cancelling was last asked for
    for (size_t line = 0; line < lines_.size(); line += step) {
      num_bytes += lines_[line].size() + kBytesOfPart / 1024;
      if (num_bytes >= kBytesOfPart) {
        NEARDUP_TRY(work_.context.check_cancel());
        num_bytes = 0;
      }
      make_row(line, 0, row);
      set_.count(row);
    }
    return {};
  }

  /// The block that begins with the line `first`, in parts: at least one line, whatever its bytes. Each line counts as
  /// some bytes more, so that parts have few enough lines.
  void cut_block(size_t first) {
    const size_t most_bytes = work_.memory_bytes / 32;  // their rows have some six times as many
    const size_t most_lines = std::min(kLinesOfBlock, lines_.size() - first);
    part_ends_.clear();
    size_t num_bytes = 0, part_bytes = 0, end = 0;
    while (end < most_lines && (end == 0 || num_bytes + lines_[first + end].size() <= most_bytes)) {
      num_bytes += lines_[first + end].size();
      part_bytes += lines_[first + end].size() + kBytesOfPart / kLinesOfPart;
      ++end;
      if (part_bytes < kBytesOfPart) continue;
      part_ends_.push_back(end);
      part_bytes = 0;
    }
    if (part_bytes > 0) part_ends_.push_back(end);
  }

  Status search_before(size_t first) {
    const uint32_t kept = set_.size();
    return parallel_for(work_.num_threads, part_ends_.size(), [&](size_t part, int thread) -> Status {
      NEARDUP_TRY(work_.context.check_cancel());
      const auto own = static_cast<size_t>(thread);
      for (size_t i = part_begin(part); i < part_ends_[part]; ++i) {
        ComparedLine& line = block_[i];
        make_row(first + i, own, line.row);
        set_.find_keys(line.row, line.keys);
        shrink(line.keys);
        const bool searches = first + i >= work_.num_minus;
        line.found = searches ? set_.first_similar(line.row, line.keys, 0, kept, threads_[own].scratch) : std::nullopt;
      }
      return {};
    });
  }

  Status search_among(size_t first) {
    const uint32_t before = set_.size();
    for (size_t part = 0; part < part_ends_.size(); ++part) {
      NEARDUP_TRY(work_.context.check_cancel());
      for (size_t i = part_begin(part); i < part_ends_[part]; ++i) NEARDUP_TRY(decide(first + i, block_[i], before));
      NEARDUP_TRY(check_memory());
    }
    return {};
  }

  /// The fate of a line that was compared with the rows up to `before`.
  Status decide(size_t number, ComparedLine& line, uint32_t before) {
    if (!line.found && number >= work_.num_minus)
      line.found = set_.first_similar(line.row, line.keys, before, set_.size(), threads_.front().scratch);
    if (line.found) {
      fates_.push_back({kept_[line.found->number], line.found->similarity});
      return {};
    }
    fates_.push_back({static_cast<uint32_t>(number), 1});
    if (line.row.empty()) return {};
    if (set_.is_full()) return fail(Code::kUnsupported, "so many different lines cannot be compared with one another");
    set_.add(line.row, line.keys);
    kept_.push_back(static_cast<uint32_t>(number));
    return {};
  }

  [[nodiscard]] size_t part_begin(size_t part) const { return part == 0 ? 0 : part_ends_[part - 1]; }

  void count_block_bytes() {
    block_bytes_ = block_.size() * sizeof(ComparedLine);
    for (const ComparedLine& line : block_) block_bytes_ += line.memory_bytes();
  }

  [[nodiscard]] Status check_memory() const {
    const uint64_t held = set_.memory_bytes() + block_bytes_ + fates_.size() * (sizeof(SimilarFate) + sizeof(uint32_t));
    if (held <= work_.memory_bytes) return {};
    return fail(Code::kMemory, fmt::format("the lines that --similar compares take more than {} of memory after {} of "
                                           "{}; raise --memory, or take `neardup dedup`, which compares on disk",
                                           size_text(work_.memory_bytes), fates_.size(), lines_.size()));
  }

  std::span<const std::string_view> lines_;
  const SimilarWork& work_;
  SimilarSet set_;
  std::vector<Thread> threads_;
  std::vector<ComparedLine> block_;
  std::vector<size_t> part_ends_;  // in block_
  uint64_t block_bytes_ = 0;
  std::vector<uint32_t> kept_;  // the lines of set_
  std::vector<SimilarFate> fates_;
};

}  // namespace

Result<std::vector<SimilarFate>> find_similar(std::span<const std::string_view> lines, const SimilarWork& work) {
  Progress* const progress = work.context.progress;
  if (progress != nullptr) progress->begin_stage("find similar", "lines", 0, lines.size());
  auto fates = SimilarSearch(lines, work).run();
  if (progress != nullptr) progress->end_stage();
  return fates;
}

}  // namespace neardup::lines
