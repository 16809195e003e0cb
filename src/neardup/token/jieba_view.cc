// The bytes of a compiled dictionary -> checked arrays.
#include "neardup/token/jieba_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "neardup/base/hash.h"
#include "neardup/token/jieba_file.h"

namespace neardup::token {
namespace {

tl::unexpected<Error> damaged(const std::string& where, std::string_view what) {
  return fail(Code::kCorruption,
              fmt::format("compiled dictionary '{}' is damaged: {}; remove it, and it is made again", where, what));
}

/// Takes arrays off the front; each is filled up to a multiple of 8 bytes.
class Arrays {
 public:
  explicit Arrays(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  std::span<const T> take(uint64_t count) {
    const uint64_t size = (count * sizeof(T) + 7) / 8 * 8;  // counts have at most 32 bits
    if (size > rest_.size()) {
      ok_ = false;
      return {};
    }
    const auto* values = reinterpret_cast<const T*>(rest_.data());
    rest_.remove_prefix(size);
    return {values, count};
  }
  [[nodiscard]] bool complete() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

bool is_finite(const Emission& row) {
  return std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); });
}

/// Log weights: minus infinity is no word; what is above 0 or not a number would break the comparison of routes.
bool are_weights(std::span<const double> weights) {
  return !weights.empty() && std::isinf(weights[0]) &&
         std::all_of(weights.begin(), weights.end(), [](double x) { return x <= 0; });
}

/// Whether each step stays within the entries, each value within the weights, and no entry carries the label 0: the
/// zeros behind a block then end every walk. Without a branch, so that the compiler makes vectors of it: a difference
/// that is below zero sets the highest bit.
bool are_within_bounds(std::span<const TrieEntry> entries, size_t num_labels, size_t num_weights) {
  if (entries.size() < num_labels + kRootBase + 1) return false;
  const uint64_t max_base = entries.size() - 1 - num_labels, max_value = num_weights - 1;
  uint64_t below_zero = 0;
  for (const TrieEntry& entry : entries) {
    below_zero |= max_base - entry.base();
    below_zero |= max_value - entry.value();
    below_zero |= uint64_t{entry.label()} - 1;
  }
  return below_zero >> 63 == 0;
}

/// Whether the IDF words lie one behind the other and fill their space.
bool are_idf_words(const JiebaView& view) {
  uint32_t begin = 0;
  for (const uint32_t end : view.idf_ends) {
    if (end <= begin) return false;
    begin = end;
  }
  const auto fits = [](double x) { return std::isfinite(x) && x > 0; };
  return begin == view.idf_words.size() && (view.idf_ends.empty() || fits(view.median_idf)) &&
         std::all_of(view.idf_values.begin(), view.idf_values.end(), fits);
}

bool do_idf_words_ascend(const JiebaView& view) {
  uint32_t begin = 0;
  std::string_view last;
  for (const uint32_t end : view.idf_ends) {
    const std::string_view word = view.idf_words.substr(begin, end - begin);
    if (word <= last) return false;
    last = word;
    begin = end;
  }
  return true;
}

/// Returns what would make a reader leave the arrays or compute with what is no number, empty where nothing does.
std::string_view find_fault(const JiebaView& view) {
  if (view.num_codes > kMaxCodes) return "it has too many characters";
  if (std::any_of(view.codes.begin(), view.codes.end(), [&](uint16_t c) { return c > view.num_codes; })) {
    return "a character has a code that does not exist";
  }
  if (!are_weights(view.weights) || !(view.unknown_weight <= 0) || !std::isfinite(view.unknown_weight)) {
    return "a weight is not the logarithm of a probability";
  }
  if (!are_within_bounds(view.entries, view.num_codes, view.weights.size())) {
    return "an entry of its trie points outside of it";
  }
  if (!is_finite(view.start) || !std::all_of(view.transition.begin(), view.transition.end(), is_finite) ||
      !std::all_of(view.emission.begin(), view.emission.end(), is_finite)) {
    return "a probability is not a number";
  }
  return are_idf_words(view) ? "" : "its IDF words do not fit their space, or a value is not above 0";
}

/// Returns what would make a reader find wrong words, or walk for longer than the longest word.
std::string_view find_disorder(const JiebaView& view) {
  if (!is_sound_trie(view.entries, view.num_codes, kMaxWordCharacters)) return "its words are not a trie";
  return do_idf_words_ascend(view) ? "" : "its IDF words are not in order";
}

}  // namespace

Result<JiebaView> view_jieba(std::string_view bytes, const std::string& where, DictionaryCheck check) {
  JiebaHeader header;
  const size_t size = bytes.size();
  if (!bytes.starts_with(kJiebaMagic)) {
    return fail(Code::kCorruption, fmt::format("'{}' is not a compiled dictionary of neardup", where));
  }
  if (size < sizeof(header) + 16 || size % 8 != 0) return damaged(where, "it is cut short");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.version != kJiebaVersion) {
    return damaged(where, fmt::format("it has version {}, this program reads {}", header.version, kJiebaVersion));
  }
  uint64_t checksum[2];
  std::memcpy(checksum, bytes.data() + size - 16, 16);
  if (hash128(bytes.substr(0, size - 16)) != Hash128{checksum[0], checksum[1]}) {
    return damaged(where, "its checksum does not fit");
  }
  JiebaView view;
  Arrays arrays(bytes.substr(sizeof(header), size - sizeof(header) - 16));
  view.codes = arrays.take<uint16_t>(kNumCodePoints);
  view.num_codes = header.num_codes;
  view.entries = arrays.take<TrieEntry>(header.num_entries);
  view.weights = arrays.take<double>(header.num_weights);
  view.emission = arrays.take<Emission>(uint64_t{header.num_codes} + 1);
  view.idf_ends = arrays.take<uint32_t>(header.num_idf);
  view.idf_values = arrays.take<double>(header.num_idf);
  const std::span<const char> pool = arrays.take<char>(std::min<uint64_t>(header.idf_words_bytes, size));
  view.idf_words = {pool.data(), pool.size()};
  if (!arrays.complete()) return damaged(where, "its sizes do not add up");
  view.first_forced = header.first_forced;
  view.unknown_weight = header.unknown_weight;
  view.median_idf = header.median_idf;
  view.start = header.start;
  view.transition = header.transition;
  view.id = bytes.substr(offsetof(JiebaHeader, id), kJiebaIdBytes);
  std::string_view fault = find_fault(view);
  if (fault.empty() && check == DictionaryCheck::kAll) fault = find_disorder(view);
  if (!fault.empty()) return damaged(where, fault);
  return view;
}

}  // namespace neardup::token
