#include "neardup/hamming/key_sort.h"

#include "neardup/base/threads.h"
#include "neardup/hamming/part_sort.h"
#include "neardup/hamming/scatter.h"

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
    NEARDUP_TRY(count_digits());
    make_room();
    for (size_t pass = 0; pass < size_t{1} << options_.pass_bits; ++pass) {
      NEARDUP_TRY(scatter(pass));
      NEARDUP_TRY(sort_parts(pass));
      NEARDUP_TRY(receive(parts_));
    }
    return {};
  }

 private:
  static constexpr bool kPayloads = !std::is_empty_v<P>;

  [[nodiscard]] size_t num_digits() const { return size_t{1} << options_.digit_bits; }
  [[nodiscard]] size_t digits_per_pass() const { return num_digits() >> options_.pass_bits; }
  [[nodiscard]] size_t num_chunks() const { return static_cast<size_t>(options_.num_threads); }
  [[nodiscard]] size_t chunk_begin(size_t chunk) const { return source_.values.size() * chunk / num_chunks(); }
  [[nodiscard]] size_t digit_of(F key) const {
    return options_.digit_bits == 0 ? 0 : static_cast<size_t>(key >> (KeyOrder<F>::kBits - options_.digit_bits));
  }

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

  Status count_digits() {
    counts_.assign(num_chunks(), std::vector<uint64_t>(num_digits()));
    return parallel_for(options_.num_threads, num_chunks(), [&](size_t chunk, int) -> Status {
      std::vector<uint64_t>& counts = counts_[chunk];
      return for_chunk(chunk, [&](size_t i) { ++counts[digit_of(order_.key_of(source_.values[i]))]; });
    });
  }

  void make_room() {
    uint64_t most = 0;
    for (size_t first = 0; first < num_digits(); first += digits_per_pass()) {
      uint64_t sum = 0;
      for (const auto& counts : counts_) {
        for (size_t digit = first; digit < first + digits_per_pass(); ++digit) sum += counts[digit];
      }
      most = std::max(most, sum);
    }
    keys_ = StoredArray<F>(most);
    if constexpr (kPayloads) payloads_ = StoredArray<P>(most);
    sorters_.resize(num_chunks());
  }

  Status scatter(size_t pass) {
    const size_t first = pass * digits_per_pass();
    std::vector<std::vector<uint64_t>> cursors(num_chunks(), std::vector<uint64_t>(digits_per_pass()));
    begins_.assign(digits_per_pass() + 1, 0);
    uint64_t total = 0;
    for (size_t digit = 0; digit < digits_per_pass(); ++digit) {
      begins_[digit] = total;
      for (size_t chunk = 0; chunk < num_chunks(); ++chunk) {
        cursors[chunk][digit] = total;
        total += counts_[chunk][first + digit];
      }
    }
    begins_.back() = total;
    return parallel_for(options_.num_threads, num_chunks(), [&](size_t chunk, int) -> Status {
      Scatter<F, P> scatter(keys_.data(), payload_data(), std::move(cursors[chunk]));
      NEARDUP_TRY(for_chunk(chunk, [&](size_t i) {
        const F key = order_.key_of(source_.values[i]);
        const size_t digit = digit_of(key) - first;
        if (digit < digits_per_pass()) scatter.push(digit, key, payload_of(i));
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

  Status sort_parts(size_t) {
    parts_.assign(digits_per_pass(), {});
    return parallel_for(options_.num_threads, digits_per_pass(), [&](size_t digit, int thread) -> Status {
      NEARDUP_TRY(options_.context.check_cancel());
      F* keys = keys_.data() + begins_[digit];
      P* payloads = kPayloads ? payload_data() + begins_[digit] : nullptr;
      const size_t size = begins_[digit + 1] - begins_[digit];
      const size_t kept = sorters_[static_cast<size_t>(thread)].run(keys, payloads, size, options_.digit_bits);
      parts_[digit].keys = {keys, kept};
      if constexpr (kPayloads) parts_[digit].payloads = {payloads, kept};
      return {};
    });
  }

  const KeySource<F>& source_;
  const KeyOrder<F>& order_;
  const KeySortOptions& options_;
  std::vector<std::vector<uint64_t>> counts_;  // [chunk][digit]
  std::vector<uint64_t> begins_;               // [digit of the pass]
  StoredArray<F> keys_;
  StoredArray<P> payloads_;
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
