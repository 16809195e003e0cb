// The substrings of the larger file of a pair are looked up by those of the smaller one: what a pair costs is the size
// of the smaller one, and a licence in thousands of files is cheap.
#include "neardup/sif/verify_pairs.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <string>

#include "neardup/base/threads.h"
#include "neardup/sif/file_bytes.h"
#include "neardup/sif/file_text.h"
#include "neardup/sif/window_set.h"

namespace neardup::sif {
namespace {

// Of memory for a byte of the larger file: it, the smaller one and what one of them is folded from, each in a string
// that grew to it, and the work arrays.
constexpr uint64_t kBytesForEach = WindowSet::kBytesForEach + 3 * 2;

// What is looked up in the substrings of another file.
struct LookedUp {
  std::string text;
  Pieces pieces;
};

// What one thread works with.
struct VerifyDesk {
  std::string bytes, a;
  LookedUp b;
  WindowSet windows;
  WindowScratch scratch;
};

// The pairs of one file with smaller ones, or some of them; a file may have none.
struct VerifyTask {
  uint32_t file = 0;
  bool is_first = false;      // of the file
  size_t begin = 0, end = 0;  // in the order of by_larger()
};

class PairVerifier {
 public:
  PairVerifier(std::span<SimilarPair> pairs, const std::vector<File>& files, const SimilarOptions& options)
      : pairs_(pairs),
        files_(files),
        options_(options),
        num_threads_(resolve_num_threads(options.num_threads)),
        limit_bytes_(std::min<uint64_t>(options.memory_bytes / kBytesForEach / static_cast<uint64_t>(num_threads_),
                                        uint64_t{1} << 30)),
        num_distinct_(files.size()),
        counts_(pairs.size()),
        kept_(files.size()) {
    for (int i = 0; i < num_threads_; ++i) desks_.push_back(std::make_unique<VerifyDesk>());
  }

  Status run() {
    make_order();
    make_tasks();
    NEARDUP_TRY(keep_texts());
    Progress* progress = options_.context.progress;
    if (progress != nullptr) progress->begin_stage("verifying", "files", 0, tasks_.size());
    std::atomic<uint64_t> num_done = 0;
    NEARDUP_TRY(parallel_for(num_threads_, tasks_.size(), [&](size_t i, int thread) -> Status {
      NEARDUP_TRY(options_.context.check_cancel());
      verify(tasks_[i], *desks_[static_cast<size_t>(thread)]);
      if (progress != nullptr) progress->advance(0, ++num_done);
      return {};
    }));
    if (progress != nullptr) progress->end_stage();
    for (size_t i = 0; i < pairs_.size(); ++i) set_shares(pairs_[i], counts_[i]);
    return {};
  }

 private:
  [[nodiscard]] uint32_t larger(const SimilarPair& pair) const {
    return files_[pair.a].size_bytes >= files_[pair.b].size_bytes ? pair.a : pair.b;
  }
  [[nodiscard]] uint32_t smaller(const SimilarPair& pair) const { return pair.a + pair.b - larger(pair); }

  // Pairs that are counted, those of one larger file in a row.
  void make_order() {
    // by counting, as pairs may be millions
    std::vector<size_t> ends(files_.size() + 1, 0);
    for (const SimilarPair& pair : pairs_) ends[larger(pair) + 1] += pair.is_equal ? 0 : 1;
    for (size_t file = 0; file < files_.size(); ++file) ends[file + 1] += ends[file];
    order_.resize(ends.back());
    for (size_t i = 0; i < pairs_.size(); ++i)
      if (!pairs_[i].is_equal) order_[ends[larger(pairs_[i])]++] = i;
  }

  // One for each file of a pair, for how many substrings it has must be known; more of one where there is much to do.
  void make_tasks() {
    std::vector<char> in_pair(files_.size(), 0);
    for (const size_t i : order_) in_pair[pairs_[i].a] = in_pair[pairs_[i].b] = 1;
    size_t at = 0;
    for (uint32_t file = 0; file < files_.size(); ++file) {
      if (in_pair[file] == 0) continue;
      tasks_.push_back({file, true, at, at});
      const uint64_t most_bytes = std::max(kLeastTaskBytes, kTaskFactor * files_[file].size_bytes);
      for (uint64_t bytes = 0; at < order_.size() && larger(pairs_[order_[at]]) == file; ++at) {
        if (bytes > most_bytes) {
          tasks_.push_back({file, false, at, at});
          bytes = 0;
        }
        bytes += files_[smaller(pairs_[order_[at]])].size_bytes;
        tasks_.back().end = at + 1;
      }
    }
  }

