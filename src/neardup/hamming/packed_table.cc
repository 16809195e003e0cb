#include "neardup/hamming/packed_table.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace neardup::hamming {
namespace {

constexpr int kMaxDirectoryBits = 24;
constexpr int kSpreadBits = 6;  // leading bits of a word whose distribution is known
constexpr size_t kSpreadSize = (size_t{1} << kSpreadBits) + 1;
constexpr int kShareBits = 16;

std::span<const std::byte> bytes_of(std::span<const Section> sections, std::string_view name) {
  for (const Section& section : sections) {
    if (section.name == name) return section.bytes;
  }
  return {};
}

tl::unexpected<Error> damaged(const char* what) {
  return fail(Code::kCorruption, std::string("a packed table is damaged: ") + what + "; build the index again");
}

}  // namespace

PackedShape default_shape(uint64_t num_keys) {
  const int log2 = static_cast<int>(std::bit_width(num_keys)) - 1;
  return {std::clamp(log2 - 4, 0, kMaxDirectoryBits), 32};
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
  for (int flips = 0; flips <= std::min(flips_, places); ++flips) add_masks(flips, places, 0);
  runs_per_mask_ = uint64_t{1} << std::max(0, shape_.directory_bits - prefix_bits_);
}

// All masks of `flips` more ones among the `next_place` lowest of the places that may be flipped.
template <fingerprint::AnyFingerprint F>
void PackedTable<F>::add_masks(int flips, int next_place, uint32_t mask) {
  if (flips == 0) {
    masks_.push_back({mask, static_cast<uint32_t>(std::popcount(mask))});
    return;
  }
  const int unflipped = std::max(0, shape_.directory_bits - prefix_bits_);
  for (int place = flips - 1; place < next_place; ++place) {
    add_masks(flips - 1, place, mask | 1u << (place + unflipped));
  }
}

