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

// A file may repeat a passage without end; what it holds of the filter is known once each value is there.
constexpr size_t kLeastHits = size_t{1} << 16;

void keep_first_of_equal(std::vector<Fingerprint>& hits) {
  std::sort(hits.begin(), hits.end(), [](const Fingerprint& a, const Fingerprint& b) {
    return a.value != b.value ? a.value < b.value : a.position < b.position;
  });
  const auto same = [](const Fingerprint& a, const Fingerprint& b) { return a.value == b.value; };
  hits.erase(std::unique(hits.begin(), hits.end(), same), hits.end());
}

const uint8_t* unsigned_bytes(std::string_view bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

}  // namespace

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
  hit_positions_.clear();
  if (selection_.kind == SelectionKind::kWinnow) mark_minima(bytes, begin, end, positions_);
  if (selection_.kind == SelectionKind::kSample) mark_zeros(bytes, begin, end, positions_);
  if (selection_.kind == SelectionKind::kAnchors) mark_anchors(bytes, begin, end, positions_);
}

// A position is kept if its key is the least of any window that holds it: if the greatest of those minima is its key.
void Selector::mark_minima(std::string_view bytes, uint64_t begin, uint64_t end, std::vector<uint64_t>& positions) {
  const uint64_t num_positions = bytes.size() - selection_.substring_bytes + 1;
  const uint64_t window = std::min<uint64_t>(selection_.window, num_positions), before = window - 1;
  const uint64_t first_window = begin > before ? begin - before : 0;
  const uint64_t last_window = std::min(end - 1, num_positions - window);
  const uint64_t num_windows = last_window - first_window + 1, num_keys = num_windows + before;
  const uint64_t count = end - begin;
  hashes_.resize(num_keys + kKernelPadding);
  keys_.resize(num_keys + kKernelPadding);
  hash_windows(unsigned_bytes(bytes) + first_window, num_keys, selection_.substring_bytes, scratch_, hashes_.data());
  order_keys(hashes_.data(), num_keys, keys_.data());
  // least_[i] is of window begin - before + i; those that are not there never are the greatest.
  const uint64_t missing = first_window + before - begin;
  least_.assign(count + before + window + 2 * kKernelPadding, 0);
  sliding_min(keys_.data(), num_windows, window, least_.data() + missing);
  std::fill(least_.begin() + static_cast<ptrdiff_t>(missing + num_windows), least_.end(), 0);
  best_.resize(count + window + kKernelPadding);
  sliding_max(least_.data(), count, window, best_.data());
  append_equal(keys_.data() + (begin - first_window), best_.data(), count, begin, positions);
  if (filter_ != nullptr) filter_->append_hits(hashes_.data() + (begin - first_window), count, begin, hit_positions_);
}

void Selector::mark_zeros(std::string_view bytes, uint64_t begin, uint64_t end, std::vector<uint64_t>& positions) {
  hashes_.resize(end - begin + kKernelPadding);
  hash_windows(unsigned_bytes(bytes) + begin, end - begin, selection_.substring_bytes, scratch_, hashes_.data());
  append_zeros(hashes_.data(), end - begin, (uint32_t{1} << selection_.zero_bits) - 1, begin, positions);
}

void Selector::mark_anchors(std::string_view bytes, uint64_t begin, uint64_t end, std::vector<uint64_t>& positions) {
  for (uint64_t i = begin; i < end; ++i) {
    const auto& anchors = anchors_[static_cast<uint8_t>(bytes[i])];
    const auto starts = [&](const std::string& anchor) { return bytes.substr(i, anchor.size()) == anchor; };
    if (!anchors.empty() && std::ranges::any_of(anchors, starts)) positions.push_back(i);
  }
}

// Substrings of paper and anchors do not overlap: behind one the search goes on at its end. Least ones may, or what
// winnowing promises would be gone; but of equal ones in a row, such as spaces, one is enough.
void Selector::keep(std::string_view bytes, std::vector<Fingerprint>& out) const {
  const bool may_overlap = selection_.kind == SelectionKind::kWinnow;
  for (const uint64_t position : positions_) {
    const bool overlaps = !out.empty() && position < out.back().position + selection_.substring_bytes;
    if (overlaps && !may_overlap) continue;
    const uint64_t value = hash64(bytes.substr(position, selection_.substring_bytes));
    if (!overlaps || value != out.back().value) out.push_back({value, position});
  }
}

void Selector::keep_hits(std::string_view bytes, std::vector<Fingerprint>& hits) {
  for (const uint64_t position : hit_positions_)
    hits.push_back({hash64(bytes.substr(position, selection_.substring_bytes)), position});
  if (hits.size() < most_hits_) return;
  keep_first_of_equal(hits);
  most_hits_ = std::max(kLeastHits, 2 * hits.size());
}

void Selector::select(std::string_view bytes, std::vector<Fingerprint>& out, const HashFilter* filter,
                      std::vector<Fingerprint>* hits) {
  out.clear();
  if (hits != nullptr) hits->clear();
  filter_ = hits != nullptr && filter != nullptr && !filter->empty() ? filter : nullptr;
  most_hits_ = kLeastHits;
  if (bytes.size() < selection_.substring_bytes) return;
  const uint64_t num_positions = bytes.size() - selection_.substring_bytes + 1;
  for (uint64_t begin = 0; begin < num_positions; begin += kBlock) {
    mark(bytes, begin, std::min(num_positions, begin + kBlock));
    keep(bytes, out);
    if (filter_ != nullptr) keep_hits(bytes, *hits);
  }
}

}  // namespace neardup::sif
