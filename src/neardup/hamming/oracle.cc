// The two slowest ways, made so plain that each can be seen to be right: one looks at everything that is stored, the
// other at everything that a match could be. They share no code with the tables, nor with each other, and must agree on
// exhaustive small universes (tests/agree/hamming/universe_test.cc) before anything is held against them.
// Bits that are the same in all stored values are not flipped one by one: a query that differs there has spent these
// differences already, whichever value it meets. That is what makes all flips bearable in small universes.
#include "neardup/hamming/oracle.h"

#include <algorithm>

namespace neardup::hamming {

using fingerprint::AnyFingerprint;

template <AnyFingerprint F>
void linear_scan(std::span<const F> fingerprints, std::span<const uint64_t> documents, F query, int max_distance,
                 std::vector<Match<F>>& matches) {
  for (size_t i = 0; i < fingerprints.size(); ++i) {
    const int distance = fingerprint::distance_of<F>(fingerprints[i], query);
    if (distance <= max_distance) matches.push_back({documents.empty() ? i : documents[i], fingerprints[i], distance});
  }
}

template <AnyFingerprint F>
FlipList<F>::FlipList(std::span<const F> fingerprints, std::span<const uint64_t> documents) {
  entries_.reserve(fingerprints.size());
  for (size_t i = 0; i < fingerprints.size(); ++i) {
    entries_.push_back({fingerprints[i], documents.empty() ? i : documents[i]});
    varying_ |= fingerprints[i] ^ fingerprints[0];
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.fingerprint < b.fingerprint; });
}

template <AnyFingerprint F>
void FlipList<F>::query(F query, int max_distance, std::vector<Match<F>>& matches) const {
  if (entries_.empty()) return;
  const F forced = (query ^ entries_[0].fingerprint) & static_cast<F>(~varying_);
  const int flips = max_distance - fingerprint::count_ones<F>(forced);
  if (flips >= 0) flip(query ^ forced, query, 0, flips, matches);
}

template <AnyFingerprint F>
void FlipList<F>::look_up(F value, F query, std::vector<Match<F>>& matches) const {
  auto entry = std::lower_bound(entries_.begin(), entries_.end(), value,
                                [](const Entry& a, const F& b) { return a.fingerprint < b; });
  for (; entry != entries_.end() && entry->fingerprint == value; ++entry) {
    matches.push_back({entry->document, value, fingerprint::distance_of<F>(value, query)});
  }
}

// Each set of bits once: only bits after the last one flipped are flipped next.
template <AnyFingerprint F>
void FlipList<F>::flip(F value, F query, int first_bit, int flips, std::vector<Match<F>>& matches) const {
  look_up(value, query, matches);
  if (flips == 0) return;
  for (int bit = first_bit; bit < fingerprint::kBitsOf<F>; ++bit) {
    const F mask = F{1} << bit;
    if ((varying_ & mask) != 0) flip(value ^ mask, query, bit + 1, flips - 1, matches);
  }
}

#define NEARDUP_INSTANTIATE(F)                                                                                 \
  template void linear_scan<F>(std::span<const F>, std::span<const uint64_t>, F, int, std::vector<Match<F>>&); \
  template class FlipList<F>;

NEARDUP_INSTANTIATE(fingerprint::Fingerprint)
NEARDUP_INSTANTIATE(fingerprint::Fingerprint128)
#undef NEARDUP_INSTANTIATE

}  // namespace neardup::hamming