template <fingerprint::AnyFingerprint F>
PackedTable<F> PackedTable<F>::build(std::span<const F> keys, const TableLayout& layout, const PackedShape& shape) {
  PackedTable table(layout, shape, keys.size());
  table.bytes_ = StoredArray<uint8_t>(keys.size() * static_cast<size_t>(table.words_.width) + kWordPadding);
  table.view_words();
  for (size_t i = 0; i < keys.size(); ++i) {
    const uint32_t word = table.word_of(keys[i]);
    std::memcpy(table.bytes_.data() + i * static_cast<size_t>(table.words_.width), &word,
                static_cast<size_t>(table.words_.width));
  }
  table.directory_ = PackedDirectory(shape.directory_bits);
  std::vector<uint64_t> begins(PackedDirectory::kBlock + 1);
  uint64_t rank = 0;
  for (size_t block = 0; block < table.directory_.num_blocks(); ++block) {
    for (uint32_t place = 0; place <= PackedDirectory::kBlock; ++place) {
      const uint64_t group = block * PackedDirectory::kBlock + place;
      while (rank < keys.size() && table.group_of(keys[rank]) < group) ++rank;
      begins[place] = rank;
    }
    table.directory_.set_block(block, begins);
  }
  table.directory_.finish();
  table.measure_spread();
  return table;
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

template <fingerprint::AnyFingerprint F>
uint64_t PackedTable<F>::share_below(uint32_t word) const {
  const int rest_bits = shape_.word_bits - kSpreadBits;
  const uint32_t cell = word >> rest_bits;
  const uint64_t rest = word & ((1u << rest_bits) - 1);
  const uint64_t begin = spread_[cell], end = spread_[cell + 1];
  return begin + ((end - begin) * rest >> rest_bits);
}

template <fingerprint::AnyFingerprint F>
Result<PackedTable<F>> PackedTable<F>::open(std::span<const Section> sections, const TableLayout& layout,
                                            uint64_t size) {
  const auto shape = StoredArray<uint32_t>::of_bytes(bytes_of(sections, "shape"));
  if (shape.size() != 2 || shape[0] > kMaxDirectoryBits || (shape[1] != 24 && shape[1] != 32)) {
    return damaged("it has no valid shape");
  }
  PackedTable table(layout, {static_cast<int>(shape[0]), static_cast<int>(shape[1])}, size);
  NEARDUP_ASSIGN(table.directory_, PackedDirectory::open(sections, table.shape_.directory_bits, size));
  table.bytes_ = StoredArray<uint8_t>::of_bytes(bytes_of(sections, "words"));
  table.spread_ = StoredArray<uint32_t>::of_bytes(bytes_of(sections, "spread"));
  if (table.bytes_.size() != size * static_cast<uint64_t>(table.words_.width)) return damaged("words are missing");
  if (table.spread_.size() != kSpreadSize) return damaged("the spread of its words is missing");
  uint32_t last = 0;
  for (size_t i = 0; i < kSpreadSize; ++i) {
    if (table.spread_[i] < last || table.spread_[i] > 1u << kShareBits) return damaged("its spread does not ascend");
    last = table.spread_[i];
  }
  table.view_words();
  return table;
}

template <fingerprint::AnyFingerprint F>
std::vector<Section> PackedTable<F>::sections() const {
  static_assert(sizeof(int) == sizeof(uint32_t));
  std::vector<Section> sections{{"shape", std::as_bytes(std::span(&shape_, 1))}};
  directory_.append_sections(sections);
  sections.push_back({"spread", spread_.bytes()});
  sections.push_back({"words", std::as_bytes(std::span(words_.bytes, size_ * static_cast<size_t>(words_.width)))});
  return sections;
}

template <fingerprint::AnyFingerprint F>
WordTarget PackedTable<F>::target_of(F key) const {
  const int places = std::clamp(prefix_bits_ - shape_.directory_bits, 0, shape_.word_bits);
  const uint32_t free = places == 32 ? 0 : word_ones() >> places;
  const uint32_t word = word_of(key);
  return {word, word & ~free, word | free};
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::prefetch(F key, uint64_t first) const {
  const uint32_t group = group_of(key);
  const uint64_t end = std::min(num_windows(), first + kMaxWindows);
  for (uint64_t i = first; i < end; ++i) directory_.prefetch(group ^ masks_[i / runs_per_mask_].bits);
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::locate(F key, uint64_t first, int max_distance, Step& step) const {
  step.target = target_of(key);
  step.num_windows = 0;
  const uint32_t group = group_of(key);
  const uint64_t share_low = share_below(step.target.low), share_high = share_below(step.target.high);
  const int places_behind = prefix_bits_ - shape_.directory_bits;  // of the prefix, in the word
  const uint64_t end = std::min(num_windows(), first + kMaxWindows);
  const auto run_ones = static_cast<uint32_t>(runs_per_mask_ - 1);
  for (uint64_t i = first; i < end; ++i) {
    const Mask mask = masks_[i / runs_per_mask_];
    WordWindow& window = step.windows[step.num_windows];
    window.group = ((group ^ mask.bits) & ~run_ones) | static_cast<uint32_t>(i & run_ones);
    const int limit = max_distance - std::popcount(window.group ^ group);
    if (limit < 0) continue;
    const PackedDirectory::Range range = directory_.range(window.group);
    if (range.begin == range.end) continue;
    window.begin = range.begin;
    window.end = range.end;
    window.limit = static_cast<uint32_t>(limit);
    const uint64_t size = range.end - range.begin;
    const auto line = [&](uint64_t rank) { return words_.bytes + rank * static_cast<uint64_t>(words_.width); };
    if (places_behind <= 0 || static_cast<int>(mask.flips) < flips_) {
      window.guess = WordWindow::kWhole;
      const uint8_t* last = line(std::min(range.end, range.begin + 128) - 1);
      for (const uint8_t* at = line(range.begin); at < last; at += 64) __builtin_prefetch(at);
      __builtin_prefetch(last);
    } else {
      const uint64_t low = size * share_low >> kShareBits, high = size * share_high >> kShareBits;
      window.guess = static_cast<uint32_t>(std::min((low + high) / 2, size - 1));
      __builtin_prefetch(line(range.begin + low));
      __builtin_prefetch(line(range.begin + high));
    }
    ++step.num_windows;
  }
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::scan(F, const Step& step, std::vector<Candidate<F>>& out) const {
  thread_local std::vector<WordHit> hits;
  hits.clear();
  scan_windows(words_, step.target, {step.windows.data(), step.num_windows}, hits);
  for (const WordHit& hit : hits) out.push_back({key_of(step.windows[hit.window].group, hit.word), hit.rank});
}

template <fingerprint::AnyFingerprint F>
uint64_t PackedTable<F>::locate(F key) const {
  return equal_range(key, std::min(prefix_bits_, known_bits())).first;
}

template <fingerprint::AnyFingerprint F>
void PackedTable<F>::collect(F key, uint64_t hint, int max_distance, std::vector<Candidate<F>>& out) const {
  const auto [first, last] = equal_range(key, std::min(prefix_bits_, known_bits()));
  (void)hint;
  std::vector<F> keys(last - first);
  read_keys(first, keys);
  const F known = ~F{0} << (kBits - known_bits());
  for (uint64_t i = 0; i < keys.size(); ++i) {
    if (fingerprint::distance_of<F>(keys[i], key & known) <= max_distance) out.push_back({keys[i], first + i});
  }
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
