// Items are told by what is missing, not by where they begin: the mark of a title says that a text is a list, and no
// border of an item has to be kept of it. Only lists that would go are looked at.
#include "neardup/verify/lists.h"

#include <algorithm>
#include <vector>

#include "neardup/token/numbers.h"
#include "neardup/verify/content_rule.h"
#include "neardup/verify/shingles.h"

namespace neardup::verify {
namespace {

constexpr auto kListNgram = static_cast<size_t>(kContentNgram);

// Returns how many tokens a list's title has, the mark behind it included; 0 where a text is none.
size_t title_size(std::span<const uint32_t> tokens) {
  const auto beginning = tokens.first(std::min(tokens.size(), kMostListTitle));
  const auto mark = std::ranges::find(beginning, token::kListHeadingEnd);
  return mark == beginning.end() ? 0 : static_cast<size_t>(mark - beginning.begin()) + 1;
}

std::vector<uint32_t> ngrams_in_order(std::span<const uint32_t> tokens) {
  std::vector<uint32_t> hashes;
  verify::hash_ngrams(tokens, kListNgram, hashes);
  return hashes;
}

}  // namespace

bool is_list(std::span<const uint32_t> tokens) { return title_size(tokens) != 0; }

uint64_t count_missing(std::span<const uint32_t> list, std::span<const uint32_t> kept) {
  const size_t title = title_size(list);
  std::vector<uint32_t> named = ngrams_in_order(list.first(title));
  std::ranges::sort(named);
  const auto has = [](std::span<const uint32_t> sorted, uint32_t hash) {
    return std::binary_search(sorted.begin(), sorted.end(), hash);
  };
  const std::vector<uint32_t> hashes = ngrams_in_order(list);
  uint64_t missing = 0;
  size_t said_end = title;  // what stands before this is said
  for (size_t at = 0; at < hashes.size(); ++at) {
    if (!has(kept, hashes[at]) && !has(named, hashes[at])) continue;
    if (at >= said_end + kLeastMissing) missing += at - said_end;
    said_end = std::max(said_end, at + kListNgram);
  }
  return list.size() >= said_end + kLeastMissing ? missing + list.size() - said_end : missing;
}

bool lists_more(std::span<const uint32_t> kept, std::span<const uint32_t> gone) {
  if (!is_list(gone)) return false;
  return is_much_missing(count_missing(gone, make_shingle_set(kept, kContentNgram).hashes), gone.size());
}

Verdict of_missing_items(const Verdict& verdict) {
  return {.similarity = static_cast<float>(kMissingItemsLeft * static_cast<double>(verdict.similarity))};
}

}  // namespace neardup::verify
