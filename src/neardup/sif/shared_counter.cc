#include "neardup/sif/shared_counter.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "neardup/base/threads.h"

namespace neardup::sif {
namespace {

constexpr size_t kSearchSteps = 16;  // what finding a file in a crowd costs, against looking at one of its postings

// What files weigh fits into `Sum`.
template <class Sum>
struct Sums {
  Sum own = 0, others = 0;
  [[nodiscard]] bool is_none() const { return (own | others) == 0; }
};

// The sums of one file with all of higher ranks. Threads: one at a time.
template <class Sum>
class FileSums {
 public:
  FileSums(const PostingLists& lists, const std::vector<File>& files, const std::vector<float>& least_shares)
      : postings_(lists.postings()),
        lists_(lists),
        files_(files),
        least_shares_(least_shares),
        has_references_(!files.empty() && files.back().is_reference),
        sums_(files.size()),
        touched_(files.size() + 1) {}

  void append_pairs(uint32_t rank, std::vector<SimilarPair>& out) {
    own_number_ = lists_.number_of(rank);
    for (const Place place : lists_.places_of(rank))
      if (place.slot < lists_.first_crowd()) add_list(place);
    for (const Place place : lists_.places_of(rank))
      if (place.slot >= lists_.first_crowd()) add_crowd(place);
    for (size_t i = 0; i < num_touched_; ++i) {
      append_pair(rank, touched_[i], out);
      sums_[touched_[i]] = {};
    }
    num_touched_ = 0;
  }

 private:
  // Each pair is counted from the file of the lower rank.
  void add_list(const Place& place) {
    const auto own = static_cast<Sum>(postings_[place.slot].weight);
    size_t count = num_touched_;
    for (size_t i = place.slot + 1; i < place.end; ++i) {
      const Posting& other = postings_[i];
      if ((own | other.weight) == 0) continue;
      Sums<Sum>& sums = sums_[other.rank];
      touched_[count] = other.rank;
      count += sums.is_none() ? 1 : 0;
      sums.own += own;
      sums.others += other.weight;
    }
    num_touched_ = count;
  }

  void add(Sum own, const Posting& other) {
    sums_[other.rank].own += own;
    sums_[other.rank].others += other.weight;
  }

  // A crowd counts in the pairs that other lists have made: few are looked up in it, else all of it is gone through.
  void add_crowd(const Place& place) {
    const auto own = static_cast<Sum>(postings_[place.slot].weight);
    const auto begin = postings_.begin() + place.slot + 1, end = postings_.begin() + place.end;
    if (num_touched_ * kSearchSteps < place.end - place.slot) return search_crowd(own, begin, end);
    for (auto other = begin; other != end; ++other)
      if (!sums_[other->rank].is_none()) add(own, *other);
  }

  void search_crowd(Sum own, std::vector<Posting>::const_iterator begin, std::vector<Posting>::const_iterator end) {
    for (size_t i = 0; i < num_touched_; ++i) {
      const auto found = std::lower_bound(begin, end, touched_[i],
                                          [](const Posting& posting, uint32_t rank) { return posting.rank < rank; });
      if (found != end && found->rank == touched_[i]) add(own, *found);
    }
  }

  void append_pair(uint32_t rank, uint32_t other_rank, std::vector<SimilarPair>& out) const {
    const auto share = [](uint64_t sum, uint64_t all) {
      return all == 0 ? 0.0F : std::min(1.0F, static_cast<float>(static_cast<double>(sum) / static_cast<double>(all)));
    };
    const uint32_t number = own_number_, other = lists_.number_of(other_rank);
    if (has_references_ && files_[number].is_reference == files_[other].is_reference) return;
    // What a large file has of a small one is as much as the small one has of it.
    const Sums<Sum>& sums = sums_[other_rank];
    const bool is_mixed = rank < lists_.num_small() && other_rank >= lists_.num_small();
    SimilarPair pair{number, other, share(sums.own, files_[number].weight),
                     share(is_mixed ? sums.own : sums.others, files_[other].weight)};
    if (number > other) {
      std::swap(pair.a, pair.b);
      std::swap(pair.a_in_b, pair.b_in_a);
    }
    if (pair.a_in_b >= least_shares_[pair.a] || pair.b_in_a >= least_shares_[pair.b]) out.push_back(pair);
  }

  const std::vector<Posting>& postings_;
  const PostingLists& lists_;
  const std::vector<File>& files_;
  const std::vector<float>& least_shares_;
  const bool has_references_;
  uint32_t own_number_ = 0;
  std::vector<Sums<Sum>> sums_;  // by rank
  std::vector<uint32_t> touched_;
  size_t num_touched_ = 0;
};

constexpr size_t kFilesAtOnce = 256;
constexpr uint64_t kPairBytes = 48;  // of memory, while pairs are gathered, counted again and sorted

// How many pairs there is room for beside the lists.
uint64_t most_pairs(const PostingLists& lists, size_t num_files, uint64_t threads, uint64_t memory_bytes) {
  const uint64_t held = lists.postings().size() * (sizeof(Posting) + sizeof(Place)) + num_files * (200 + 16 * threads);
  return std::min<uint64_t>((memory_bytes - std::min(held, memory_bytes)) / kPairBytes, UINT32_MAX / 2);
}

Status too_many_pairs(uint64_t most) {
  return fail(Code::kMemory,
              fmt::format("the similar pairs are more than the {} that the limit of memory has room for; "
                          "raise the threshold or the limit, or ignore common passages",
                          most));
}

template <class Sum>
Result<std::vector<SimilarPair>> count_with(const PostingLists& lists, const std::vector<File>& files,
                                            const std::vector<float>& least_shares, const SimilarOptions& options) {
  const int threads = resolve_num_threads(options.num_threads);
  const uint64_t most = most_pairs(lists, files.size(), static_cast<uint64_t>(threads), options.memory_bytes);
  std::atomic<uint64_t> num_pairs = 0;
  const size_t num_parts = (files.size() + kFilesAtOnce - 1) / kFilesAtOnce;
  std::vector<std::vector<SimilarPair>> parts(num_parts);
  std::vector<std::unique_ptr<FileSums<Sum>>> sums(static_cast<size_t>(threads));
  Progress* progress = options.context.progress;
  if (progress != nullptr) progress->begin_stage("comparing", "files", 0, files.size());
  std::atomic<uint64_t> num_done = 0;
  NEARDUP_TRY(parallel_for(threads, num_parts, [&](size_t part, int thread) -> Status {
    auto& own = sums[static_cast<size_t>(thread)];
    if (!own) own = std::make_unique<FileSums<Sum>>(lists, files, least_shares);
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

}  // namespace

Result<std::vector<SimilarPair>> count_shared(const PostingLists& lists, const std::vector<File>& files,
                                              const std::vector<float>& least_shares, const SimilarOptions& options) {
  const bool is_short = std::ranges::all_of(files, [](const File& file) { return file.weight <= UINT32_MAX; });
  return is_short ? count_with<uint32_t>(lists, files, least_shares, options)
                  : count_with<uint64_t>(lists, files, least_shares, options);
}

}  // namespace neardup::sif
