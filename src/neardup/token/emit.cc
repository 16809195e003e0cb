#include "neardup/token/emit.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "neardup/token/token_hash.h"

// The bit instructions of each target (trailing zeros, population count, wide multiplication), and on the one that
// moves bytes together by a mask (off by default in Highway 1.0) that.
#define HWY_WANT_AVX3_DL 1
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neardup/token/emit.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace neardup::token {
namespace HWY_NAMESPACE {

constexpr size_t kGroup = 16;  // words of the bitmaps that are taken at once

#if HWY_TARGET == HWY_AVX3_DL

constexpr size_t kBlock = 16;  // positions that are written at once

HWY_INLINE void write_positions(uint64_t word, size_t count, uint32_t base, uint32_t* out) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::FixedTag<uint8_t, 64> d;
  const hn::FixedTag<uint32_t, kBlock> d32;
  const hn::Rebind<uint8_t, decltype(d32)> d8;
  uint8_t mask[8];
  std::memcpy(mask, &word, 8);
  HWY_ALIGN uint8_t offsets[64];
  hn::Store(hn::Compress(hn::Iota(d, 0), hn::LoadMaskBits(d, mask)), d, offsets);
  for (size_t i = 0; i < count; i += kBlock) {
    hn::StoreU(hn::Add(hn::PromoteTo(d32, hn::Load(d8, offsets + i)), hn::Set(d32, base)), d32, out + i);
  }
}

#else

constexpr size_t kBlock = 8;

HWY_INLINE void write_positions(uint64_t word, size_t count, uint32_t base, uint32_t* out) {
  for (size_t i = 0; i < count; i += kBlock) {
    for (size_t j = 0; j < kBlock; ++j) {
      out[i + j] = base + static_cast<uint32_t>(std::countr_zero(word));
      word &= word - 1;
    }
  }
}

#endif

/// Writes the positions of the bits of `word`, counted from `base`, to `out`, and garbage to the rest of the next
/// kBlock * n. Returns how many there are. Blocks without a branch: the number of bits is hard to predict, that of
/// blocks is not.
HWY_INLINE size_t positions(uint64_t word, uint32_t base, uint32_t* out) {
  const auto count = static_cast<size_t>(std::popcount(word));
  write_positions(word, count, base, out);
  return count;
}

template <class Item>
HWY_INLINE Item make(const HashSecret& secret, std::string_view text, uint32_t begin, uint32_t end) {
  const uint64_t hash = hash_token(secret, text.data() + begin, end - begin, text.size() - begin);
  if constexpr (std::is_same_v<Item, Token>) {
    return Token{begin, end - begin, hash};
  } else {
    return hash;
  }
}

template <class Item>
void emit(std::string_view text, const Bitmaps& bitmaps, uint64_t seed, std::vector<Item>& out) {
  const HashSecret secret(seed);
  uint32_t begins[kGroup * 64 + 2 * kBlock];
  uint32_t ends[kGroup * 64 + 2 * kBlock];
  size_t num_begins = 0;
  out.clear();
  for (size_t group = 0; group < bitmaps.starts.size(); group += kGroup) {
    size_t num_ends = 0;
    for (size_t i = group; i < std::min(group + kGroup, bitmaps.starts.size()); ++i) {
      num_begins += positions(bitmaps.starts[i], static_cast<uint32_t>(i * 64), begins + num_begins);
      num_ends += positions(bitmaps.ends[i], static_cast<uint32_t>(i * 64), ends + num_ends);
    }
    const size_t before = out.size();
    out.resize(before + num_ends);
    for (size_t i = 0; i < num_ends; ++i) out[before + i] = make<Item>(secret, text, begins[i], ends[i]);
    // At most two tokens have begun but not ended: overlapping bigrams.
    std::copy(begins + num_ends, begins + num_begins, begins);
    num_begins -= num_ends;
  }
}

void tokens(std::string_view text, const Bitmaps& bitmaps, uint64_t seed, std::vector<Token>& out) {
  emit(text, bitmaps, seed, out);
}

void hashes(std::string_view text, const Bitmaps& bitmaps, uint64_t seed, std::vector<uint64_t>& out) {
  emit(text, bitmaps, seed, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace neardup::token
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace neardup::token {

HWY_EXPORT(tokens);
HWY_EXPORT(hashes);

void emit_tokens(std::string_view text, const Bitmaps& bitmaps, uint64_t seed, std::vector<Token>& out) {
  HWY_DYNAMIC_DISPATCH(tokens)(text, bitmaps, seed, out);
}

void emit_hashes(std::string_view text, const Bitmaps& bitmaps, uint64_t seed, std::vector<uint64_t>& out) {
  HWY_DYNAMIC_DISPATCH(hashes)(text, bitmaps, seed, out);
}

}  // namespace neardup::token
#endif
