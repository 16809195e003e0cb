// Keys need not stay: they are given out in parts, in order, and are gone. So the memory of a sort is that of one pass,
// and a pass is any run of leading digits whose keys fit in the limit. Whatever the skew: a digit too large is divided
// by its next places, down to equal keys, which alone cannot be divided.
// A part fits in cache, is scattered through write-combining buffers and sorted there (part_sort.h). Chunks of the
// input have cursors of their own within each part, so threads share nothing; equal keys come in the order of their
// payloads after sorting, so the result does not depend on threads. docs/design/hamming_index.md, "Build".
#include "neardup/hamming/key_sort.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/scatter.h"
#include "neardup/base/threads.h"
#include "neardup/hamming/part_sort.h"

namespace neardup::hamming {
namespace {

constexpr size_t kSlice = size_t{1} << 18;  // keys between two looks at the cancel flag

template <fingerprint::AnyFingerprint F, class P>
class KeySort {
 public:
  using Receive = std::function<Status(std::span<const SortedPart<F, P>>)>;

  KeySort(const KeySource<F>& source, const KeyOrder<F>& order, const KeySortOptions& options)
      : source_(source), order_(order), options_(options) {}

  Status run(const Receive& receive) {
    const size_t room = std::min<uint64_t>(source_.values.size(), options_.max_keys);
    keys_ = StoredArray<F>(room);
    if constexpr (kPayloads) payloads_ = StoredArray<P>(room);
    sorters_.resize(num_chunks());
    return sort_range(0, 0, receive);
  }

 private:
  using Counts = std::vector<std::vector<uint64_t>>;  // [chunk][digit]
  static constexpr bool kPayloads = !std::is_empty_v<P>;
  static constexpr int kBits = KeyOrder<F>::kBits;
  static constexpr size_t kMaxDigits = size_t{1} << 12;  // of a pass: so many buffers of a scatter fit in a cache

  // Neighbouring values of the places from some place on, for keys that share all places before.
  struct Digits {
    F low;  // the first key of the first digit
    int shift;
    size_t count;

    // Calls body(digit) if the key has one of these.
    template <class Body>
    void of(F key, const Body& body) const {
      const F above = key - low;
      const F digit = shift == kBits ? F{0} : static_cast<F>(above >> shift);
      if (digit < count) body(static_cast<size_t>(digit));
    }
    [[nodiscard]] F low_of(size_t digit) const { return shift == kBits ? low : low + (F{digit} << shift); }
    [[nodiscard]] Digits some(size_t first, size_t end) const { return {low_of(first), shift, end - first}; }
  };

  [[nodiscard]] size_t num_chunks() const { return static_cast<size_t>(options_.num_threads); }
  [[nodiscard]] size_t chunk_begin(size_t chunk) const { return source_.values.size() * chunk / num_chunks(); }

  // Calls body(i) for the values of a chunk.
  template <class Body>
  Status for_chunk(size_t chunk, const Body& body) {
    const size_t end = chunk_begin(chunk + 1);
    for (size_t begin = chunk_begin(chunk); begin < end; begin += kSlice) {
      NEARDUP_TRY(options_.context.check_cancel());
      for (size_t i = begin; i < std::min(begin + kSlice, end); ++i) body(i);
    }
    return {};
  }

  // The keys that share their first `places` places with `low`, where those behind are 0.
  Status sort_range(F low, int places, const Receive& receive) {
    const int digit_bits = std::min(options_.digit_bits, kBits - places);
    const Digits all{low, kBits - places - digit_bits, size_t{1} << digit_bits};
    NEARDUP_ASSIGN(const Counts counts, count(all));
    for (size_t begin = 0, end = 0; begin < all.count; begin = end) {
      uint64_t size = 0;
      for (; end < all.count && end - begin < kMaxDigits; ++end) {
        const uint64_t added = size_of(counts, end);
        // Exact counts, so the limit is kept and not only aimed at.
        if (added > options_.max_keys - size) break;
        size += added;
      }
      if (size > 0) {
        NEARDUP_TRY(sort_pass(all, counts, begin, end, receive));
      } else if (begin == end) {
        // A single digit has too many keys. Each division fixes more places, so it ends after at most all of them.
        NEARDUP_TRY(divide(all, counts, end++, places + digit_bits, receive));
      }
    }
    return {};
  }

  Status divide(const Digits& all, const Counts& counts, size_t digit, int places, const Receive& receive) {
    if (places < kBits) return sort_range(all.low_of(digit), places, receive);
    constexpr uint64_t kPairBytes = sizeof(F) + (kPayloads ? sizeof(P) : 0);
    const uint64_t size = size_of(counts, digit);
    return fail(Code::kMemory,
                fmt::format("{} of {} fingerprints are equal: sorting them takes {} bytes, the memory "
                            "limit leaves {}; raise it",
                            size, source_.values.size(), size * kPairBytes, options_.max_keys * kPairBytes));
  }

