#include "neardup/sif/shared_counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "neardup/base/threads.h"

namespace neardup::sif {
namespace {

constexpr size_t kSearchSteps = 16;  // what finding a file in a crowd costs, against looking at one of its postings

// The sums of one file with all others. Threads: one at a time.
class FileSums {
 public:
  FileSums(const PostingLists& lists, const std::vector<File>& files, double threshold)
      : postings_(lists.postings()),
        lists_(lists),
        files_(files),
        threshold_(threshold),
        has_references_(!files.empty() && files.back().is_reference),
        kinds_(files.size()),
        sums_(files.size()) {
    for (size_t i = 0; i < files.size(); ++i)
      kinds_[i] = static_cast<uint8_t>((files[i].is_small ? kSmall : 0) | (files[i].is_reference ? kReference : 0));
  }

  void append_pairs(uint32_t file, std::vector<SimilarPair>& out) {
    add_lists(file);
    std::sort(touched_.begin(), touched_.end());
    for (const uint32_t slot : crowds_) add_crowd(slot);
    for (const uint32_t other : touched_) {
      append_pair(file, other, out);
      sums_[other] = {};
    }
    touched_.clear();
    crowds_.clear();
  }

 private:
  struct Sums {
    uint64_t own = 0, others = 0;
  };
  // Each pair once. A small file has samples that are looked for in all files, so its pairs with others are counted
  // from there, whichever of the two comes first; two large ones share what was kept for both.
  [[nodiscard]] bool counts_from(uint32_t file, uint32_t other) const {
    const int differ = kinds_[file] ^ kinds_[other];
    if (has_references_ && (differ & kReference) == 0) return false;
    return (differ & kSmall) == 0 ? other > file : (kinds_[file] & kSmall) != 0;
  }

  void add(const Posting& own, const Posting& other, bool is_small) {
    if (own.weight() + other.weight() == 0 || (!is_small && (own.weight() == 0 || other.weight() == 0))) return;
    if (!counts_from(own.file, other.file)) return;
    Sums& sums = sums_[other.file];
    if (sums.own == 0 && sums.others == 0) touched_.push_back(other.file);
    sums.own += own.weight();
    sums.others += other.weight();
  }

  void add_lists(uint32_t file) {
    const bool is_small = files_[file].is_small;
    for (const uint32_t slot : lists_.slots_of(file)) {
      const Posting& own = postings_[slot];
      if (own.weight() == 0 && !is_small) continue;
      if (own.is_crowd()) {
        crowds_.push_back(slot);
        continue;
      }
      for (size_t i = slot; !postings_[i].is_last(); ++i) add(own, postings_[i + 1], is_small);
      for (size_t i = slot; is_small && i > 0 && !postings_[i - 1].is_last(); --i) add(own, postings_[i - 1], is_small);
    }
  }

  // A crowd counts in the pairs that other lists have made: few are looked up in it, else all of it is gone through.
  void add_crowd(uint32_t slot) {
    if (touched_.empty()) return;
    const auto [begin, end] = lists_.crowd_around(slot);
    const Posting& own = postings_[slot];
    const bool is_small = files_[own.file].is_small;
    if (touched_.size() * kSearchSteps < end - begin) return search_crowd(own, begin, end, is_small);
    for (size_t i = begin; i < end; ++i) {
      const Sums& sums = sums_[postings_[i].file];
      if (sums.own != 0 || sums.others != 0) add(own, postings_[i], is_small);
    }
  }

  void search_crowd(const Posting& own, size_t begin, size_t end, bool is_small) {
    const auto last = postings_.begin() + static_cast<ptrdiff_t>(end);
    for (const uint32_t other : touched_) {
      const auto found = std::lower_bound(postings_.begin() + static_cast<ptrdiff_t>(begin), last, other,
                                          [](const Posting& p, uint32_t file) { return p.file < file; });
      if (found != last && found->file == other) add(own, *found, is_small);
    }
  }

