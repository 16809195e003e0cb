#include "neardup/sif/posting_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "neardup/base/radix_sort.h"
#include "neardup/base/threads.h"

namespace neardup::sif {
namespace {

constexpr uint32_t kLast = uint32_t{1} << 31, kCrowd = uint32_t{1} << 30;
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

// Calls list(begin, end) for the entries of each value that two files share and at least one keeps.
template <class List>
void each_list(const std::vector<Entry>& entries, const std::vector<File>& files, bool has_references,
               const List& list) {
  for (size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
    bool has_input = false, has_reference = false;
    uint64_t weight = 0;
    for (; end < entries.size() && entries[end].value == entries[begin].value; ++end) {
      (files[entries[end].file].is_reference ? has_reference : has_input) = true;
      weight += entries[end].weight;
    }
    if (end - begin > 1 && weight > 0 && (!has_references || (has_input && has_reference))) list(begin, end);
  }
}

// One bucket of all threads, its files replaced by the first equal ones.
std::vector<Entry> gather(ReadFiles& read, size_t bucket) {
  std::vector<Entry> all;
  size_t count = 0;
  for (EntryBuckets& thread : read.entries) count += thread.bucket(bucket).size();
  all.reserve(count);
  for (EntryBuckets& thread : read.entries) {
    std::vector<Entry> part = std::move(thread.bucket(bucket));
    all.insert(all.end(), part.begin(), part.end());
  }
  for (Entry& entry : all) entry.file = read.files[entry.file].same_as;
  return all;
}

size_t list_end(const std::vector<Posting>& postings, size_t begin) {
  while (!postings[begin].is_last()) ++begin;
  return begin + 1;
}

std::vector<Posting> postings_of(const std::vector<Entry>& entries, const std::vector<File>& files,
                                 bool has_references) {
  std::vector<Posting> postings;
  each_list(entries, files, has_references, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      postings.push_back({entries[i].file, entries[i].weight | (i + 1 == end ? kLast : 0)});
  });
  return postings;
}

}  // namespace

Result<PostingLists> PostingLists::build(ReadFiles& read, const SimilarOptions& options) {
  const size_t num_buckets = read.entries.empty() ? 0 : read.entries[0].num_buckets();
  const int low_bits = 64 - std::countr_zero(std::max<size_t>(num_buckets, 1));
  std::vector<std::vector<Posting>> parts(num_buckets);
  const int num_threads = resolve_num_threads(options.num_threads);
  std::vector<std::vector<Entry>> scratch(static_cast<size_t>(num_threads));
  NEARDUP_TRY(parallel_for(num_threads, num_buckets, [&](size_t i, int thread) -> Status {
    NEARDUP_TRY(options.context.check_cancel());
    std::vector<Entry> entries = gather(read, i);
    sort_entries(entries, scratch[static_cast<size_t>(thread)], low_bits);
    parts[i] = postings_of(entries, read.files, !options.references.empty());
    return {};
  }));
  PostingLists lists;
  size_t count = 0;
  for (const auto& part : parts) count += part.size();
  if (count > UINT32_MAX)
    return fail(Code::kMemory, fmt::format("the files share {} fingerprints, more than 2^32; take a greater window, or "
                                           "fewer files",
                                           count));
  lists.postings_.reserve(count);
  for (auto& part : parts) {
    lists.postings_.insert(lists.postings_.end(), part.begin(), part.end());
    part = std::vector<Posting>();
  }
  read.entries.clear();
  lists.treat_common(read.files, options);
  lists.mark_crowds();
  lists.find_slots(read.files.size());
  return lists;
}

// What is common counts less, or nothing, in the files as in their pairs.
void PostingLists::treat_common(std::vector<File>& files, const SimilarOptions& options) {
  common_limit_ = options.common_files != 0 ? options.common_files : std::max<uint64_t>(20, files.size() / 20);
  const bool counts = options.common == CommonPassages::kCount, ignores = options.common == CommonPassages::kIgnore;
  std::vector<Posting> kept;
  for (size_t begin = 0, end = 0; begin < postings_.size(); begin = end) {
    end = list_end(postings_, begin);
    const uint64_t length = end - begin;
    const bool is_common = length > common_limit_;
    num_common_ += is_common ? 1 : 0;
    for (size_t i = begin; !counts && is_common && i < end; ++i) {
      const uint32_t before = postings_[i].weight();
      const auto after = static_cast<uint32_t>(ignores ? 0 : before * common_limit_ / length);
      files[postings_[i].file].weight -= before - after;
      postings_[i].weight_and_last -= before - after;
    }
    if (!counts && !(ignores && is_common))
      kept.insert(kept.end(), postings_.begin() + static_cast<ptrdiff_t>(begin),
                  postings_.begin() + static_cast<ptrdiff_t>(end));
  }
  if (!counts) postings_ = std::move(kept);
}

// All pairs of the lists that are no crowds are at most some 2^32, or 64 for each posting: bounded work, whatever the
// files are.
void PostingLists::mark_crowds() {
  std::array<double, 34> work{};  // by bits of the length
  for (size_t begin = 0, end = 0; begin < postings_.size(); begin = end) {
    end = list_end(postings_, begin);
    const auto length = static_cast<double>(end - begin);
    work[static_cast<size_t>(std::bit_width(end - begin))] += length * length / 2;
  }
  const double budget = std::max(4294967296.0, 64.0 * static_cast<double>(postings_.size()));
  int bits = 0;
  for (double sum = work[0]; bits < 33 && sum <= budget; sum += work[static_cast<size_t>(++bits)]) continue;
  crowd_limit_ = std::max(kLeastCrowd, bits == 33 ? UINT32_MAX : (uint64_t{1} << std::max(bits - 1, 0)) - 1);
  for (size_t begin = 0, end = 0; begin < postings_.size(); begin = end) {
    end = list_end(postings_, begin);
    if (end - begin <= crowd_limit_) continue;
    ++num_crowds_;
    crowds_.emplace_back(begin, end);
    for (size_t i = begin; i < end; ++i) postings_[i].weight_and_last |= kCrowd;
  }
}

std::pair<size_t, size_t> PostingLists::crowd_around(size_t slot) const {
  return *std::prev(std::upper_bound(crowds_.begin(), crowds_.end(), std::pair<size_t, size_t>(slot, SIZE_MAX)));
}

void PostingLists::find_slots(size_t num_files) {
  begins_.assign(num_files + 1, 0);
  for (const Posting& posting : postings_) ++begins_[posting.file + 1];
  for (size_t i = 0; i < num_files; ++i) begins_[i + 1] += begins_[i];
  slots_.resize(postings_.size());
  std::vector<uint64_t> next(begins_.begin(), begins_.end() - 1);
  for (size_t slot = 0; slot < postings_.size(); ++slot)
    slots_[next[postings_[slot].file]++] = static_cast<uint32_t>(slot);
}

}  // namespace neardup::sif
