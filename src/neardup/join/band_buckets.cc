// Equal hashes of bands only propose: within a run of equal ones rows are told apart by their values, so a bucket holds
// rows that are equal in the band, and no others. Buckets of one row are left out. Bands are done side by side and put
// together in their order, so the numbers of buckets do not depend on threads.
#include "neardup/join/band_buckets.h"

#include <algorithm>
#include <numeric>

#include "neardup/base/threads.h"
#include "neardup/join/band_words.h"

namespace neardup::join {
namespace {

// The buckets of one band: their rows one after the other, and how many each has.
struct OneBand {
  std::vector<uint32_t> members;
  std::vector<uint32_t> sizes;
};

class Splitter {
 public:
  Splitter(std::span<const uint16_t> values, int num_values, const Band& band, OneBand& out)
      : values_(values), width_(static_cast<size_t>(num_values)), band_(band), out_(out) {}

  // A run has one bucket, but for chance: unequal values with equal halves of hashes.
  void add(std::span<const uint64_t> run) {
    rows_.resize(run.size());
    std::ranges::transform(run, rows_.begin(), row_of_word);
    const bool one = std::ranges::all_of(rows_, [this](uint32_t row) { return order(rows_[0], row) == 0; });
    if (!one) std::ranges::stable_sort(rows_, [this](uint32_t a, uint32_t b) { return order(a, b) < 0; });
    for (auto begin = rows_.begin(); begin != rows_.end();) {
      const auto end =
          one ? rows_.end() : std::find_if(begin, rows_.end(), [&](uint32_t row) { return order(*begin, row) != 0; });
      if (end - begin > 1) {
        out_.members.insert(out_.members.end(), begin, end);
        out_.sizes.push_back(static_cast<uint32_t>(end - begin));
      }
      begin = end;
    }
  }

 private:
  // < 0, 0, > 0 as the values of `a` in the band come before, equal or come after those of `b`.
  [[nodiscard]] int order(uint32_t a, uint32_t b) const {
    const uint16_t* left = values_.data() + a * width_;
    const uint16_t* right = values_.data() + b * width_;
    for (const uint16_t i : band_)
      if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    return 0;
  }

  std::span<const uint16_t> values_;
  size_t width_;
  const Band& band_;
  OneBand& out_;
  std::vector<uint32_t> rows_;
};

}  // namespace

Result<BandBuckets> BandBuckets::build(std::span<const uint16_t> values, int num_values, std::span<const Band> bands,
                                       int num_threads, const Context& context) {
  const SignatureSource source = signatures_in_memory(values, num_values);
  std::vector<OneBand> all(bands.size());
  std::vector<std::vector<uint64_t>> words(static_cast<size_t>(resolve_num_threads(num_threads)));
  NEARDUP_TRY(parallel_for(static_cast<int>(words.size()), bands.size(), [&](size_t band, int thread) -> Status {
    std::vector<uint64_t>& mine = words[static_cast<size_t>(thread)];
    NEARDUP_TRY(find_bucket_words(source, bands[band], {}, context, mine));
    Splitter splitter(values, num_values, bands[band], all[band]);
    return for_each_run(mine, [&](std::span<const uint64_t> run) -> Status {
      splitter.add(run);
      return {};
    });
  }));
  BandBuckets result;
  result.rows_.assign(size_t{source.count} + 1, 0);
  uint64_t num_members = 0, num_buckets = 0;
  for (const OneBand& band : all) {
    num_members += band.members.size();
    num_buckets += band.sizes.size();
  }
  if (num_buckets >= UINT32_MAX)
    return fail(Code::kUnsupported, "more than 2^32 buckets of bands; use fewer bands, or join by pairs");
  result.members_ = LargeArray<uint32_t>(num_members);
  result.begins_ = LargeArray<uint64_t>(num_buckets + 1);
  result.bands_.push_back(0);
  uint32_t bucket_end = 0;
  uint64_t end = 0;  // of the members so far
  for (OneBand& band : all) {
    std::ranges::copy(band.members, result.members_.data() + end);
    for (const uint32_t size : band.sizes) {
      result.begins_[bucket_end++] = end;
      end += size;
    }
    for (const uint32_t row : band.members) ++result.rows_[row + size_t{1}];
    result.bands_.push_back(bucket_end);
    band = {};
  }
  result.begins_[num_buckets] = end;
  std::partial_sum(result.rows_.begin(), result.rows_.end(), result.rows_.begin());
  result.buckets_ = LargeArray<uint32_t>(num_members);
  std::vector<uint64_t> next(result.rows_.begin(), result.rows_.end() - 1);
  for (uint32_t bucket = 0; bucket < result.size(); ++bucket)
    for (const uint32_t row : result.members(bucket)) result.buckets_[next[row]++] = bucket;
  return result;
}

uint64_t band_buckets_bytes(uint64_t num_rows, uint64_t num_bands, int num_threads) {
  // Members and buckets of a row: 4 bytes each for each band, members twice while they are put together; a bucket, of
  // two rows at the least, begins with 8 bytes. Offsets and places of rows: 8 each. Words may stand twice.
  return num_rows *
         (num_bands * (4 + 4 + 4 + 8 / 2 + 4 / 2) + 16 + 16 * static_cast<uint64_t>(resolve_num_threads(num_threads)));
}

}  // namespace neardup::join
