#include "neardup/sif/fingerprint_file.h"

#include <algorithm>
#include <bit>

#include "neardup/base/hash.h"
#include "neardup/sif/polynomial.h"

namespace neardup::sif {
namespace {

constexpr size_t kKeptFingerprints = size_t{1} << 20;  // work arrays of larger files are not kept for the next one

constexpr uint64_t kSubstringsForEach = 64;  // of a small file, for each substring of its window: some 100 are kept

// The window of a small file, or that of the options where it is less.
uint32_t window_of(uint64_t num_substrings, const Selection& selection) {
  const uint64_t window = std::bit_ceil((num_substrings + kSubstringsForEach - 1) / kSubstringsForEach);
  return static_cast<uint32_t>(std::min<uint64_t>(std::max<uint64_t>(window, kFineWindow), selection.window));
}

uint64_t most_small_bytes(const SimilarOptions& options) {
  constexpr uint64_t kFoldedBytes = 4;  // of code, for one that is left
  const uint64_t most = kSmallSubstrings + options.selection.substring_bytes - 1;
  if (options.selection.kind != SelectionKind::kWinnow) return 0;
  return options.fold == Fold::kNone ? most : kFoldedBytes * most;
}

// One entry of equal ones. What a small file has was counted once, at one of them. Of a large one each stands for what
// is around it, the first and the last of a row for something else: the one in the middle is of the usual kind.
uint32_t weight_of_equal(std::vector<Entry>::const_iterator begin, std::vector<Entry>::const_iterator end,
                         bool is_small) {
  uint64_t sum = 0;
  const auto first = std::find_if(begin, end, [](const Entry& entry) { return entry.weight > 0; });
  if (!is_small) return first == end ? 0 : (first + (end - first - 1) / 2)->weight;
  for (auto entry = first; entry != end; ++entry) sum += entry->weight;
  return static_cast<uint32_t>(std::min<uint64_t>(sum, kMaxWeight));
}

}  // namespace

bool may_be_small(uint64_t file_bytes, const SimilarOptions& options) {
  return file_bytes <= most_small_bytes(options);
}

double expected_fingerprints(uint64_t file_bytes, const SimilarOptions& options) {
  const Selection& selection = options.selection;
  const double length = selection.substring_bytes;
  const double substrings = std::max(0.0, static_cast<double>(file_bytes) - length + 1);
  if (selection.kind == SelectionKind::kAnchors) return substrings / length;
  if (selection.kind == SelectionKind::kSample)
    return substrings / std::max(length, static_cast<double>(uint64_t{1} << selection.zero_bits));
  const uint32_t window = substrings <= static_cast<double>(kSmallSubstrings)
                              ? window_of(static_cast<uint64_t>(substrings), selection)
                              : selection.window;
  return substrings * 2 / (window + 1.0);
}

// Measured: bench/results/similar.md. Of large files more ends count than one, and they are few.
float doubt_of(const File& file, const SimilarOptions& options) {
  constexpr float kOfLarge = 0.03F, kOfFine = 0.75F, kOfWindow = 0.5F, kMost = 0.1F;
  if (!file.is_small || file.weight == 0) return kOfLarge;
  const uint32_t window = window_of(file.weight, options.selection);
  const float ends = (window == kFineWindow ? kOfFine : kOfWindow) * static_cast<float>(window);
  return std::min(kMost, ends / static_cast<float>(file.weight));
}

Fingerprinter::Fingerprinter(const SimilarOptions& options)
    : selection_(options.selection), most_small_bytes_(most_small_bytes(options)) {
  Selection selection = selection_;
  for (uint64_t window = kFineWindow; window * kSubstringsForEach <= kSmallSubstrings; window *= 2) {
    selection.window = std::min(static_cast<uint32_t>(window), selection_.window);
    selectors_.emplace_back(selection);
  }
  selectors_.emplace_back(selection_);
}

bool Fingerprinter::is_small(std::string_view text, uint64_t file_bytes) const {
  const uint64_t length = selection_.substring_bytes;
  return file_bytes <= most_small_bytes_ && text.size() >= length && text.size() - length < kSmallSubstrings;
}

void Fingerprinter::fingerprint(std::string_view text, uint64_t file_bytes, const ValueFilter* filter,
                                FileFingerprints& out) {
  out.kept.clear();
  out.fine.clear();
  out.is_small = is_small(text, file_bytes);
  Selector* selector = &selectors_.back();
  if (out.is_small) {
    const uint64_t num_substrings = text.size() - selection_.substring_bytes + 1;
    selector = &selectors_[static_cast<size_t>(
        std::countr_zero(std::bit_ceil((num_substrings - 1) / (kFineWindow * kSubstringsForEach) + 1)))];
  }
  selector->select(text, fingerprints_, &out.fine, filter);
  out.is_small ? weigh_small(text, out.kept) : weigh(text, out.kept);
}

void Fingerprinter::release() {
  if (fingerprints_.capacity() > kKeptFingerprints) std::vector<Fingerprint>().swap(fingerprints_);
}

// Where the substrings end that stand nearer to fingerprint i than to another one.
uint64_t Fingerprinter::end_of_part(size_t i, uint64_t num_substrings) const {
  return i + 1 == fingerprints_.size() ? num_substrings
                                       : (fingerprints_[i].position + fingerprints_[i + 1].position) / 2 + 1;
}

void Fingerprinter::weigh(std::string_view text, std::vector<Weighed>& out) const {
  uint64_t begin = 0;
  for (size_t i = 0; i < fingerprints_.size(); ++i) {
    const uint64_t end = end_of_part(i, text.size() - selection_.substring_bytes + 1);
    out.push_back({fingerprints_[i].value, static_cast<uint32_t>(std::min<uint64_t>(end - begin, kMaxWeight))});
    begin = end;
  }
}

// One turn a text, so that the table need not be emptied. It is at most half full.
bool Fingerprinter::is_new(uint32_t polynomial) {
  const uint64_t mine = turn_ << 32 | polynomial;
  for (size_t i = mix64(polynomial) & (seen_.size() - 1);; i = (i + 1) & (seen_.size() - 1)) {
    if (seen_[i] == mine) return false;
    if (seen_[i] >> 32 == turn_) continue;
    seen_[i] = mine;
    return true;
  }
}

// A substring that comes more than once counts where it comes first.
void Fingerprinter::weigh_small(std::string_view text, std::vector<Weighed>& out) {
  const size_t length = selection_.substring_bytes;
  seen_.resize(2 * kSmallSubstrings);
  turn_ = turn_ == UINT32_MAX ? 1 : turn_ + 1;
  RollingPolynomial rolling(text.substr(0, length));
  uint64_t begin = 0;
  for (size_t i = 0; i < fingerprints_.size(); ++i) {
    uint32_t weight = 0;
    const uint64_t end = end_of_part(i, text.size() - length + 1);
    for (; begin < end; ++begin) {
      weight += is_new(rolling.value()) ? 1 : 0;
      if (begin + length < text.size()) rolling.roll(text[begin], text[begin + length]);
    }
    out.push_back({fingerprints_[i].value, weight});
  }
}

void make_entries(const FileFingerprints& fingerprints, const ValueFilter& filter, uint32_t number, uint32_t scale,
                  File& file, std::vector<Entry>& entries) {
  entries.clear();
  for (const Weighed& one : fingerprints.kept) entries.push_back({one.value, number, one.weight});
  for (const uint64_t value : fingerprints.fine)
    if (filter.may_hold(value)) entries.push_back({value, number, 0});
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.value != b.value ? a.value < b.value : a.weight < b.weight;
  });
  file.is_small = fingerprints.is_small;
  auto out = entries.begin();
  for (auto begin = entries.begin(), end = begin; begin != entries.end(); begin = end) {
    while (end != entries.end() && end->value == begin->value) ++end;
    const uint64_t weight = uint64_t{scale} * weight_of_equal(begin, end, file.is_small);
    const Entry one{begin->value, number, static_cast<uint32_t>(std::min<uint64_t>(weight, kMaxWeight))};
    *out++ = one;
    file.weight += one.weight;
    file.num_fingerprints += one.weight > 0 ? 1 : 0;
  }
  entries.erase(out, entries.end());
}

}  // namespace neardup::sif
