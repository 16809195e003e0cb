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

template <int kWidth, int kLimit>
class Scanner {
 public:
  HWY_INLINE Scanner(const PackedWords& words, const WordTarget& target, int limit, std::vector<WordHit>& hits)
      : words_(words), target_(target), limit_(static_cast<uint32_t>(limit)), hits_(hits) {
    wanted_ = hn::Set(D(), target.word);
  }

  HWY_INLINE void scan(const WordWindow& window, uint32_t number) {
    if (window.guess == WordWindow::kWhole) return scan_range(window.begin, window.end, number);
    scan_near(window, number);
  }

 private:
  static HWY_INLINE uint64_t first_in_line(uint64_t line) { return (line * kLine + kWidth - 1) / kWidth; }
  [[nodiscard]] HWY_INLINE V excess_at(uint64_t rank) const {
    return excess<kLimit>(hn::Xor(load_words<kWidth>(words_.bytes, rank), wanted_));
  }
  [[nodiscard]] HWY_INLINE bool reached(V least) const {
    if constexpr (kLimit <= kMaxCleared) {
      return !hn::AllFalse(D(), hn::Eq(least, hn::Zero(D())));
    } else {
      using Signed = hn::RebindToSigned<D>;
      return !hn::AllFalse(Signed(), hn::Lt(hn::BitCast(Signed(), least), hn::Set(Signed(), int32_t(limit_) + 1)));
    }
  }
  // Whether the words that lie whole in a cache line hold one within reach.
  [[nodiscard]] HWY_INLINE bool line_reached(uint64_t first, uint64_t last) const {
    constexpr uint64_t kLanes = hn::MaxLanes(D());
    V least = excess_at(last - kLanes);
    for (uint64_t at = first; at + kLanes < last; at += kLanes) least = hn::Min(least, excess_at(at));
    return reached(least);
  }

  // One line mostly holds the bucket; its first and last word tell whether the ones beside it do too.
  HWY_INLINE void scan_near(const WordWindow& window, uint32_t number) {
    const uint64_t line = (window.begin + window.guess) * kWidth / kLine;
    uint64_t first = first_in_line(line), last = first_in_line(line + 1);
    bool found = line_reached(first, last);
    uint64_t left = line, right = line;
    while (HWY_UNLIKELY(first > window.begin && word(first) >= target_.low)) {
      if (line - --left > kFar) return scan_far(window, number);
      first = first_in_line(left);
      found |= line_reached(first, first_in_line(left + 1));
    }
    while (HWY_UNLIKELY(last < window.end && word(last - 1) <= target_.high)) {
      if (++right - line > kFar) return scan_far(window, number);
      last = first_in_line(right + 1);
      found |= line_reached(first_in_line(right), last);
    }
    if (HWY_UNLIKELY(found)) collect(std::max(first, window.begin), std::min(last, window.end), number);
  }

  // The guess was bad: a run that is large or not evenly spread.
  HWY_NOINLINE void scan_far(const WordWindow& window, uint32_t number) {
    const uint64_t guess = window.begin + window.guess;
    const uint64_t begin = lower_bound_word(words_, window.begin, window.end, guess, target_.low);
    scan_range(begin, lower_bound_word(words_, begin, window.end, begin, uint64_t{target_.high} + 1), number);
  }

  HWY_INLINE void scan_range(uint64_t begin, uint64_t end, uint32_t number) {
    constexpr uint64_t kLanes = hn::MaxLanes(D());
    for (uint64_t at = begin; at < end; at += kLanes) {
      if (HWY_UNLIKELY(reached(excess_at(at)))) collect(at, std::min(at + kLanes, end), number);
    }
  }

  [[nodiscard]] HWY_INLINE uint32_t word(uint64_t rank) const { return PackedWords{words_.bytes, kWidth}[rank]; }
  HWY_NOINLINE void collect(uint64_t begin, uint64_t end, uint32_t number) {
    for (uint64_t rank = begin; rank < end; ++rank) {
      const uint32_t found = word(rank);
      if (static_cast<uint32_t>(std::popcount(found ^ target_.word)) <= limit_) hits_.push_back({rank, number, found});
    }
  }

  static constexpr uint64_t kFar = 4;  // lines
  const PackedWords& words_;
  const WordTarget& target_;
  uint32_t limit_;
  std::vector<WordHit>& hits_;
  V wanted_;
};

template <int kWidth, int kLimit>
HWY_NOINLINE void scan_equal_limits(const PackedWords& words, const WordTarget& target,
                                    std::span<const WordWindow> windows, uint32_t first_number,
                                    std::vector<WordHit>& hits) {
  Scanner<kWidth, kLimit> scanner(words, target, static_cast<int>(windows.front().limit), hits);
  for (uint32_t i = 0; i < windows.size(); ++i) scanner.scan(windows[i], first_number + i);
}

template <int kWidth>
void scan_width(const PackedWords& words, const WordTarget& target, std::span<const WordWindow> windows,
                std::vector<WordHit>& hits) {
  for (uint32_t i = 0, end = 0; i < windows.size(); i = end) {
    const uint32_t limit = windows[i].limit;
    for (end = i + 1; end < windows.size() && windows[end].limit == limit;) ++end;
    const std::span<const WordWindow> same = windows.subspan(i, end - i);
    switch (limit) {
      case 0:
        scan_equal_limits<kWidth, 0>(words, target, same, i, hits);
        break;
      case 1:
        scan_equal_limits<kWidth, 1>(words, target, same, i, hits);
        break;
      case 2:
        scan_equal_limits<kWidth, 2>(words, target, same, i, hits);
        break;
      case 3:
        scan_equal_limits<kWidth, 3>(words, target, same, i, hits);
        break;
      case 4:
        scan_equal_limits<kWidth, 4>(words, target, same, i, hits);
        break;
      default:
        scan_equal_limits<kWidth, 5>(words, target, same, i, hits);
    }
  }
}

void scan_windows_target(const PackedWords& words, const WordTarget& target, std::span<const WordWindow> windows,
                         std::vector<WordHit>& hits) {
  if (words.width == 4) return scan_width<4>(words, target, windows, hits);
  scan_width<3>(words, target, windows, hits);
}

}  // namespace neardup::hamming::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::hamming {

HWY_EXPORT(scan_windows_target);

void scan_windows(const PackedWords& words, const WordTarget& target, std::span<const WordWindow> windows,
                  std::vector<WordHit>& hits) {
  HWY_DYNAMIC_DISPATCH(scan_windows_target)(words, target, windows, hits);
}

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
