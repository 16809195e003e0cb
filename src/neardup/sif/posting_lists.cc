#include "neardup/sif/posting_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "neardup/base/radix_sort.h"
#include "neardup/base/threads.h"

namespace neardup::sif {
namespace {

constexpr uint32_t kLast = uint32_t{1} << 31;
constexpr uint64_t kLeastCrowd = 256;  // files

// By value, then file. The lower bits of values differ so seldom that few are left in disorder by the digits.
void sort_entries(std::vector<Entry>& entries, std::vector<Entry>& scratch, int low_bits) {
  constexpr int kDigits = 3;
  scratch.resize(entries.size());
  const auto value = [](const Entry& entry) { return entry.value; };
  for (int digit = 0; digit < kDigits; ++digit) {
    const int shift = std::max(0, low_bits - (kDigits - digit) * kRadixBits);
    sort_by_digit(std::span<const Entry>(entries), std::span<Entry>(scratch), shift, value);
    entries.swap(scratch);
  }
  const auto less = [](const Entry& a, const Entry& b) {
    return a.value != b.value ? a.value < b.value : a.file < b.file;
  };
  const int shift = std::max(0, low_bits - kDigits * kRadixBits);
  for (auto begin = entries.begin(); begin != entries.end();) {
    auto end = begin + 1;
    while (end != entries.end() && end->value >> shift == begin->value >> shift) ++end;
    if (end - begin > 1) std::sort(begin, end, less);
    begin = end;
  }
}

// Small files first, then large ones, either by number.
std::vector<uint32_t> numbers_by_rank(const std::vector<File>& files) {
  std::vector<uint32_t> numbers(files.size());
  std::iota(numbers.begin(), numbers.end(), uint32_t{0});
  std::stable_partition(numbers.begin(), numbers.end(), [&](uint32_t number) { return files[number].is_small; });
  return numbers;
}

// Calls list(begin, end) for the entries of each value that two files share and at least one keeps.
// `is_reference`: by rank.
template <class List>
void each_list(const std::vector<Entry>& entries, const std::vector<char>& is_reference, bool has_references,
               const List& list) {
  for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    bool has_input = false, has_reference = false;
    uint64_t weight = 0;
    for (; end < entries.size() && entries[end].value == entries[begin].value; ++end) {
      (is_reference[entries[end].file] != 0 ? has_reference : has_input) = true;
      weight += entries[end].weight;
    }
    if (end - begin > 1 && weight > 0 && (!has_references || (has_input && has_reference))) list(begin, end);
  }
}

// One bucket of all threads, its files replaced by the ranks of the first equal ones.
std::vector<Entry> gather(ReadFiles& read, size_t bucket, const std::vector<uint32_t>& ranks) {
  std::vector<Entry> all;
  size_t count = 0;
  for (EntryBuckets& thread : read.entries) count += thread.bucket(bucket).size();
  all.reserve(count);
  for (EntryBuckets& thread : read.entries) {
    std::vector<Entry> part = std::move(thread.bucket(bucket));
    all.insert(all.end(), part.begin(), part.end());
  }
  for (Entry& entry : all) entry.file = ranks[entry.file];
  return all;
}

}  // namespace

struct PostingLists::Kept {
  uint32_t rank = 0;
  uint32_t weight_and_last = 0;
  [[nodiscard]] uint32_t weight() const { return weight_and_last & kMaxWeight; }
  [[nodiscard]] bool is_last() const { return (weight_and_last & kLast) != 0; }  // of its list

  // Calls each(begin, end) for each list.
  template <class Each>
  static void each_list(const KeptLists& lists, const Each& each) {
    for (const std::vector<Kept>& part : lists) {
      for (auto begin = part.begin(), end = begin; begin != part.end(); begin = end) {
        while (!end->is_last()) ++end;
        each(begin, ++end);
      }
    }
  }
};

Result<PostingLists> PostingLists::build(ReadFiles& read, const SimilarOptions& options) {
  PostingLists lists;
  lists.numbers_ = numbers_by_rank(read.files);
  lists.num_small_ =
      static_cast<uint32_t>(std::ranges::count_if(read.files, [](const File& file) { return file.is_small; }));
  std::vector<uint32_t> ranks(read.files.size());
  std::vector<char> is_reference(read.files.size());
  for (uint32_t rank = 0; rank < ranks.size(); ++rank) {
    ranks[lists.numbers_[rank]] = rank;
    is_reference[rank] = read.files[lists.numbers_[rank]].is_reference ? 1 : 0;
  }
  std::vector<uint32_t> first_ranks(ranks.size());
  for (size_t i = 0; i < ranks.size(); ++i) first_ranks[i] = ranks[read.files[i].same_as];

  const size_t num_buckets = read.entries.empty() ? 0 : read.entries[0].num_buckets();
  const int low_bits = 64 - std::countr_zero(std::max<size_t>(num_buckets, 1));
  KeptLists kept(num_buckets);
  const int num_threads = resolve_num_threads(options.num_threads);
  std::vector<std::vector<Entry>> scratch(static_cast<size_t>(num_threads));
  NEARDUP_TRY(parallel_for(num_threads, num_buckets, [&](size_t i, int thread) -> Status {
    NEARDUP_TRY(options.context.check_cancel());
    std::vector<Entry> entries = gather(read, i, first_ranks);
    sort_entries(entries, scratch[static_cast<size_t>(thread)], low_bits);
    each_list(entries, is_reference, !options.references.empty(), [&](size_t begin, size_t end) {
      for (size_t k = begin; k < end; ++k)
        kept[i].push_back({entries[k].file, entries[k].weight | (k + 1 == end ? kLast : 0)});
    });
    return {};
  }));
  read.entries.clear();
  lists.treat_common(kept, read.files, options);
  lists.limit_crowds(kept);
  PostingBundles bundles = lists.join_lists(kept);
  if (bundles.postings().size() > UINT32_MAX)
    return fail(Code::kMemory, fmt::format("the files share {} fingerprints, more than 2^32; take a greater window, or "
                                           "fewer files",
                                           bundles.postings().size()));
  lists.postings_ = std::move(bundles.postings());
  lists.find_places(bundles.ends());
  return lists;
}

