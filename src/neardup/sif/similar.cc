#include "neardup/sif/similar.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "neardup/base/disjoint_sets.h"
#include "neardup/base/radix_sort.h"
#include "neardup/base/sizes.h"
#include "neardup/base/threads.h"
#include "neardup/sif/entries.h"
#include "neardup/sif/find_files.h"
#include "neardup/sif/fingerprint_file.h"
#include "neardup/sif/index_folder.h"
#include "neardup/sif/posting_lists.h"
#include "neardup/sif/read_files.h"
#include "neardup/sif/value_filter.h"
#include "neardup/sif/verify_pairs.h"

namespace neardup::sif {
namespace {

// Estimates so much below the threshold are verified, too: one that is too low by this much is rare (docs/similar.md).
constexpr float kVerifyMargin = 0.15F;

Status check_options(const SimilarOptions& options) {
  if (options.inputs.empty()) return fail(Code::kInvalidArgument, "no files are given; give files or folders");
  NEARDUP_TRY(check_share("the threshold", options.threshold));
  return check_selection(options.selection);
}

// What the fingerprints of a file take. What it holds of those of small files comes on top, once it is read.
double expected_bytes(uint64_t size_bytes, const SimilarOptions& options) {
  constexpr uint64_t kFilterBytes = ValueFilter::kBitsForEach / 8;
  const uint64_t each = kEntryBytes + (may_be_small(size_bytes, options) ? kFilterBytes : 0);
  return expected_fingerprints(size_bytes, options) * static_cast<double>(each);
}

Status check_sizes(const FoundFiles& found, const SimilarOptions& options) {
  uint64_t bytes = 0;
  double expected = 0;
  for (const FoundFile& file : found.files) {
    bytes += file.stamp.size_bytes;
    expected += expected_bytes(file.stamp.size_bytes, options);
  }
  if (found.files.size() > UINT32_MAX / 2)
    return fail(Code::kUnsupported, fmt::format("{} files are too many for one run", found.files.size()));
  const uint64_t need = static_cast<uint64_t>(expected) + fixed_bytes(found.files, options);
  if (need <= options.memory_bytes) return {};
  return fail(
      Code::kMemory,
      fmt::format("{} files of {} in all need about {} of memory, more than the limit of {}; raise "
                  "the limit, or compare parts of them",
                  found.files.size(), human_bytes(static_cast<double>(bytes)), human_bytes(static_cast<double>(need)),
                  human_bytes(static_cast<double>(options.memory_bytes))));
}

SimilarPair equal_pair(uint32_t a, uint32_t b) { return {a, b, 1, 1, true, true}; }

// Inputs whose bytes a reference has, too, be they as short as they may.
void add_equal_references(const std::vector<File>& files, std::vector<SimilarPair>& pairs) {
  std::map<std::pair<Hash128, uint64_t>, uint32_t> references;
  for (uint32_t i = 0; i < files.size(); ++i)
    if (files[i].is_reference && files[i].is_read) references.try_emplace({files[i].checksum, files[i].size_bytes}, i);
  std::map<uint32_t, uint32_t> equal;
  for (uint32_t i = 0; i < files.size() && !files[i].is_reference; ++i) {
    const auto found = references.find({files[i].checksum, files[i].size_bytes});
    if (files[i].is_read && files[i].same_as == i && found != references.end()) equal.emplace(i, found->second);
  }
  std::erase_if(pairs, [&](const SimilarPair& pair) {
    const auto found = equal.find(pair.a);
    return found != equal.end() && found->second == pair.b;
  });
  for (const auto& [input, reference] : equal) pairs.push_back(equal_pair(input, reference));
}

// Files of one side that are equal but for their endings, which name different languages: the folded ones may differ.
void add_equal_of_other_languages(const std::vector<File>& files, std::vector<SimilarPair>& pairs) {
  std::map<std::tuple<Hash128, uint64_t, bool>, uint32_t> firsts;
  std::map<std::pair<uint32_t, uint32_t>, SimilarPair> equal;
  for (uint32_t i = 0; i < files.size(); ++i) {
    if (!files[i].is_read || files[i].same_as != i) continue;
    const auto [first, is_new] = firsts.try_emplace({files[i].checksum, files[i].size_bytes, files[i].is_reference}, i);
    if (!is_new) equal[{first->second, i}] = equal_pair(first->second, i);
  }
  std::erase_if(pairs, [&](const SimilarPair& pair) { return equal.contains({pair.a, pair.b}); });
  for (const auto& [numbers, pair] : equal)
    if (!files[pair.a].is_reference) pairs.push_back(pair);
}

// Equal references count where one of them is in a pair.
void add_equal(const std::vector<File>& files, std::vector<SimilarPair>& pairs) {
  std::vector<char> in_pair(files.size(), 0);
  for (const SimilarPair& pair : pairs) in_pair[pair.b] = 1;
  for (uint32_t i = 0; i < files.size(); ++i)
    if (files[i].same_as != i && (!files[i].is_reference || in_pair[files[i].same_as] != 0))
      pairs.push_back(equal_pair(files[i].same_as, i));
}

// Whether pairs near the threshold are counted: weights of common passages have no counterpart in counts.
bool has_doubts(const SimilarOptions& options) { return !options.verify && options.common == CommonPassages::kCount; }

// By file: how far off the threshold a share of it is looked at.
std::vector<float> margins_of(const std::vector<File>& files, const SimilarOptions& options) {
  std::vector<float> margins(files.size(), options.verify ? kVerifyMargin : 0.0F);
  if (has_doubts(options))
    std::ranges::transform(files, margins.begin(), [&](const File& file) { return doubt_of(file, options); });
  return margins;
}

// An estimate near the threshold may stand on the wrong side of it. Those pairs are counted, the others stay estimates.
Status settle_doubts(std::vector<SimilarPair>& pairs, const std::vector<File>& files, const std::vector<float>& margins,
                     const SimilarOptions& options) {
  const auto threshold = static_cast<float>(options.threshold);
  const auto doubtful = std::partition(pairs.begin(), pairs.end(), [&](const SimilarPair& pair) {
    return pair.a_in_b - margins[pair.a] > threshold || pair.b_in_a - margins[pair.b] > threshold;
  });
  return verify_pairs(pairs, static_cast<size_t>(doubtful - pairs.begin()), files, options);
}

// What is left of a share where as much of the file as `common` is in the other one, and counts for nothing. All that
// is common is taken for shared: what more is left would be listed anyhow.
float without_common(float share, float common) {
  return common >= 1 ? 0 : std::max(0.0F, share - common) / (1 - common);
}

// How many of the pairs would not be there without passages in very many files. `weights`: of these, by file.
uint64_t count_by_common(const std::vector<SimilarPair>& pairs, const std::vector<File>& files,
                         const std::vector<uint64_t>& weights, const SimilarOptions& options) {
  std::vector<float> common(weights.size(), 0.0F);
  for (size_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) common[i] = static_cast<float>(weights[i]) / static_cast<float>(files[i].weight);
  const auto threshold = static_cast<float>(options.threshold);
  return static_cast<uint64_t>(std::ranges::count_if(pairs, [&](const SimilarPair& pair) {
    return !common.empty() && !pair.is_equal && without_common(pair.a_in_b, common[pair.a]) < threshold &&
           without_common(pair.b_in_a, common[pair.b]) < threshold;
  }));
}

// The lists are gone when it returns: verification needs the memory.
Result<std::vector<SimilarPair>> estimated_pairs(ReadFiles& read, const std::vector<float>& margins,
                                                 const SimilarOptions& options, SimilarFiles& result,
                                                 std::vector<uint64_t>& common_weights) {
  NEARDUP_ASSIGN(const PostingLists lists, PostingLists::build(read, options));
  result.num_common = lists.num_common();
  common_weights = lists.common_weights();
  result.common_limit = lists.common_limit();
  result.num_crowds = lists.num_crowds();
  result.crowd_limit = lists.crowd_limit();
  std::vector<float> least(margins.size());
  std::ranges::transform(margins, least.begin(),
                         [&](float margin) { return std::max(0.0F, static_cast<float>(options.threshold) - margin); });
  return count_shared(lists, read.files, least, options);
}

// Ascends where the similarity of pairs falls; equal ones are first: the bits of positive numbers ascend as these do.
constexpr auto kMostBits = std::bit_cast<uint32_t>(1.0F);
uint32_t sort_key(const SimilarPair& pair) {
  return pair.is_equal ? 0 : kMostBits + 1 - std::bit_cast<uint32_t>(pair.similarity());
}

// By key, a and b: by digits from the last one on where there are many. Those that differ in so many bits only.
void sort_part(std::span<SimilarPair> pairs, std::vector<SimilarPair>& scratch, int key_bits, int file_bits) {
  constexpr size_t kFew = 512;
  if (pairs.size() < kFew) {
    const auto words = [](const SimilarPair& pair) { return std::tuple(sort_key(pair), pair.a, pair.b); };
    std::ranges::sort(pairs, {}, words);
    return;
  }
  scratch.resize(std::max(scratch.size(), pairs.size()));
  std::span<SimilarPair> from = pairs, to = std::span(scratch).first(pairs.size());
  const auto sort_by = [&](int num_bits, const auto& word_of) {
    for (int shift = 0; shift < num_bits; shift += kRadixBits) {
      sort_by_digit(std::span<const SimilarPair>(from), to, shift, word_of);
      std::swap(from, to);
    }
  };
  sort_by(file_bits, [](const SimilarPair& pair) { return pair.b; });
  sort_by(file_bits, [](const SimilarPair& pair) { return pair.a; });
  sort_by(key_bits, sort_key);
  if (from.data() != pairs.data()) std::ranges::copy(from, pairs.begin());
}

// Parts of 1/1024 to 1/2048, from a quarter on, and finer ones below; all that is less than 1/16 is in the last one.
constexpr int kLowBits = 14;
constexpr uint32_t kLastPart = (1 << kRadixBits) - 1;

// Equal ones first, then by similarity, a and b. Pairs may be millions: those of about the same similarity are put
// together, and then sorted in the caches.
Status sort_pairs(std::vector<SimilarPair>& pairs, size_t num_files, const SimilarOptions& options) {
  const auto part_of = [](const SimilarPair& pair) { return std::min(sort_key(pair) >> kLowBits, kLastPart); };
  std::vector<SimilarPair> sorted(pairs.size());
  sort_by_digit(std::span<const SimilarPair>(pairs), std::span(sorted), 0, part_of);
  pairs.swap(sorted);
  std::vector<SimilarPair>().swap(sorted);
  // All are found before threads move what a search may look at.
  std::vector<size_t> begins;
  for (uint32_t part = 0; part <= kLastPart + 1; ++part)
    begins.push_back(static_cast<size_t>(std::ranges::lower_bound(pairs, part, {}, part_of) - pairs.begin()));
  const int num_threads = resolve_num_threads(options.num_threads);
  std::vector<std::vector<SimilarPair>> scratch(static_cast<size_t>(num_threads));
  return parallel_for(num_threads, kLastPart + 1, [&](size_t part, int thread) -> Status {
    NEARDUP_TRY(options.context.check_cancel());
    const auto found = std::span(pairs).subspan(begins[part], begins[part + 1] - begins[part]);
    sort_part(found, scratch[static_cast<size_t>(thread)],
              part == kLastPart ? static_cast<int>(std::bit_width(kMostBits + 1)) : kLowBits,
              static_cast<int>(std::bit_width(num_files)));
    return {};
  });
}

}  // namespace

Result<SimilarFiles> find_similar(const SimilarOptions& options) {
  NEARDUP_TRY(check_options(options));
  NEARDUP_ASSIGN(FoundFiles found, find_files(options));
  NEARDUP_TRY(check_sizes(found, options));
  std::optional<IndexFolder> index;
  if (!options.index_folder.empty()) {
    NEARDUP_ASSIGN(index, IndexFolder::open(options.index_folder, options));
  }
  NEARDUP_ASSIGN(ReadFiles read, read_files(found.files, options, index ? &*index : nullptr));
  index.reset();
  SimilarFiles result;
  const std::vector<float> margins = margins_of(read.files, options);
  std::vector<uint64_t> common_weights;
  NEARDUP_ASSIGN(std::vector<SimilarPair> pairs, estimated_pairs(read, margins, options, result, common_weights));
  if (options.verify) {
    NEARDUP_TRY(verify_pairs(pairs, 0, read.files, options));
    for (const SimilarPair& pair : pairs) result.num_estimates += pair.is_exact ? 0 : 1;
  } else if (has_doubts(options)) {
    NEARDUP_TRY(settle_doubts(pairs, read.files, margins, options));
  }
  result.num_by_common = count_by_common(pairs, read.files, common_weights, options);
  if (options.fold == Fold::kCode) add_equal_of_other_languages(read.files, pairs);
  if (!options.references.empty()) add_equal_references(read.files, pairs);
  add_equal(read.files, pairs);
  NEARDUP_TRY(sort_pairs(pairs, read.files.size(), options));
  result.pairs = std::move(pairs);
  result.skipped = std::move(found.skipped);
  result.skipped.insert(result.skipped.end(), read.skipped.begin(), read.skipped.end());
  std::sort(result.skipped.begin(), result.skipped.end(),
            [](const SkippedFile& a, const SkippedFile& b) { return a.path < b.path; });
  result.read_bytes = read.read_bytes;
  result.num_reused = read.num_reused;
  for (const File& file : read.files) {
    result.num_read += file.is_read ? 1 : 0;
    result.num_fingerprints += file.num_fingerprints;
  }
  result.files = std::move(read.files);
  return result;
}

std::vector<std::vector<uint32_t>> groups_of(const std::vector<SimilarPair>& pairs, size_t num_files) {
  DisjointSets sets(static_cast<uint32_t>(num_files));
  for (const SimilarPair& pair : pairs) sets.unite(pair.a, pair.b);
  std::map<uint32_t, std::vector<uint32_t>> by_root;
  std::vector<char> in_pair(num_files, 0);
  for (const SimilarPair& pair : pairs) in_pair[pair.a] = in_pair[pair.b] = 1;
  for (uint32_t i = 0; i < num_files; ++i)
    if (in_pair[i] != 0) by_root[sets.find(i)].push_back(i);
  std::vector<std::vector<uint32_t>> groups;
  for (auto& [root, group] : by_root) groups.push_back(std::move(group));
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return groups;
}

}  // namespace neardup::sif
