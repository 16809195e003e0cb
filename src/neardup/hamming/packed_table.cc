// A key is known by its first places only. The group's number, its leading d places, stands nowhere: a directory of
// about 1.2 bytes a group says where each group begins. Behind it 24 or 32 places of each key, one word after the
// other; what is missing stands once, in the records of the first table. So a key of a table costs 24 to 33 bits
// instead of 64, and a bucket is one line of memory, sometimes two.
// Within a group words ascend. A bucket is looked for where the spread of a sample says; a wrong guess costs time,
// never a key (packed_scan.cc).
// Invariant of masks_: ordered by their number of flips, so all windows of a class have the same distance left for the
// words. Where flips are left for the places behind the directory, a group is read whole: they stay in it, and no
// further window is needed.
// Why it is made so, with figures: docs/design/hamming_index.md; what did not help: bench/DEAD_ENDS.md. Why no match is
// missed: docs/hamming.md, Plans.
#include "neardup/hamming/packed_table.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <string>

#include "neardup/hamming/section.h"

namespace neardup::hamming {
namespace {

constexpr int kMaxDirectoryBits = 24;
constexpr int kSpreadBits = 6;  // leading bits of a word whose distribution is known
constexpr size_t kSpreadSize = (size_t{1} << kSpreadBits) + 1;
constexpr int kShareBits = 16;

tl::unexpected<Error> damaged(const char* what) { return fail(Code::kCorruption, what); }

}  // namespace

// Groups of 16 to 31 keys: log2(n) less 4 places, as many as a shared cache can hold the directory of.
PackedShape default_shape(uint64_t num_keys) {
  const int log2 = static_cast<int>(std::bit_width(num_keys)) - 1;
  return {std::clamp(log2 - 4, 0, kMaxDirectoryBits), 32};
}

namespace {

// The share of differences in `bits` random bits that have at most `ones` ones.
double share_below(int bits, int ones) {
  double sum = 0, term = 1;
  for (int i = 0; i <= std::min(ones, bits); ++i) {
    sum += term;
    term = term * (bits - i) / (i + 1);
  }
  return sum / std::exp2(bits);
}

// How many leading places of a key of the first table are among the first `known` of this one.
int first_places_in(const TableLayout& layout, const TableLayout& first, int known) {
  const auto end = layout.order.begin() + known;
  int places = 0;
  while (places < known && std::find(layout.order.begin(), end, first.order[static_cast<size_t>(places)]) != end) {
    ++places;
  }
  return places;
}

}  // namespace

PackedShape shape_beside_first(const Plan& plan, size_t table, uint64_t num_keys) {
  constexpr double kFewFalse = 0.1, kFewInFirst = 128;
  PackedShape shape = default_shape(num_keys);
  const TableLayout& layout = plan.tables[table];
  const int known = shape.directory_bits + 24, behind = known - layout.prefix_bits;
  if (behind <= 0) return shape;
  const auto keys = static_cast<double>(num_keys);
  // What a query reads, how much of it the words let pass wrongly, and among how many keys of the first table a
  // candidate is then looked for.
  const double visited = keys * num_probes(layout) / std::exp2(layout.prefix_bits);
  const double found = visited * share_below(behind, plan.max_distance - layout.flips);
  const double in_first = keys / std::exp2(first_places_in(layout, plan.tables.front(), known));
  if (found <= kFewFalse && in_first <= kFewInFirst) shape.word_bits = 24;
  return shape;
}

template <fingerprint::AnyFingerprint F>
PackedTable<F>::PackedTable(const TableLayout& layout, const PackedShape& shape, uint64_t size)
    : shape_(shape), prefix_bits_(layout.prefix_bits), flips_(layout.flips), size_(size) {
  words_.width = shape.word_bits / 8;
  make_masks();
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::make_masks() {
  const int places = std::min(shape_.directory_bits, prefix_bits_);
  run_ones_ = (1u << (shape_.directory_bits - places)) - 1;
  for (int flips = 0; flips <= std::min(flips_, places); ++flips) {
    add_masks(flips, places, 0);
    class_ends_.push_back(static_cast<uint32_t>(masks_.size()));
  }
  // Only masks that use up all flips leave none behind the directory: they lead to a bucket, all others to whole
  // groups.
  const bool has_places_behind = prefix_bits_ > shape_.directory_bits;
  num_runs_ = class_ends_.back();
  if (has_places_behind && flips_ <= places) num_runs_ = flips_ == 0 ? 0 : class_ends_[static_cast<size_t>(flips_) - 1];
}

// All masks of `flips` more ones in the places below end_place, counted from the last one that may be flipped.
template <fingerprint::AnyFingerprint F>
void PackedTable<F>::add_masks(int flips, int end_place, uint32_t mask) {
  if (flips == 0) return masks_.push_back(mask);
  for (int place = flips - 1; place < end_place; ++place) {
    add_masks(flips - 1, place, mask | (run_ones_ + 1) << place);
  }
}

template <fingerprint::AnyFingerprint F>
PackedTable<F> PackedTable<F>::build(std::span<const F> keys, const TableLayout& layout, const PackedShape& shape) {
  Builder builder(layout, keys.size(), shape);
  builder.put(0, keys);
  return builder.finish(keys.size());
}

template <fingerprint::AnyFingerprint F>
PackedTable<F>::Builder::Builder(const TableLayout& layout, uint64_t max_keys, const PackedShape& shape)
    : table_(layout, shape, max_keys), counts_(size_t{1} << shape.directory_bits) {
  table_.bytes_ = StoredArray<uint8_t>(max_keys * static_cast<size_t>(table_.words_.width) + kWordPadding);
  table_.view_words();
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::Builder::put(uint64_t rank, std::span<const F> keys) {
  const auto width = static_cast<size_t>(table_.words_.width);
  uint8_t* to = table_.bytes_.data() + rank * width;
  uint32_t group = 0, count = 0;
  // Another thread may have keys of the first group and of the last.
  const auto add = [&] { std::atomic_ref(counts_.data()[group]).fetch_add(count, std::memory_order_relaxed); };
  for (const F key : keys) {
    const uint32_t word = table_.word_of(key), own = table_.group_of(key);
    std::memcpy(to, &word, width);
    to += width;
    if (own != group) {
      add();
      group = own;
      count = 0;
    }
    ++count;
  }
  add();
}

// Counts first, directory last: parts are put in any order by any thread, and the directory is the same.
template <fingerprint::AnyFingerprint F>
PackedTable<F> PackedTable<F>::Builder::finish(uint64_t size) {
  table_.size_ = size;
  table_.directory_ = PackedDirectory(table_.shape_.directory_bits);
  std::vector<uint64_t> begins(PackedDirectory::kBlock + 1);
  size_t group = 0;
  for (size_t block = 0; block < table_.directory_.num_blocks(); ++block) {
    begins.front() = begins.back();
    for (uint32_t place = 0; place < PackedDirectory::kBlock; ++place, ++group) {
      begins[place + 1] = begins[place] + (group < counts_.size() ? counts_.data()[group] : 0);
    }
    table_.directory_.set_block(block, begins);
  }
  table_.directory_.finish();
  table_.measure_spread();
  return std::move(table_);
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::view_words() {
  words_.bytes = std::as_const(bytes_).data();
}

// The words of a sample of ranks tell how the leading bits of a word are spread, in all groups alike.
template <fingerprint::AnyFingerprint F>
void PackedTable<F>::measure_spread() {
  spread_ = StoredArray<uint32_t>(kSpreadSize);
  constexpr uint64_t kSample = uint64_t{1} << 16;
  const uint64_t sample = std::min(kSample, size_);
  std::vector<uint64_t> counts(kSpreadSize);
  for (uint64_t i = 0; i < sample; ++i) {
    ++counts[(words_[size_ / sample * i] >> (shape_.word_bits - kSpreadBits)) + 1];
  }
  uint64_t sum = 0;
  for (size_t i = 0; i < kSpreadSize; ++i) {
    sum += counts[i];
    spread_.data()[i] = static_cast<uint32_t>(sample == 0 ? 0 : (sum << kShareBits) / sample);
  }
}

// Linear between the 64 cells of the sample: right where bits are biased, and for even ones off by a rank or two.
template <fingerprint::AnyFingerprint F>
uint64_t PackedTable<F>::share_below(uint32_t word) const {
  const int rest_bits = shape_.word_bits - kSpreadBits;
  const uint32_t cell = word >> rest_bits;
  const uint64_t rest = word & ((1u << rest_bits) - 1);
  const uint64_t begin = spread_[cell], end = spread_[cell + 1];
  return begin + ((end - begin) * rest >> rest_bits);
}

template <fingerprint::AnyFingerprint F>
Result<PackedTable<F>> PackedTable<F>::open(std::span<const TableSection> sections, const TableLayout& layout,
                                            uint64_t size) {
  NEARDUP_ASSIGN(const auto shape_bytes, find_section(sections, "shape", sizeof(PackedShape)));
  const auto shape = StoredArray<uint32_t>::of_bytes(shape_bytes);
  if (shape[0] > kMaxDirectoryBits || (shape[1] != 24 && shape[1] != 32))
    return damaged("a packed table has no valid shape");
  PackedTable table(layout, {static_cast<int>(shape[0]), static_cast<int>(shape[1])}, size);
  NEARDUP_ASSIGN(table.directory_, PackedDirectory::open(sections, table.shape_.directory_bits, size));
  NEARDUP_ASSIGN(const auto words, find_section(sections, "words", size * static_cast<uint64_t>(table.words_.width)));
  NEARDUP_ASSIGN(const auto spread, find_section(sections, "spread", kSpreadSize * sizeof(uint32_t)));
  table.bytes_ = StoredArray<uint8_t>::of_bytes(words);
  table.spread_ = StoredArray<uint32_t>::of_bytes(spread);
  // What is checked here keeps every guess within its group, whatever the file says.
  uint32_t last = 0;
  for (size_t i = 0; i < kSpreadSize; ++i) {
    if (table.spread_[i] < last || table.spread_[i] > 1u << kShareBits)
      return damaged("the spread of a packed table does not ascend");
    last = table.spread_[i];
  }
  table.view_words();
  return table;
}

template <fingerprint::AnyFingerprint F>
std::vector<TableSection> PackedTable<F>::sections() const {
  static_assert(sizeof(int) == sizeof(uint32_t));
  std::vector<TableSection> sections{{"shape", std::as_bytes(std::span(&shape_, 1))}};
  directory_.append_sections(sections);
  sections.push_back({"spread", spread_.bytes()});
  sections.push_back({"words", std::as_bytes(std::span(words_.bytes, size_ * static_cast<size_t>(words_.width)))});
  return sections;
}

// The places of the prefix that lie in the word are fixed, those behind it may be anything.
template <fingerprint::AnyFingerprint F>
WordTarget PackedTable<F>::target_of(F key) const {
  const int places = std::clamp(prefix_bits_ - shape_.directory_bits, 0, shape_.word_bits);
  const uint32_t free = places == 32 ? 0 : word_ones() >> places;
  const uint32_t word = word_of(key);
  return {word, word & ~free, word | free};
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::prefetch_run(uint64_t begin, uint64_t end) const {
  constexpr uint64_t kWords = 128;  // what follows is read in order: the processor sees that by itself
  const uint8_t* last = address_of(std::min(end, begin + kWords)) - 1;
  for (const uint8_t* at = address_of(begin); at < last; at += 64) __builtin_prefetch(at, 0, 2);
  __builtin_prefetch(last, 0, 2);
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::locate_runs(uint32_t group, uint32_t begin, uint32_t end, Step& step) const {
  for (uint32_t i = begin; i < end; ++i) {
    const PackedDirectory::Range run = run_of(group ^ masks_[i]);
    step.windows[i - step.first] = {run.begin, run.end, 0, 0};
    prefetch_run(run.begin, run.end);
  }
}

// Both ends are asked for, with a margin: a fifth of the buckets reach into the next line. To the second cache, since
// the first has too few places for lines on their way (9.4 against 6.5 ns a line, bench/DEAD_ENDS.md).
template <fingerprint::AnyFingerprint F>
void PackedTable<F>::locate_buckets(uint32_t group, const WordTarget& target, uint32_t begin, uint32_t end,
                                    Step& step) const {
  constexpr uint64_t kMargin = 4;                              // ranks; how far off a bucket mostly stands at most
  constexpr uint64_t kMost = (uint64_t{1} << kShareBits) - 1;  // so that a guess stays within its group
  // All groups are taken to be spread alike, so where the bucket begins in its group is computed once for all windows.
  const uint64_t share_low = std::min(share_below(target.low), kMost);
  const uint64_t share_high = std::min(share_below(target.high), kMost);
  const uint64_t width = static_cast<uint64_t>(words_.width);
  const uint8_t* bytes = words_.bytes;
  const uint32_t* masks = masks_.data();
  WordWindow* windows = step.windows.data() - step.first;
  for (uint32_t i = begin; i < end; ++i) {
    const PackedDirectory::Range range = directory_.range(group ^ masks[i]);
    const uint64_t size = range.end - range.begin;
    const uint64_t low = range.begin + (size * share_low >> kShareBits);
    const uint64_t high = range.begin + (size * share_high >> kShareBits);
    windows[i] = {range.begin, range.end, std::max(low, range.begin + kMargin) - kMargin,
                  std::min(high + kMargin + 1, std::max(range.end, range.begin + 1)) - 1};
    __builtin_prefetch(bytes + windows[i].low * width, 0, 2);
    __builtin_prefetch(bytes + windows[i].high * width, 0, 2);
  }
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::prefetch(F key, uint64_t first) const {
  const uint32_t group = group_of(key);
  const uint64_t end = std::min<uint64_t>(masks_.size(), first + kMaxWindows);
  for (uint64_t i = first; i < end; ++i) directory_.prefetch(group ^ masks_[i]);
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::locate(F key, uint64_t first, int max_distance, Step& step) const {
  const auto from = static_cast<uint32_t>(first);
  const auto end = static_cast<uint32_t>(std::min<uint64_t>(masks_.size(), first + kMaxWindows));
  step.first = from;
  step.num_windows = end - from;
  step.max_distance = max_distance;
  if (from < num_runs_) locate_runs(group_of(key), from, std::min(end, num_runs_), step);
  if (end > num_runs_) locate_buckets(group_of(key), target_of(key), std::max(from, num_runs_), end, step);
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::scan(F key, const Step& step, std::vector<WordHit>& hits,
                          std::vector<TableCandidate<F>>& out) const {
  const WordTarget target = target_of(key);
  const uint32_t end = step.first + step.num_windows;
  uint32_t begin = step.first;
  hits.clear();
  for (size_t flips = 0; flips < class_ends_.size() && begin < end; ++flips) {
    const uint32_t stop = std::min(end, class_ends_[flips]);
    const int limit = step.max_distance - static_cast<int>(flips);  // the group has taken the flips
    if (stop <= begin) continue;
    if (limit < 0) break;
    const std::span<const WordWindow> windows(step.windows.data() + (begin - step.first), stop - begin);
    if (begin < num_runs_) {  // a class is whole runs or buckets
      scan_runs(words_, target.word, windows, limit, begin, hits);
    } else {
      scan_buckets_near(words_, target, windows, limit, begin, hits);
    }
    begin = stop;
  }
  const F known = ~F{0} << (kBits - known_bits());
  for (const WordHit& hit : hits) {
    uint32_t group = group_of(key) ^ masks_[hit.window];
    // A run of groups: places of the directory behind the prefix differ freely, and must be counted too.
    if (run_ones_ != 0) group = directory_.group_of(hit.rank);
    const F found = key_of(group, hit.word);
    const bool within = run_ones_ == 0 || fingerprint::distance_of<F>(found, key & known) <= step.max_distance;
    if (within) out.push_back({found, hit.rank});
  }
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::prefetch_equal(F key, int places) const {
  if (places <= shape_.directory_bits) {
    const uint32_t group = group_of(key), ones = (1u << (shape_.directory_bits - places)) - 1;
    return prefetch_run(directory_.range(group & ~ones).begin, directory_.range(group | ones).end);
  }
  const auto [begin, end] = directory_.range(group_of(key));
  __builtin_prefetch(address_of(begin + ((end - begin) * share_below(word_of(key)) >> kShareBits)), 0, 2);
}

template <fingerprint::AnyFingerprint F>
std::pair<uint64_t, uint64_t> PackedTable<F>::equal_range(F key, int places) const {
  const int behind = places - shape_.directory_bits;
  const uint32_t group = group_of(key);
  if (behind <= 0) {
    const uint32_t ones = static_cast<uint32_t>((uint64_t{1} << -behind) - 1);
    return {directory_.range(group & ~ones).begin, directory_.range(group | ones).end};
  }
  const uint32_t free = behind >= shape_.word_bits ? 0 : word_ones() >> behind;
  const uint32_t low = word_of(key) & ~free, high = word_of(key) | free;
  const auto [begin, end] = directory_.range(group);
  const uint64_t first =
      lower_bound_word(words_, begin, end, begin + ((end - begin) * share_below(low) >> kShareBits), low);
  return {first, lower_bound_word(words_, first, end, first, uint64_t{high} + 1)};
}

template <fingerprint::AnyFingerprint F>
F PackedTable<F>::key_at(uint64_t rank) const {
  return key_of(directory_.group_of(rank), words_[rank]);
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::read_keys(uint64_t first, std::span<F> keys) const {
  if (keys.empty()) return;
  uint32_t group = directory_.group_of(first);
  uint64_t end = directory_.range(group).end;
  for (uint64_t i = 0; i < keys.size(); ++i) {
    while (first + i >= end) end = directory_.range(++group).end;
    keys[i] = key_of(group, words_[first + i]);
  }
}

template class PackedTable<fingerprint::Fingerprint>;
template class PackedTable<fingerprint::Fingerprint128>;

}  // namespace neardup::hamming
