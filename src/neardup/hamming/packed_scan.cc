// A bucket is some words in a group of ascending ones; where it begins is guessed. Nothing is searched for: the line of
// the first and that of the last rank guessed are compared whole. Whether that was enough, the words at their ends
// tell: where the first is below the bucket and the last above it, the bucket lies between. Else, rarely, the group is
// read. So the guess decides time alone.
// Every branch here goes the same way nearly always. Comparing the second line only where it is needed cost 64 % of the
// kernel's time in mispredicted branches; reading 24-bit words as if lines ended between them, 1.9 instead of 1.0 us a
// query, for the line behind is fetched for nothing (bench/DEAD_ENDS.md). Hence the word on the border of two lines is
// looked at by itself.
// Words within the limit outside the bucket may come along: whoever asks checks the prefix.
#include "neardup/hamming/packed_scan.h"

#include <algorithm>
#include <bit>

#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/hamming/packed_scan.cc"
#include <hwy/foreach_target.h>
// foreach_target must come first
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::hamming::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::CappedTag<uint32_t, 8>;
using V = hn::Vec<D>;

constexpr uint64_t kLine = 64;

// Reads as many words of 3 bytes as there are lanes.
template <class DD>
HWY_INLINE hn::Vec<DD> load_threes(DD d, const uint8_t* HWY_RESTRICT from) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(d, PackedWords{from, 3}[0]);
#else
  // The upper half is read 8 bytes on, not 12, so that nothing beyond the eight words is touched.
  alignas(32) static constexpr uint8_t kSpread[32] = {0, 1, 2, 128, 3, 4, 5, 128, 6,  7,  8,  128, 9,  10, 11, 128,
                                                      4, 5, 6, 128, 7, 8, 9, 128, 10, 11, 12, 128, 13, 14, 15, 128};
  const hn::Repartition<uint8_t, DD> d8;
  const auto spread = hn::Load(d8, kSpread);
  if constexpr (hn::MaxLanes(DD()) == 8) {
    const hn::Half<decltype(d8)> half;
    const auto bytes = hn::Combine(d8, hn::LoadU(half, from + 8), hn::LoadU(half, from));
    return hn::BitCast(d, hn::TableLookupBytesOr0(bytes, spread));
  } else {
    return hn::BitCast(d, hn::TableLookupBytesOr0(hn::LoadU(d8, from), spread));
  }
#endif
}

// Reads as many words as there are lanes, from `rank` on.
template <int kWidth>
HWY_INLINE V load_words(const uint8_t* HWY_RESTRICT bytes, uint64_t rank) {
  if constexpr (kWidth == 4) return hn::LoadU(D(), reinterpret_cast<const uint32_t*>(bytes) + rank);
  return load_threes(D(), bytes + 3 * rank);
}

// Up to three bits are counted faster by clearing them one by one than by a table, but for an instruction that counts.
constexpr bool kHasCount = HWY_TARGET == HWY_AVX3_DL;
constexpr int kMaxCleared = kHasCount ? 1 : 4;

// Lanes that are 0 exactly where at most kLimit bits are set (kLimit <= kMaxCleared), else the number of bits.
template <int kLimit>
HWY_INLINE V excess(V bits) {
  if constexpr (kLimit > kMaxCleared) return hn::PopulationCount(bits);
  const V minus_one = hn::Set(D(), ~uint32_t{0});
  for (int i = 0; i < std::min(kLimit, kMaxCleared); ++i) bits = hn::And(bits, hn::Add(bits, minus_one));
  return bits;
}

// Whether some lane of excess() is within the limit.
template <int kLimit>
HWY_INLINE bool reached(V least, int limit) {
  if constexpr (kLimit <= kMaxCleared) return !hn::AllFalse(D(), hn::Eq(least, hn::Zero(D())));
  using Signed = hn::RebindToSigned<D>;
  return !hn::AllFalse(Signed(), hn::Lt(hn::BitCast(Signed(), least), hn::Set(Signed(), limit + 1)));
}

template <int kWidth, int kLimit>
class Scanner {
 public:
  HWY_INLINE Scanner(const PackedWords& words, const WordTarget& target, int limit, std::vector<WordHit>& hits)
      : bytes_(words.bytes), target_(target), limit_(limit), hits_(&hits), wanted_(hn::Set(D(), target.word)) {}

