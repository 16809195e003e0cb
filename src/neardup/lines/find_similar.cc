// Blocks of lines are compared with all that stayed before by many threads, then among themselves by one.
#include "neardup/lines/find_similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"

namespace neardup::lines {
namespace {

constexpr size_t kLinesOfBlock = 4096;
constexpr size_t kLinesAtOnce = 64;        // of one thread
constexpr size_t kCountedLines = 1 << 16;  // that show which n-grams are rare

class SimilarSearch {
 public:
  SimilarSearch(std::span<const std::string_view> lines, const SimilarWork& work)
      : lines_(lines),
        work_(work),
        set_(work.rule),
        threads_(static_cast<size_t>(work.num_threads)),
        rows_(kLinesOfBlock),
        found_(kLinesOfBlock) {}

  Result<std::vector<SimilarFate>> run() {
    if (lines_.size() > UINT32_MAX)
      return fail(Code::kUnsupported, "more than 2^32 different lines cannot be compared with one another");
    NEARDUP_TRY(count_grams());
    fates_.reserve(lines_.size());
    for (size_t first = 0; first < lines_.size(); first += kLinesOfBlock) {
      NEARDUP_TRY(work_.context.check_cancel());
      NEARDUP_TRY(search_before(first));
      NEARDUP_TRY(search_among(first));
      NEARDUP_TRY(check_memory());
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
    const auto key = work_.maker->key(lines_[line], threads_[thread].made);
    row.clear();
    if (key) threads_[thread].features.make(*key, row);
  }

  /// Of lines that are spread evenly.
  Status count_grams() {
    const size_t step = std::max<size_t>(1, lines_.size() / kCountedLines);
    std::vector<uint32_t> row;
    for (size_t line = 0; line < lines_.size(); line += step) {
      if (line % 1024 == 0) NEARDUP_TRY(work_.context.check_cancel());
      make_row(line, 0, row);
      set_.count(row);
    }
    return {};
  }

  Status search_before(size_t first) {
    const size_t count = std::min(kLinesOfBlock, lines_.size() - first);
    const uint32_t kept = set_.size();
    return parallel_for(
        work_.num_threads, (count + kLinesAtOnce - 1) / kLinesAtOnce, [&](size_t part, int thread) -> Status {
          NEARDUP_TRY(work_.context.check_cancel());
          const auto own = static_cast<size_t>(thread);
          for (size_t i = part * kLinesAtOnce; i < std::min(count, (part + 1) * kLinesAtOnce); ++i) {
            make_row(first + i, own, rows_[i]);
            const bool searches = first + i >= work_.num_minus;
            found_[i] = searches ? set_.first_similar(rows_[i], 0, kept, threads_[own].scratch) : std::nullopt;
          }
          return {};
        });
  }

  Status search_among(size_t first) {
    const uint32_t before = set_.size();
    SimilarSet::Scratch& scratch = threads_.front().scratch;
    for (size_t i = 0; i < std::min(kLinesOfBlock, lines_.size() - first); ++i) {
      if (i % kLinesAtOnce == 0) NEARDUP_TRY(work_.context.check_cancel());
      if (!found_[i] && first + i >= work_.num_minus)
        found_[i] = set_.first_similar(rows_[i], before, set_.size(), scratch);
      if (found_[i]) {
        fates_.push_back({kept_[found_[i]->number], found_[i]->similarity});
        continue;
      }
      fates_.push_back({static_cast<uint32_t>(first + i), 1});
      if (rows_[i].empty()) continue;
      if (set_.is_full())
        return fail(Code::kUnsupported, "so many different lines cannot be compared with one another");
      set_.add(rows_[i], scratch);
      kept_.push_back(static_cast<uint32_t>(first + i));
    }
    return {};
  }

  [[nodiscard]] Status check_memory() const {
    if (set_.memory_bytes() + fates_.size() * (sizeof(SimilarFate) + sizeof(uint32_t)) <= work_.memory_bytes) return {};
    return fail(Code::kMemory, fmt::format("the lines that --similar compares take more than {} of memory after {} of "
                                           "{}; raise --memory, or take `neardup dedup`, which compares on disk",
                                           size_text(work_.memory_bytes), fates_.size(), lines_.size()));
  }

  std::span<const std::string_view> lines_;
  const SimilarWork& work_;
  SimilarSet set_;
  std::vector<Thread> threads_;
  std::vector<std::vector<uint32_t>> rows_;      // of a block
  std::vector<std::optional<SimilarTo>> found_;  // of a block
  std::vector<uint32_t> kept_;                   // the lines of set_
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
