// Asked for every match of a query, once for each newer segment: so it is open addressing, half empty, one miss of the
// cache for each look-up (docs/design/updates.md). No number is reserved for a free place: the greatest one that is not
// in the set serves.
#include "neardup/store/document_set.h"

#include <algorithm>
#include <bit>

#include "neardup/base/hash.h"

namespace neardup::store {

DocumentSet::DocumentSet(std::vector<uint64_t> documents) {
  if (documents.empty()) return;
  std::sort(documents.begin(), documents.end());
  documents.erase(std::unique(documents.begin(), documents.end()), documents.end());
  free_ = UINT64_MAX;
  for (auto it = documents.rbegin(); it != documents.rend() && *it == free_; ++it) --free_;
  std::vector<uint64_t> slots(std::bit_ceil(2 * documents.size()), free_);
  for (const uint64_t document : documents) {
    size_t at = mix64(document) & (slots.size() - 1);
    while (slots[at] != free_) at = (at + 1) & (slots.size() - 1);
    slots[at] = document;
  }
  sorted_ = std::make_shared<const std::vector<uint64_t>>(std::move(documents));
  slots_ = std::make_shared<const std::vector<uint64_t>>(std::move(slots));
}

bool DocumentSet::contains(uint64_t document) const {
  if (empty() || document == free_) return false;
  const std::vector<uint64_t>& slots = *slots_;
  for (size_t at = mix64(document) & (slots.size() - 1); slots[at] != free_; at = (at + 1) & (slots.size() - 1))
    if (slots[at] == document) return true;
  return false;
}

}  // namespace neardup::store