  // The bucket is mostly in one line or two; the first and the last word of them tell whether it goes on. Two lines are
  // always compared, be they the same: that costs less than a branch that nobody can foresee.
  HWY_INLINE void scan_near(const WordWindow& window, uint32_t number) {
    const uint64_t left = window.low * kWidth / kLine, right = window.high * kWidth / kLine;
    const uint64_t first = first_in_line(left), last = end_of_line(right);
    bool found = reached<kLimit>(hn::Min(least_in_line(left), least_in_line(right)), limit_);
    if constexpr (kWidth == 3) found |= within(left == right ? first : end_of_line(left));  // on both lines
    const bool goes_on = (first > window.begin && word(first) >= target_.low) |
                         (last < window.end && word(last - 1) <= target_.high) | (right > left + 1);
    if (HWY_UNLIKELY(goes_on)) return scan_far(window, number);
    if (HWY_UNLIKELY(found)) collect(std::max(first, window.begin), std::min(last, window.end), number);
  }

  HWY_INLINE void scan_run(uint64_t begin, uint64_t end, uint32_t number) {
    constexpr uint64_t kLanes = hn::MaxLanes(D());
    uint64_t at = begin;
    for (; at + 4 * kLanes <= end; at += 4 * kLanes) {
      const V least = hn::Min(hn::Min(excess_at(at), excess_at(at + kLanes)),
                              hn::Min(excess_at(at + 2 * kLanes), excess_at(at + 3 * kLanes)));
      if (HWY_UNLIKELY(reached<kLimit>(least, limit_))) collect(at, at + 4 * kLanes, number);
    }
    for (; at < end; at += kLanes) {
      if (HWY_UNLIKELY(reached<kLimit>(excess_at(at), limit_))) collect(at, std::min(at + kLanes, end), number);
    }
  }

 private:
  static HWY_INLINE uint64_t first_in_line(uint64_t line) { return (line * kLine + kWidth - 1) / kWidth; }
  static HWY_INLINE uint64_t end_of_line(uint64_t line) { return (line + 1) * kLine / kWidth; }
  [[nodiscard]] HWY_INLINE bool within(uint64_t rank) const {
    return std::popcount(word(rank) ^ target_.word) <= limit_;
  }
  [[nodiscard]] HWY_INLINE uint32_t word(uint64_t rank) const { return PackedWords{bytes_, kWidth}[rank]; }
  [[nodiscard]] HWY_INLINE V excess_at(uint64_t rank) const {
    return excess<kLimit>(hn::Xor(load_words<kWidth>(bytes_, rank), wanted_));
  }
  // The least excess of the words that lie whole in a cache line.
  [[nodiscard]] HWY_INLINE V least_in_line(uint64_t line) const {
    constexpr uint64_t kLanes = hn::MaxLanes(D());
    const uint64_t first = first_in_line(line);
    V least = excess_at(end_of_line(line) - kLanes);
    for (uint64_t i = 0; i + 1 < kLine / kWidth / kLanes + (kWidth == 3); ++i) {
      least = hn::Min(least, excess_at(first + i * kLanes));
    }
    return least;
  }

  // The guess was bad. A small run is read whole; in a large one the bucket is searched for.
  HWY_NOINLINE void scan_far(const WordWindow& window, uint32_t number) {
    constexpr uint64_t kSmall = 128;
    if (window.end - window.begin <= kSmall) return scan_run(window.begin, window.end, number);
    const PackedWords words{bytes_, kWidth};
    const uint64_t begin = lower_bound_word(words, window.begin, window.end, window.low, target_.low);
    scan_run(begin, lower_bound_word(words, begin, window.end, begin, uint64_t{target_.high} + 1), number);
  }

  HWY_NOINLINE void collect(uint64_t begin, uint64_t end, uint32_t number) {
    for (uint64_t rank = begin; rank < end; ++rank) {
      if (within(rank)) hits_->push_back({rank, number, word(rank)});
    }
  }

  const uint8_t* bytes_;
  WordTarget target_;
  int limit_;
  std::vector<WordHit>* hits_;  // what is found; rare
  V wanted_;
};

// What the kernels are asked, one argument for all of them.
struct Scan {
  const PackedWords& words;
  const WordTarget& target;
  std::span<const WordWindow> windows;
  int limit;
  uint32_t first_number;
  std::vector<WordHit>& hits;
};

template <bool kNear, int kWidth, int kLimit>
HWY_NOINLINE void scan_windows(const Scan& scan) {
  Scanner<kWidth, kLimit> scanner(scan.words, scan.target, scan.limit, scan.hits);
  uint32_t number = scan.first_number;
  for (const WordWindow& window : scan.windows) {
    if constexpr (kNear) {
      scanner.scan_near(window, number++);
    } else {
      scanner.scan_run(window.begin, window.end, number++);
    }
  }
}