// What is common counts less, or nothing, in the files as in their pairs.
void PostingLists::treat_common(KeptLists& kept, std::vector<File>& files, const SimilarOptions& options) {
  common_limit_ = options.common_files != 0 ? options.common_files : std::max<uint64_t>(20, files.size() / 20);
  const bool counts = options.common == CommonPassages::kCount, ignores = options.common == CommonPassages::kIgnore;
  if (counts) common_weights_.resize(files.size());
  for (std::vector<Kept>& part : kept) {
    auto out = part.begin();
    for (auto begin = part.begin(), end = begin; begin != part.end(); begin = end) {
      while (!end->is_last()) ++end;
      const auto length = static_cast<uint64_t>(++end - begin);
      const bool is_common = length > common_limit_;
      num_common_ += is_common ? 1 : 0;
      for (auto posting = begin; is_common && posting != end; ++posting) {
        const uint32_t before = posting->weight();
        if (counts) common_weights_[numbers_[posting->rank]] += before;
        if (counts) continue;
        const auto after = static_cast<uint32_t>(ignores ? 0 : before * common_limit_ / length);
        files[numbers_[posting->rank]].weight -= before - after;
        posting->weight_and_last -= before - after;
      }
      if (!(ignores && is_common)) out = std::copy(begin, end, out);
    }
    part.erase(out, part.end());
  }
}

// All pairs of the lists that are no crowds are at most some 2^32, or 64 for each posting: bounded work, whatever the
// files are.
void PostingLists::limit_crowds(const KeptLists& kept) {
  std::array<double, 34> work{};  // by bits of the length
  size_t count = 0;
  Kept::each_list(kept, [&](auto begin, auto end) {
    const auto length = static_cast<double>(end - begin);
    work[static_cast<size_t>(std::bit_width(static_cast<size_t>(end - begin)))] += length * length / 2;
    count += static_cast<size_t>(end - begin);
  });
  const double budget = std::max(4294967296.0, 64.0 * static_cast<double>(count));
  int bits = 0;
  for (double sum = work[0]; bits < 33 && sum <= budget; sum += work[static_cast<size_t>(++bits)]) continue;
  crowd_limit_ = std::max(kLeastCrowd, bits == 33 ? UINT32_MAX : (uint64_t{1} << std::max(bits - 1, 0)) - 1);
}

// Crowds behind all others.
PostingBundles PostingLists::join_lists(KeptLists& kept) {
  PostingBundles bundles(num_small_);
  std::vector<Posting> list;
  const auto add = [&](auto begin, auto end) {
    list.clear();
    for (; begin != end; ++begin) list.push_back({begin->rank, begin->weight()});
    bundles.add(list);
  };
  const auto is_crowd = [this](auto begin, auto end) { return static_cast<uint64_t>(end - begin) > crowd_limit_; };
  Kept::each_list(kept, [&](auto begin, auto end) { is_crowd(begin, end) ? void(++num_crowds_) : add(begin, end); });
  first_crowd_ = bundles.postings().size();
  bundles.begin_part();
  if (num_crowds_ > 0)
    Kept::each_list(kept, [&](auto begin, auto end) {
      if (is_crowd(begin, end)) add(begin, end);
    });
  KeptLists().swap(kept);
  return bundles;
}

// Of large files only those in lists without small ones: pairs with these are counted from there.
void PostingLists::find_places(const std::vector<uint64_t>& ends) {
  const auto each_place = [&](const auto& each) {
    size_t begin = 0;
    for (const uint64_t end : ends) {
      const uint32_t rank_end = postings_[begin].rank < num_small_ ? num_small_ : UINT32_MAX;
      for (size_t slot = begin; slot < end && postings_[slot].rank < rank_end; ++slot) each(slot, end);
      begin = end;
    }
  };
  begins_.assign(numbers_.size() + 1, 0);
  each_place([&](size_t slot, size_t) { ++begins_[postings_[slot].rank + 1]; });
  for (size_t i = 0; i < numbers_.size(); ++i) begins_[i + 1] += begins_[i];
  places_.resize(begins_.back());
  std::vector<uint64_t> next(begins_.begin(), begins_.end() - 1);
  each_place([&](size_t slot, size_t end) {
    places_[next[postings_[slot].rank]++] = {static_cast<uint32_t>(slot), static_cast<uint32_t>(end)};
  });
}

}  // namespace neardup::sif
