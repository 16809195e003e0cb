// Counters that several buckets share tell which ones may be crowded: none mostly, and then one pass is all. Else only
// the rows of such counters are looked at again, in ascending order, so that how many came before is the place of a row
// in its bucket.
#include "neardup/join/late_rows.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "neardup/base/hash.h"

namespace neardup::join {
namespace {

constexpr uint32_t kLateRowsAtOnce = 1024;

// Calls use(row, its values) for all rows, in order.
template <class Use>
Status for_each_row(const SignatureSource& source, const Context& context, const Use& use) {
  const auto width = static_cast<size_t>(source.num_values);
  std::vector<uint32_t> rows;
  std::vector<uint16_t> values;
  for (uint64_t first = 0; first < source.count; first += kLateRowsAtOnce) {
    NEARDUP_TRY(context.check_cancel());
    rows.resize(std::min<uint64_t>(kLateRowsAtOnce, source.count - first));
    std::iota(rows.begin(), rows.end(), static_cast<uint32_t>(first));
    values.resize(rows.size() * width);
    NEARDUP_TRY(source.read(rows, values.data()));
    for (size_t i = 0; i < rows.size(); ++i) use(rows[i], values.data() + i * width);
  }
  return {};
}

// Of the buckets of some bands.
class CrowdFinder {
 public:
  CrowdFinder(const SignatureSource& source, std::span<const Band> bands, uint32_t most)
      : source_(source),
        bands_(bands),
        most_(std::min<uint32_t>(most, UINT16_MAX - 1)),
        counters_(std::bit_ceil(uint64_t{source.count} / kRowsPerCounter + kFewCounters)),
        counts_(counters_ * bands.size()) {}

  // Calls late(row, band) for each late row.
  template <class Late>
  Status find(const Context& context, const Late& late) {
    bool is_crowded = false;
    NEARDUP_TRY(for_each_row(source_, context, [&](uint32_t, const uint16_t* values) {
      for (size_t band = 0; band < bands_.size(); ++band) {
        uint16_t& count = counts_[counter_of(band, band_hash(values, bands_[band]))];
        count = static_cast<uint16_t>(count + static_cast<int>(count <= most_));
        is_crowded |= count > most_;
      }
    }));
    if (!is_crowded) return {};
    std::unordered_map<uint64_t, uint32_t> members;
    return for_each_row(source_, context, [&](uint32_t row, const uint16_t* values) {
      for (size_t band = 0; band < bands_.size(); ++band) {
        const uint64_t hash = band_hash(values, bands_[band]);
        if (counts_[counter_of(band, hash)] <= most_) continue;
        if (++members[mix64(hash + band)] > most_) late(row, band);
      }
    });
  }

 private:
  static constexpr uint64_t kRowsPerCounter = 16, kFewCounters = 1024;

  [[nodiscard]] size_t counter_of(size_t band, uint64_t hash) const {
    return band * counters_ + (hash & (counters_ - 1));
  }

  const SignatureSource& source_;
  const std::span<const Band> bands_;
  const uint32_t most_;
  const uint64_t counters_;  // of each band
  std::vector<uint16_t> counts_;
};

}  // namespace

void LateRows::set(uint32_t row, size_t band) {
  if (none()) bits_.resize(num_rows_ * words_);
  bits_[row * words_ + band / 64] |= uint64_t{1} << band % 64;
}

Result<LateRows> find_late_rows(const SignatureSource& signatures, std::span<const Band> bands, uint32_t most_members,
                                const Context& context) {
  LateRows late(signatures.count, bands.size());
  if (most_members == 0) return late;
  CrowdFinder finder(signatures, bands, most_members);
  NEARDUP_TRY(finder.find(context, [&](uint32_t row, size_t band) { late.set(row, band); }));
  return late;
}

}  // namespace neardup::join
