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

bool are_idf_words(const JiebaView& view) {
  uint32_t begin = 0;
  std::string_view last;
  for (const uint32_t end : view.idf_ends) {
    if (end <= begin || end > view.idf_words.size()) return false;
    const std::string_view word = view.idf_words.substr(begin, end - begin);
    if (word <= last) return false;
    last = word;
    begin = end;
  }
  const auto fits = [](double x) { return std::isfinite(x) && x > 0; };
  return begin == view.idf_words.size() && (view.idf_ends.empty() || fits(view.median_idf)) &&
         std::all_of(view.idf_values.begin(), view.idf_values.end(), fits);
}

/// Returns what is wrong with the contents, empty where nothing is.
std::string_view find_fault(const JiebaView& view) {
  if (view.num_codes > kMaxCodes) return "it has too many characters";
  if (std::any_of(view.codes.begin(), view.codes.end(), [&](uint16_t c) { return c > view.num_codes; })) {
    return "a character has a code that does not exist";
  }
  if (!are_weights(view.weights) || !(view.unknown_weight <= 0) || !std::isfinite(view.unknown_weight)) {
    return "a weight is not the logarithm of a probability";
  }
  const auto is_value = [&](const TrieEntry& entry) { return entry.value() < view.weights.size(); };
  if (!std::all_of(view.entries.begin(), view.entries.end(), is_value) ||
      !is_sound_trie(view.entries, view.num_codes, kMaxWordCharacters)) {
    return "its words are not a trie";
  }
  if (!is_finite(view.start) || !std::all_of(view.transition.begin(), view.transition.end(), is_finite) ||
      !std::all_of(view.emission.begin(), view.emission.end(), is_finite)) {
    return "a probability is not a number";
  }
  return are_idf_words(view) ? "" : "its IDF words are not in order";
}

}  // namespace

Result<JiebaView> view_jieba(std::string_view bytes, const std::string& where) {
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
  if (const std::string_view fault = find_fault(view); !fault.empty()) return damaged(where, fault);
  return view;
}

}  // namespace neardup::token