template <bool kNear, int kWidth>
void scan_limit(const Scan& scan) {
  switch (scan.limit) {
    case 0:
      return scan_windows<kNear, kWidth, 0>(scan);
    case 1:
      return scan_windows<kNear, kWidth, 1>(scan);
    case 2:
      return scan_windows<kNear, kWidth, 2>(scan);
    case 3:
      return scan_windows<kNear, kWidth, 3>(scan);
    case 4:
      return scan_windows<kNear, kWidth, 4>(scan);
    default:
      return scan_windows<kNear, kWidth, kMaxCleared + 1>(scan);
  }
}

void scan_buckets_near_target(const PackedWords& words, const WordTarget& target, std::span<const WordWindow> windows,
                              int limit, uint32_t first_number, std::vector<WordHit>& hits) {
  const Scan scan{words, target, windows, limit, first_number, hits};
  words.width == 4 ? scan_limit<true, 4>(scan) : scan_limit<true, 3>(scan);
}

void scan_runs_target(const PackedWords& words, uint32_t word, std::span<const WordWindow> windows, int limit,
                      uint32_t first_number, std::vector<WordHit>& hits) {
  const Scan scan{words, {word, 0, 0}, windows, limit, first_number, hits};
  words.width == 4 ? scan_limit<false, 4>(scan) : scan_limit<false, 3>(scan);
}

template <int kWidth>
void scan_equal_width(const PackedWords& words, uint32_t word, uint32_t mask, uint64_t begin, uint64_t end,
                      std::vector<WordHit>& hits) {
  const D d;
  const V wanted = hn::Set(d, word & mask), ones = hn::Set(d, mask);
  for (uint64_t at = begin; at < end; at += hn::Lanes(d)) {
    if (HWY_LIKELY(hn::AllFalse(d, hn::Eq(hn::And(load_words<kWidth>(words.bytes, at), ones), wanted)))) continue;
    for (uint64_t rank = at; rank < std::min(at + hn::Lanes(d), end); ++rank) {
      if (((words[rank] ^ word) & mask) == 0) hits.push_back({rank, 0, words[rank]});
    }
  }
}

void scan_equal_target(const PackedWords& words, uint32_t word, uint32_t mask, uint64_t begin, uint64_t end,
                       std::vector<WordHit>& hits) {
  if (words.width == 4) return scan_equal_width<4>(words, word, mask, begin, end, hits);
  scan_equal_width<3>(words, word, mask, begin, end, hits);
}

}  // namespace neardup::hamming::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::hamming {

HWY_EXPORT(scan_buckets_near_target);
HWY_EXPORT(scan_runs_target);
HWY_EXPORT(scan_equal_target);

void scan_buckets_near(const PackedWords& words, const WordTarget& target, std::span<const WordWindow> windows,
                       int limit, uint32_t first_number, std::vector<WordHit>& hits) {
  HWY_DYNAMIC_DISPATCH(scan_buckets_near_target)(words, target, windows, limit, first_number, hits);
}

void scan_runs(const PackedWords& words, uint32_t word, std::span<const WordWindow> windows, int limit,
               uint32_t first_number, std::vector<WordHit>& hits) {
  HWY_DYNAMIC_DISPATCH(scan_runs_target)(words, word, windows, limit, first_number, hits);
}

void scan_equal(const PackedWords& words, uint32_t word, uint32_t mask, uint64_t begin, uint64_t end,
                std::vector<WordHit>& hits) {
  HWY_DYNAMIC_DISPATCH(scan_equal_target)(words, word, mask, begin, end, hits);
}

// Doubling steps away from the guess, then halving: cheap where the guess is near, logarithmic where it is not.
uint64_t lower_bound_word(const PackedWords& words, uint64_t begin, uint64_t end, uint64_t guess, uint64_t word) {
  guess = std::clamp(guess, begin, end);
  uint64_t step = 1;
  if (guess < end && words[guess] < word) {
    for (begin = guess + 1; begin < end && words[std::min(begin + step, end) - 1] < word; step *= 2) {
      begin = std::min(begin + step, end);
    }
    end = std::min(begin + step, end);
  } else {
    for (end = guess; end > begin && words[end - std::min(step, end - begin)] >= word; step *= 2) {
      end -= std::min(step, end - begin);
    }
    begin = end - std::min(step, end - begin);
  }
  while (begin < end) {
    const uint64_t middle = begin + (end - begin) / 2;
    if (words[middle] < word) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace neardup::hamming
#endif  // HWY_ONCE
