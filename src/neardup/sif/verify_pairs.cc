#include "neardup/sif/verify_pairs.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <string>

#include "neardup/base/threads.h"
#include "neardup/sif/file_bytes.h"
#include "neardup/sif/fold_code.h"
#include "neardup/sif/window_set.h"

namespace neardup::sif {
namespace {

constexpr uint64_t kBytesForEach = 32;  // of memory for a byte of text, work arrays counted

// What one thread works with.
struct VerifyDesk {
  std::string bytes, a, b;
  WindowSet windows;
  LookupScratch scratch;
};

class PairVerifier {
 public:
  PairVerifier(const std::vector<File>& files, const SimilarOptions& options, int num_threads)
      : files_(files),
        options_(options),
        limit_bytes_(std::min<uint64_t>(options.memory_bytes / kBytesForEach / static_cast<uint64_t>(num_threads),
                                        uint64_t{1} << 30)),
        num_distinct_(files.size()) {
    for (int i = 0; i < num_threads; ++i) desks_.push_back(std::make_unique<VerifyDesk>());
  }

  /// `pairs`: those of one a, which may be none. Sets a_in_b to how many substrings they share, for finish().
  Status verify(uint32_t a, std::span<SimilarPair> pairs, int thread) {
    NEARDUP_TRY(options_.context.check_cancel());
    VerifyDesk& desk = *desks_[static_cast<size_t>(thread)];
    if (!load(a, desk.bytes, desk.a)) return {};
    desk.windows.assign(desk.a, options_.selection.substring_bytes);
    num_distinct_[a] = desk.windows.num_distinct();
    for (SimilarPair& pair : pairs) {
      if (pair.is_equal || !load(pair.b, desk.bytes, desk.b)) continue;
      counts_[static_cast<size_t>(&pair - first_)] = desk.windows.count_shared(desk.b, desk.scratch) + 1;
    }
    return {};
  }

  void begin(std::span<SimilarPair> pairs) {
    first_ = pairs.data();
    counts_.assign(pairs.size(), 0);
  }

  void finish(SimilarPair& pair) const {
    const uint64_t count = counts_[static_cast<size_t>(&pair - first_)];
    if (count == 0 || num_distinct_[pair.a] == 0 || num_distinct_[pair.b] == 0) return;
    pair.a_in_b = static_cast<float>(static_cast<double>(count - 1) / static_cast<double>(num_distinct_[pair.a]));
    pair.b_in_a = static_cast<float>(static_cast<double>(count - 1) / static_cast<double>(num_distinct_[pair.b]));
    pair.is_exact = true;
  }

 private:
  bool load(uint32_t number, std::string& bytes, std::string& text) const {
    const File& file = files_[number];
    if (file.size_bytes > limit_bytes_ || !load_unchanged(file, limit_bytes_, bytes)) return false;
    file.language == 0 ? text.swap(bytes) : fold_code(bytes, file.language, text);
    return true;
  }

  const std::vector<File>& files_;
  const SimilarOptions& options_;
  const uint64_t limit_bytes_;
  std::vector<uint64_t> num_distinct_;  // 0: not known
  std::vector<std::unique_ptr<VerifyDesk>> desks_;
  const SimilarPair* first_ = nullptr;
  std::vector<uint64_t> counts_;  // by pair, one more than they share; 0: not known
};

// Files that are in a pair, as a with the pairs of theirs.
struct VerifyTask {
  uint32_t file = 0;
  size_t begin = 0, end = 0;
};

std::vector<VerifyTask> tasks_of(const std::vector<SimilarPair>& pairs, size_t num_files) {
  std::vector<VerifyTask> tasks;
  std::vector<char> in_pair(num_files, 0);
  for (const SimilarPair& pair : pairs)
    if (!pair.is_equal) in_pair[pair.a] = in_pair[pair.b] = 1;
  size_t at = 0;
  for (uint32_t file = 0; file < num_files; ++file) {
    const size_t begin = at;
    while (at < pairs.size() && pairs[at].a == file) ++at;
    if (in_pair[file] != 0) tasks.push_back({file, begin, at});
  }
  return tasks;
}

}  // namespace

Status verify_pairs(std::vector<SimilarPair>& pairs, const std::vector<File>& files, const SimilarOptions& options) {
  const std::vector<VerifyTask> tasks = tasks_of(pairs, files.size());
  const int num_threads = resolve_num_threads(options.num_threads);
  PairVerifier verifier(files, options, num_threads);
  verifier.begin(pairs);
  Progress* progress = options.context.progress;
  if (progress != nullptr) progress->begin_stage("verifying", "files", 0, tasks.size());
  std::atomic<uint64_t> num_done = 0;
  NEARDUP_TRY(parallel_for(num_threads, tasks.size(), [&](size_t i, int thread) -> Status {
    const VerifyTask& task = tasks[i];
    NEARDUP_TRY(verifier.verify(task.file, std::span(pairs).subspan(task.begin, task.end - task.begin), thread));
    if (progress != nullptr) progress->advance(0, ++num_done);
    return {};
  }));
  if (progress != nullptr) progress->end_stage();
  for (SimilarPair& pair : pairs) verifier.finish(pair);
  std::erase_if(pairs, [&](const SimilarPair& pair) {
    return !pair.is_equal && pair.similarity() < static_cast<float>(options.threshold);
  });
  return {};
}

}  // namespace neardup::sif
