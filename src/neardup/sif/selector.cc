#include "neardup/sif/selector.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/hash.h"

namespace neardup::sif {
namespace {

constexpr uint64_t kBlock = 2048;  // positions that are looked at together: their arrays stay in the first cache

// Endings of frequent words, one in some 60 bytes of English prose and of source code. The paper's own are such.
const std::vector<std::string>& usual_anchors() {
  static const std::vector<std::string> anchors = {"tion", "ment", "turn", "self", "ing ", "ent ", "ate ", "the "};
  return anchors;
}

Status check_between(const char* what, uint32_t number, uint32_t least, uint32_t most) {
  if (number >= least && number <= most) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("{} must lie between {} and {}, found {}", what, least, most, number));
}

const uint8_t* unsigned_bytes(std::string_view bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

}  // namespace

uint64_t value_of(std::string_view substring) { return hash64(substring) & ~uint64_t{0xffffff}; }

Status check_selection(const Selection& selection) {
  NEARDUP_TRY(check_between("the length of a substring", selection.substring_bytes, kMinSubstring, kMaxSubstring));
  NEARDUP_TRY(check_between("the window", selection.window, kMinWindow, kMaxWindow));
  NEARDUP_TRY(check_between("the number of zero bits", selection.zero_bits, 0, kMaxZeroBits));
  for (const std::string& anchor : selection.anchors) {
    if (anchor.empty() || anchor.size() > selection.substring_bytes)
      return fail(Code::kInvalidArgument,
                  fmt::format("an anchor has 1 to {} bytes, found '{}'", selection.substring_bytes, anchor));
  }
  return {};
}

Selector::Selector(const Selection& selection) : selection_(selection), anchors_(256) {
  for (const std::string& anchor : selection.anchors.empty() ? usual_anchors() : selection.anchors)
    anchors_[static_cast<uint8_t>(anchor[0])].push_back(anchor);
}

void Selector::mark(std::string_view bytes, uint64_t begin, uint64_t end) {
  positions_.clear();
  fine_positions_.clear();
  if (selection_.kind == SelectionKind::kWinnow) mark_minima(bytes, begin, end);
  if (selection_.kind == SelectionKind::kSample) mark_zeros(bytes, begin, end);
  if (selection_.kind == SelectionKind::kAnchors) mark_anchors(bytes, begin, end);
}

// The keys of all windows that hold a position of the block, and which are least in them.
void Selector::mark_minima(std::string_view bytes, uint64_t begin, uint64_t end) {
  const uint64_t num_positions = bytes.size() - selection_.substring_bytes + 1;
  const uint64_t window = std::min<uint64_t>(selection_.window, num_positions), before = window - 1;
  first_key_ = begin > before ? begin - before : 0;
  const uint64_t num_keys = std::min(end + before, num_positions) - first_key_;
  hashes_.resize(num_keys + kKernelPadding);
  keys_.resize(num_keys + kKernelPadding);
  hash_windows(unsigned_bytes(bytes) + first_key_, num_keys, selection_.substring_bytes, scratch_, hashes_.data());
  order_keys(hashes_.data(), num_keys, keys_.data());
  append_minima(begin, end, num_positions, window, positions_);
  if (is_fine_) append_minima(begin, end, num_positions, std::min<uint64_t>(kFineWindow, window), fine_positions_);
}

// A position is kept if its key is the least of any window that holds it: if the greatest of those minima is its key.
void Selector::append_minima(uint64_t begin, uint64_t end, uint64_t num_positions, uint64_t window,
                             std::vector<uint64_t>& positions) {
  const uint64_t before = window - 1, count = end - begin;
  const uint64_t first_window = begin > before ? begin - before : 0;
  const uint64_t last_window = std::min(end - 1, num_positions - window);
  const uint64_t num_windows = last_window - first_window + 1;
  // least_[i] is of window begin - before + i; those that are not there never are the greatest.
  const uint64_t missing = first_window + before - begin;
  least_.assign(count + before + window + 2 * kKernelPadding, 0);
  sliding_min(keys_.data() + (first_window - first_key_), num_windows, window, least_.data() + missing);
  std::fill(least_.begin() + static_cast<ptrdiff_t>(missing + num_windows), least_.end(), 0);
  best_.resize(count + window + kKernelPadding);
  sliding_max(least_.data(), count, window, best_.data());
  append_equal(keys_.data() + (begin - first_key_), best_.data(), count, begin, positions);
}

void Selector::mark_zeros(std::string_view bytes, uint64_t begin, uint64_t end) {
  hashes_.resize(end - begin + kKernelPadding);
  hash_windows(unsigned_bytes(bytes) + begin, end - begin, selection_.substring_bytes, scratch_, hashes_.data());
  append_zeros(hashes_.data(), end - begin, (uint32_t{1} << selection_.zero_bits) - 1, begin, positions_);
}

void Selector::mark_anchors(std::string_view bytes, uint64_t begin, uint64_t end) {
  for (uint64_t i = begin; i < end; ++i) {
    const auto& anchors = anchors_[static_cast<uint8_t>(bytes[i])];
    const auto starts = [&](const std::string& anchor) { return bytes.substr(i, anchor.size()) == anchor; };
    if (!anchors.empty() && std::ranges::any_of(anchors, starts)) positions_.push_back(i);
  }
}

// Substrings of paper and anchors do not overlap: behind one the search goes on at its end. Least ones may, or what
// winnowing promises would be gone; but of equal ones in a row, such as spaces, one is enough.
void Selector::keep(std::string_view bytes, std::vector<Fingerprint>& out) const {
  const bool may_overlap = selection_.kind == SelectionKind::kWinnow;
  for (const uint64_t position : positions_) {
    const bool overlaps = !out.empty() && position < out.back().position + selection_.substring_bytes;
    if (overlaps && !may_overlap) continue;
    const uint64_t value = value_of(bytes.substr(position, selection_.substring_bytes));
    if (!overlaps || value != out.back().value) out.push_back({value, position});
  }
}

// The filter is larger than the caches: all that is looked at of it is fetched first.
void Selector::keep_fine(std::string_view bytes, std::vector<uint64_t>& fine, const ValueFilter* filter) {
  fine_values_.clear();
  size_t next = 0;
  for (const uint64_t position : fine_positions_) {
    if (next < positions_.size() && positions_[next] == position) {
      ++next;
      continue;
    }
    fine_values_.push_back(value_of(bytes.substr(position, selection_.substring_bytes)));
    if (filter != nullptr) filter->expect(fine_values_.back());
  }
  for (const uint64_t value : fine_values_) {
    const bool repeats = !fine.empty() && fine.back() == value;
    if (!repeats && (filter == nullptr || filter->may_hold(value))) fine.push_back(value);
  }
}

void Selector::select(std::string_view bytes, std::vector<Fingerprint>& out, std::vector<uint64_t>* fine,
                      const ValueFilter* filter) {
  out.clear();
  if (fine != nullptr) fine->clear();
  is_fine_ = fine != nullptr && selection_.kind == SelectionKind::kWinnow;
  if (bytes.size() < selection_.substring_bytes) return;
  const uint64_t num_positions = bytes.size() - selection_.substring_bytes + 1;
  for (uint64_t begin = 0; begin < num_positions; begin += kBlock) {
    mark(bytes, begin, std::min(num_positions, begin + kBlock));
    keep(bytes, out);
    if (is_fine_) keep_fine(bytes, *fine, filter);
  }
}

}  // namespace neardup::sif