  // Texts that many pairs ask for are loaded once, as far as there is memory for them.
  Status keep_texts() {
    std::vector<uint32_t> num_uses(files_.size(), 0), wanted;
    uint64_t largest = 0;
    for (const size_t i : order_) {
      ++num_uses[smaller(pairs_[i])];
      largest = std::max(largest, files_[larger(pairs_[i])].size_bytes);
    }
    const uint64_t taken = std::min(largest, limit_bytes_) * kBytesForEach * static_cast<uint64_t>(num_threads_);
    uint64_t room = (options_.memory_bytes - std::min(taken, options_.memory_bytes)) / 2;
    for (uint32_t file = 0; file < files_.size(); ++file) {
      const uint64_t bytes = (1 + Pieces::kBytesForEach) * files_[file].size_bytes + sizeof(LookedUp);
      if (num_uses[file] < 2 || bytes > room) continue;
      room -= bytes;
      wanted.push_back(file);
    }
    return parallel_for(num_threads_, wanted.size(), [&](size_t i, int thread) -> Status {
      NEARDUP_TRY(options_.context.check_cancel());
      VerifyDesk& desk = *desks_[static_cast<size_t>(thread)];
      if (!load(wanted[i], desk.bytes, desk.b.text)) return {};
      LookedUp& kept = kept_[wanted[i]];
      kept.text = std::string_view(desk.b.text);  // in as much memory as it needs
      find_pieces(kept.text, options_.selection.substring_bytes, desk.scratch, kept.pieces);
      return {};
    });
  }

  void verify(const VerifyTask& task, VerifyDesk& desk) {
    const std::string& kept = kept_[task.file].text;
    if (kept.empty() && !load(task.file, desk.bytes, desk.a)) return;
    desk.windows.assign(kept.empty() ? desk.a : kept, options_.selection.substring_bytes, desk.scratch);
    if (task.is_first) num_distinct_[task.file] = desk.windows.num_distinct();
    for (size_t at = task.begin; at < task.end; ++at) {
      expect(at, task.end);
      const LookedUp* const other = look_up(smaller(pairs_[order_[at]]), desk);
      if (other == nullptr) continue;
      counts_[order_[at]] = desk.windows.count_shared(other->text, other->pieces, desk.scratch) + 1;
    }
  }

  // Fetches what the next pairs will look at: what is kept of all files together is larger than the caches.
  void expect(size_t at, size_t end) const {
    constexpr size_t kFar = 8, kNear = 4;
    if (at + kFar < end) __builtin_prefetch(&kept_[smaller(pairs_[order_[at + kFar]])]);
    if (at + kNear >= end) return;
    const LookedUp& next = kept_[smaller(pairs_[order_[at + kNear]])];
    for (const void* const begin :
         {static_cast<const void*>(next.text.data()), static_cast<const void*>(next.pieces.hashes.data()),
          static_cast<const void*>(next.pieces.windows.data())})
      for (size_t line = 0; line < 4; ++line) __builtin_prefetch(static_cast<const char*>(begin) + 64 * line);
  }

  // Null where the file cannot be read as it was.
  const LookedUp* look_up(uint32_t file, VerifyDesk& desk) const {
    if (!kept_[file].text.empty()) return &kept_[file];
    if (!load(file, desk.bytes, desk.b.text)) return nullptr;
    find_pieces(desk.b.text, options_.selection.substring_bytes, desk.scratch, desk.b.pieces);
    return &desk.b;
  }

  // False where the file cannot be read as it was.
  bool load(uint32_t number, std::string& bytes, std::string& text) const {
    const File& file = files_[number];
    if (file.size_bytes > limit_bytes_ || !load_unchanged(file, limit_bytes_, bytes)) return false;
    if (!fold_text(bytes, file.language, options_.fold, text)) text.swap(bytes);
    return true;
  }

  void set_shares(SimilarPair& pair, uint64_t count) const {
    if (count == 0 || num_distinct_[pair.a] == 0 || num_distinct_[pair.b] == 0) return;
    pair.a_in_b = static_cast<float>(static_cast<double>(count - 1) / static_cast<double>(num_distinct_[pair.a]));
    pair.b_in_a = static_cast<float>(static_cast<double>(count - 1) / static_cast<double>(num_distinct_[pair.b]));
    pair.is_exact = true;
  }

  // Of smaller files in a task: so many that making the set of the larger one again costs little.
  static constexpr uint64_t kLeastTaskBytes = uint64_t{4} << 20, kTaskFactor = 16;

  const std::span<SimilarPair> pairs_;
  const std::vector<File>& files_;
  const SimilarOptions& options_;
  const int num_threads_;
  const uint64_t limit_bytes_;
  std::vector<size_t> order_;  // of pairs_
  std::vector<VerifyTask> tasks_;
  std::vector<uint64_t> num_distinct_;  // by file; 0: not known
  std::vector<uint64_t> counts_;        // by pair, one more than they share; 0: not known
  std::vector<LookedUp> kept_;          // by file; without a text: not kept
  std::vector<std::unique_ptr<VerifyDesk>> desks_;
};

}  // namespace

Status verify_pairs(std::vector<SimilarPair>& pairs, size_t first, const std::vector<File>& files,
                    const SimilarOptions& options) {
  NEARDUP_TRY(PairVerifier(std::span(pairs).subspan(first), files, options).run());
  const auto is_below = [&](const SimilarPair& pair) {
    return !pair.is_equal && pair.similarity() < static_cast<float>(options.threshold);
  };
  pairs.erase(std::remove_if(pairs.begin() + static_cast<ptrdiff_t>(first), pairs.end(), is_below), pairs.end());
  return {};
}

}  // namespace neardup::sif
