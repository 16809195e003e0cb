// Counters that several buckets share tell which ones may be crowded: none mostly, and then one pass is all. Else only
// the rows of such counters are looked at again, in ascending order, so that how many came before is the place of a row
// in its bucket. What both take is bounded: bands go in turn, and so do the buckets by their keys.
#include "neardup/join/late_rows.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "neardup/base/hash.h"
#include "neardup/join/block_hashes.h"

namespace neardup::join {
namespace {

// Calls use(row, i, hash of bands[i]) for all rows and some bands; those of a band in the order of rows.
template <class Use>
Status for_each_hash(const SignatureSource& source, std::span<const Band> bands, const Context& context,
                     const Use& use) {
  BlockHashes block_hashes(source);
  for (uint32_t block = 0; block < BlockHashes::num_blocks(source); ++block) {
    NEARDUP_TRY(context.check_cancel());
    NEARDUP_TRY(block_hashes.load(block));
    for (size_t i = 0; i < bands.size(); ++i) {
      NEARDUP_ASSIGN(const std::span<const uint64_t> hashes, block_hashes.of(bands[i]));
      for (uint32_t row = 0; row < hashes.size(); ++row) use(block_hashes.first_row() + row, i, hashes[row]);
    }
  }
  return {};
}

// How often keys came, of those from a first to a last one: as many as there is room for, the last one follows.
class BoundedCounts {
 public:
  explicit BoundedCounts(uint64_t memory_bytes) : most_slots_(std::bit_floor(memory_bytes / sizeof(Slot))) {}

  void begin(uint64_t first) {
    first_ = first;
    last_ = UINT64_MAX;
    used_ = 0;
    slots_.assign(kFewSlots, Slot());
  }
  [[nodiscard]] uint64_t last() const { return last_; }

  // Returns how often `key` came by now; 0 where it is not counted in this turn.
  uint32_t add(uint64_t key) {
    if (key < first_ || key > last_) return 0;
    Slot& slot = slot_of(key);
    if (slot.count == 0) {
      if (used_ >= slots_.size() / 4 * 3 && first_ < last_) {
        make_room();
        return add(key);
      }
      ++used_;
      slot.key = key;
    }
    return ++slot.count;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t count = 0;  // 0: free
  };
  static constexpr size_t kFewSlots = 1024;

  Slot& slot_of(uint64_t key) {
    size_t at = mix64(key) & (slots_.size() - 1);
    while (slots_[at].count != 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  // Twice as many slots, or else half of the keys.
  void make_room() {
    const bool may_grow = 2 * slots_.size() <= most_slots_;
    if (!may_grow) last_ = first_ + (last_ - first_) / 2;
    const std::vector<Slot> held = std::exchange(slots_, std::vector<Slot>(slots_.size() * (may_grow ? 2 : 1)));
    used_ = 0;
    for (const Slot& slot : held) {
      if (slot.count == 0 || slot.key > last_) continue;
      slot_of(slot.key) = slot;
      ++used_;
    }
  }

  const size_t most_slots_;
  std::vector<Slot> slots_;
  size_t used_ = 0;
  uint64_t first_ = 0, last_ = UINT64_MAX;
};

// Of the buckets of some bands.
class CrowdFinder {
 public:
  CrowdFinder(const SignatureSource& source, std::span<const Band> bands, uint32_t most, uint64_t memory_bytes)
      : source_(source),
        bands_(bands),
        most_(most),
        enough_(static_cast<uint8_t>(std::min(most, kMostCounted))),
        counters_(source.count / std::max(1U, enough_ / kSpread) + kFewCounters),
        at_once_(std::clamp<uint64_t>(memory_bytes / 2 / counters_, 1, bands.size())),
        counts_(counters_ * at_once_),
        members_(std::max(kLeastBytes, memory_bytes / 4)) {}

  // Calls late(row, band) for each late row, for some more than once.
  template <class Late>
  Status find(const Context& context, const Late& late) {
    for (size_t band = 0; band < bands_.size(); band += at_once_) {
      const size_t end = std::min(band + at_once_, bands_.size());
      NEARDUP_TRY(count(band, end, context));
      if (is_crowded_) NEARDUP_TRY(look_again(band, end, context, late));
    }
    return {};
  }

 private:
  static constexpr uint32_t kMostCounted = UINT8_MAX - 1;
  // A counter has so much fewer rows than make a crowd: of 16, four, it reaches them by chance once in a million.
  static constexpr uint32_t kSpread = 4;
  static constexpr uint64_t kFewCounters = 1024, kLeastBytes = uint64_t{1} << 16;

  // The bands from `band` to `end`.
  Status count(size_t band, size_t end, const Context& context) {
    is_crowded_ = false;
    std::ranges::fill(counts_, uint8_t{0});
    const auto bands = bands_.subspan(band, end - band);
    return for_each_hash(source_, bands, context, [&](uint32_t, size_t i, uint64_t hash) {
      uint8_t& count = counts_[counter_of(i, hash)];
      count = static_cast<uint8_t>(count + static_cast<int>(count <= enough_));
      is_crowded_ |= count > enough_;
    });
  }

  template <class Late>
  Status look_again(size_t band, size_t end, const Context& context, const Late& late) {
    const auto bands = bands_.subspan(band, end - band);
    for (uint64_t first = 0;; first = members_.last() + 1) {
      members_.begin(first);
      NEARDUP_TRY(for_each_hash(source_, bands, context, [&](uint32_t row, size_t i, uint64_t hash) {
        if (counts_[counter_of(i, hash)] <= enough_) return;
        if (members_.add(mix64(hash + band + i)) > most_) late(row, band + i);
      }));
      if (members_.last() == UINT64_MAX) return {};
    }
  }

  // By the lower half of the hash, of which all values are equally likely.
  [[nodiscard]] size_t counter_of(size_t place, uint64_t hash) const {
    return place * counters_ + (uint64_t{static_cast<uint32_t>(hash)} * counters_ >> 32);
  }

  const SignatureSource& source_;
  const std::span<const Band> bands_;
  const uint32_t most_;
  const uint8_t enough_;     // so many and one more in a counter may be a crowd
  const uint64_t counters_;  // of each band
  const size_t at_once_;     // bands
  std::vector<uint8_t> counts_;
  BoundedCounts members_;
  bool is_crowded_ = false;
};

}  // namespace

void LateRows::set(uint32_t row, size_t band) {
  if (none()) bits_.resize(num_rows_ * words_);
  bits_[row * words_ + band / 64] |= uint64_t{1} << band % 64;
}

Result<LateRows> find_late_rows(const SignatureSource& signatures, std::span<const Band> bands, uint32_t most_members,
                                uint64_t memory_bytes, const Context& context) {
  LateRows late(signatures.count, bands.size());
  if (most_members == 0) return late;
  CrowdFinder finder(signatures, bands, most_members, memory_bytes);
  NEARDUP_TRY(finder.find(context, [&](uint32_t row, size_t band) { late.set(row, band); }));
  return late;
}

}  // namespace neardup::join