  void append_pair(uint32_t file, uint32_t other, std::vector<SimilarPair>& out) const {
    const auto share = [](uint64_t sum, uint64_t all) {
      return all == 0 ? 0.0F : std::min(1.0F, static_cast<float>(static_cast<double>(sum) / static_cast<double>(all)));
    };
    // What a large file has of a small one is as much as the small one has of it.
    const Sums& sums = sums_[other];
    const bool is_mixed = files_[file].is_small && !files_[other].is_small;
    SimilarPair pair{file, other, share(sums.own, files_[file].weight),
                     share(is_mixed ? sums.own : sums.others, files_[other].weight)};
    if (file > other) {
      std::swap(pair.a, pair.b);
      std::swap(pair.a_in_b, pair.b_in_a);
    }
    if (pair.similarity() >= static_cast<float>(threshold_)) out.push_back(pair);
  }

  const std::vector<Posting>& postings_;
  const PostingLists& lists_;
  const std::vector<File>& files_;
  const double threshold_;
  const bool has_references_;
  static constexpr uint8_t kSmall = 1, kReference = 2;
  std::vector<uint8_t> kinds_;  // of files: near to each other, as each posting asks for one
  std::vector<Sums> sums_;
  std::vector<uint32_t> touched_;
  std::vector<uint32_t> crowds_;  // slots
};

constexpr size_t kFilesAtOnce = 256;
constexpr uint64_t kPairBytes = 48;  // of memory, while pairs are gathered, counted again and sorted

// How many pairs there is room for beside the lists.
uint64_t most_pairs(const PostingLists& lists, size_t num_files, uint64_t threads, uint64_t memory_bytes) {
  const uint64_t held =
      lists.postings().size() * (sizeof(Posting) + sizeof(uint32_t)) + num_files * (200 + 16 * threads);
  return std::min<uint64_t>((memory_bytes - std::min(held, memory_bytes)) / kPairBytes, UINT32_MAX / 2);
}

Status too_many_pairs(uint64_t most) {
  return fail(Code::kMemory,
              fmt::format("the similar pairs are more than the {} that the limit of memory has room for; "
                          "raise the threshold or the limit, or ignore common passages",
                          most));
}

}  // namespace

Result<std::vector<SimilarPair>> count_shared(const PostingLists& lists, const std::vector<File>& files,
                                              double threshold, const SimilarOptions& options) {
  const int threads = resolve_num_threads(options.num_threads);
  const uint64_t most = most_pairs(lists, files.size(), static_cast<uint64_t>(threads), options.memory_bytes);
  std::atomic<uint64_t> num_pairs = 0;
  const size_t num_parts = (files.size() + kFilesAtOnce - 1) / kFilesAtOnce;
  std::vector<std::vector<SimilarPair>> parts(num_parts);
  std::vector<std::unique_ptr<FileSums>> sums(static_cast<size_t>(threads));
  Progress* progress = options.context.progress;
  if (progress != nullptr) progress->begin_stage("comparing", "files", 0, files.size());
  std::atomic<uint64_t> num_done = 0;
  NEARDUP_TRY(parallel_for(threads, num_parts, [&](size_t part, int thread) -> Status {
    auto& own = sums[static_cast<size_t>(thread)];
    if (!own) own = std::make_unique<FileSums>(lists, files, threshold);
    const size_t end = std::min(files.size(), (part + 1) * kFilesAtOnce);
    for (size_t file = part * kFilesAtOnce; file < end; ++file) {
      NEARDUP_TRY(options.context.check_cancel());
      const size_t before = parts[part].size();
      own->append_pairs(static_cast<uint32_t>(file), parts[part]);
      if ((num_pairs += parts[part].size() - before) > most) return too_many_pairs(most);
    }
    if (progress != nullptr) progress->advance(0, num_done += end - part * kFilesAtOnce);
    return {};
  }));
  if (progress != nullptr) progress->end_stage();
  std::vector<SimilarPair> pairs;
  pairs.reserve(num_pairs);
  for (auto& part : parts) {
    pairs.insert(pairs.end(), part.begin(), part.end());
    part = std::vector<SimilarPair>();
  }
  return pairs;
}

}  // namespace neardup::sif
