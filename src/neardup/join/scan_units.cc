// Why units: by ascending mask, x ^ mask jumps all over the right table, and each bucket of a few keys would be a cache
// miss. A unit of neighbouring x goes through the masks by their high bits instead; for one high part, all low parts
// lead to one stretch of neighbouring buckets, which stays in cache while the whole unit uses it.
// Each pair of buckets once: in a self join a unit meets only units behind it, and inside itself only x ^ mask > x.
#include "neardup/join/scan_units.h"

#include <algorithm>
#include <bit>

#include "neardup/join/plan.h"

namespace neardup::join {
namespace {

// Keys of the right table in one stretch: with its offsets a fraction of the second-level cache.
constexpr size_t kStretchKeys = size_t{1} << 13;
// Units per table at least, to share among threads.
constexpr int kMinHighBits = 6;
// Masks in one call of the kernel: enough to pay for the start of each bucket, few enough for quick cancelling.
constexpr size_t kBatchMasks = 256;

// Collects masks and scans a unit with them when they are enough.
class Batches {
 public:
  Batches(match::BucketScan scan, int max_distance, Emitter& emitter, const Context& context)
      : scan_(scan), max_distance_(max_distance), emitter_(emitter), context_(context) {}

  void add(uint32_t high, const std::vector<uint32_t>& low_masks) {
    for (const uint32_t low : low_masks) masks_.push_back(high | low);
  }
  Status flush_if_full() { return masks_.size() >= kBatchMasks ? flush() : Status(); }
  Status flush() {
    if (masks_.empty() && scan_.upper_masks.empty() && !scan_.inside) return {};
    NEARDUP_TRY(context_.check_cancel());
    scratch_.resize(masks_.size() + scan_.upper_masks.size());
    scan_.masks = masks_;
    scan_.scratch = scratch_.data();
    match::scan_buckets(scan_, max_distance_, emitter_.hits());
    // Inside the unit everything is compared with the first batch.
    scan_.upper_masks = {};
    scan_.inside = false;
    masks_.clear();
    return emitter_.status();
  }

 private:
  match::BucketScan scan_;
  int max_distance_;
  Emitter& emitter_;
  const Context& context_;
  std::vector<uint32_t> masks_;
  std::vector<uint32_t> scratch_;
};

}  // namespace

ScanUnits::ScanUnits(const match::Buckets& left, const match::Buckets& right, bool self, int num_bits, int threshold,
                     size_t right_size, size_t max_bucket)
    : left_(left), right_(right), self_(self), threshold_(threshold), max_bucket_(max_bucket) {
  const int stretches_log2 = static_cast<int>(std::bit_width(right_size / kStretchKeys));
  high_bits_ = std::clamp(stretches_log2, std::min(kMinHighBits, num_bits), num_bits);
  low_bits_ = num_bits - high_bits_;
  high_masks_ = masks_within(high_bits_, threshold);
  for (int t = 0; t <= threshold; ++t) low_masks_.push_back(masks_within(low_bits_, t));
}

Status ScanUnits::scan(size_t unit, int max_distance, Emitter& emitter, const Context& context) const {
  match::BucketScan scan{left_, right_, begin(unit), end(unit), {}, {}, self_, static_cast<uint32_t>(max_bucket_)};
  const std::vector<uint32_t>& inner = low_masks_[static_cast<size_t>(threshold_)];
  if (self_) scan.upper_masks = std::span(inner).subspan(1);
  Batches batches(scan, max_distance, emitter, context);
  if (!self_) batches.add(0, inner);
  for (const uint32_t high : high_masks_) {
    const auto other = static_cast<uint32_t>(unit) ^ high;
    if (high == 0 || (self_ && other < unit)) continue;  // met from there
    NEARDUP_TRY(batches.flush_if_full());
    batches.add(high << low_bits_, low_masks_[static_cast<size_t>(threshold_ - std::popcount(high))]);
  }
  return batches.flush();
}

}  // namespace neardup::join