  static uint64_t size_of(const Counts& counts, size_t digit) {
    uint64_t sum = 0;
    for (const auto& of_chunk : counts) sum += of_chunk[digit];
    return sum;
  }

  Result<Counts> count(const Digits& digits) {
    Counts counts(num_chunks(), std::vector<uint64_t>(digits.count));
    NEARDUP_TRY(parallel_for(options_.num_threads, num_chunks(), [&](size_t chunk, int) -> Status {
      std::vector<uint64_t>& own = counts[chunk];
      return for_chunk(chunk,
                       [&](size_t i) { digits.of(order_.key_of(source_.values[i]), [&](size_t d) { ++own[d]; }); });
    }));
    return counts;
  }

  // Scattered by all threads, then each part sorted by one; `receive` is called by this thread alone.
  Status sort_pass(const Digits& all, const Counts& counts, size_t first, size_t end, const Receive& receive) {
    const Digits digits = all.some(first, end);
    NEARDUP_TRY(scatter(digits, counts, first));
    NEARDUP_TRY(sort_parts(digits));
    return receive(parts_);
  }

  // Cursors by digit, then chunk: each chunk writes to a stretch of its own in every part.
  Status scatter(const Digits& digits, const Counts& counts, size_t first) {
    std::vector<std::vector<uint64_t>> cursors(num_chunks(), std::vector<uint64_t>(digits.count));
    begins_.assign(digits.count + 1, 0);
    uint64_t total = 0;
    for (size_t digit = 0; digit < digits.count; ++digit) {
      begins_[digit] = total;
      for (size_t chunk = 0; chunk < num_chunks(); ++chunk) {
        cursors[chunk][digit] = total;
        total += counts[chunk][first + digit];
      }
    }
    begins_.back() = total;
    return parallel_for(options_.num_threads, num_chunks(), [&](size_t chunk, int) -> Status {
      Scatter<F, P> scatter(keys_.data(), payload_data(), std::move(cursors[chunk]));
      NEARDUP_TRY(for_chunk(chunk, [&](size_t i) {
        const F key = order_.key_of(source_.values[i]);
        digits.of(key, [&](size_t digit) { scatter.push(digit, key, payload_of(i)); });
      }));
      scatter.finish();
      return {};
    });
  }

  P* payload_data() {
    if constexpr (kPayloads) return payloads_.data();
    return nullptr;
  }
  P payload_of(size_t i) const {
    if constexpr (kPayloads) {
      return static_cast<P>(source_.documents.empty() ? i : source_.documents[i] - source_.first_document);
    }
    return P();
  }

  Status sort_parts(const Digits& digits) {
    parts_.assign(digits.count, {});
    return parallel_for(options_.num_threads, digits.count, [&](size_t digit, int thread) -> Status {
      NEARDUP_TRY(options_.context.check_cancel());
      F* keys = keys_.data() + begins_[digit];
      P* payloads = kPayloads ? payload_data() + begins_[digit] : nullptr;
      const size_t size = begins_[digit + 1] - begins_[digit];
      const size_t kept = sorters_[static_cast<size_t>(thread)].run(keys, payloads, size, kBits - digits.shift);
      parts_[digit].keys = {keys, kept};
      if constexpr (kPayloads) parts_[digit].payloads = {payloads, kept};
      return {};
    });
  }

  const KeySource<F>& source_;
  const KeyOrder<F>& order_;
  const KeySortOptions& options_;
  std::vector<uint64_t> begins_;         // [digit of the pass]
  StoredArray<F> keys_;                  // of a pass
  StoredArray<P> payloads_;              // beside them
  std::vector<PartSort<F, P>> sorters_;  // [thread]
  std::vector<SortedPart<F, P>> parts_;
};

}  // namespace

template <fingerprint::AnyFingerprint F, class P>
Status sort_keys(const KeySource<F>& source, const KeyOrder<F>& order, const KeySortOptions& options,
                 const std::function<Status(std::span<const SortedPart<F, P>>)>& receive) {
  return KeySort<F, P>(source, order, options).run(receive);
}

#define NEARDUP_SORT_KEYS(F, P)                                                                   \
  template Status sort_keys<F, P>(const KeySource<F>&, const KeyOrder<F>&, const KeySortOptions&, \
                                  const std::function<Status(std::span<const SortedPart<F, P>>)>&)
NEARDUP_SORT_KEYS(fingerprint::Fingerprint, NoPayload);
NEARDUP_SORT_KEYS(fingerprint::Fingerprint, uint32_t);
NEARDUP_SORT_KEYS(fingerprint::Fingerprint, uint64_t);
NEARDUP_SORT_KEYS(fingerprint::Fingerprint128, NoPayload);
NEARDUP_SORT_KEYS(fingerprint::Fingerprint128, uint32_t);
NEARDUP_SORT_KEYS(fingerprint::Fingerprint128, uint64_t);

}  // namespace neardup::hamming
