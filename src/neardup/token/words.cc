#include "neardup/token/words.h"

#include <bit>

#include "neardup/text/utf8.h"
#include "neardup/token/ascii_class.h"
#include "neardup/token/character_class.h"
#include "neardup/token/units.h"

namespace neardup::token {
namespace {

constexpr int kHanCharacterBytes = 3;

/// The bits of `size_bytes` bytes from `offset`; those beyond bit 63 are lost.
uint64_t byte_bits(size_t offset, uint32_t size_bytes) { return ((uint64_t{1} << size_bytes) - 1) << offset; }

/// The bits that byte_bits() lost, at the low end.
uint64_t spilled_bits(size_t offset, uint32_t size_bytes) {
  return offset + size_bytes > 64 ? (uint64_t{1} << (offset + size_bytes - 64)) - 1 : 0;
}

/// The bytes of the Han characters that begin in a block at `first`: those in it, and those in the next one.
uint64_t han_bytes(uint64_t first) { return first | first << 1 | first << 2; }
uint64_t spilled_han_bytes(uint64_t first) { return first >> 63 | first >> 62; }

/// Goes through a text by blocks of 64 bytes. SIMD has put the ASCII letters and digits in `starts` and the bytes that
/// are not ASCII in `ends`; each block's word is read from there before it is written.
/// With kJieba what lies in blocks of jieba's has been cut by a JiebaWords before.
/// Without it kCharacters marks most Han characters as bits: `starts` then holds their first bytes, too. kSyllables
/// does so with Hangul syllables as well.
template <CjkMode kMode, bool kJieba>
class WordMarker {
  static constexpr bool kHanBits = kMode != CjkMode::kBigrams && !kJieba;

 public:
  WordMarker(std::string_view text, Bitmaps& bitmaps, const JiebaWords* jieba = nullptr)
      : text_(text), bitmaps_(bitmaps), units_(bitmaps), classes_(character_classes()), jieba_(jieba) {}

  void run() {
    for (size_t block = 0; block < bitmaps_.starts.size(); ++block) {
      word_ = bitmaps_.starts[block] | spilled_word_;
      uint64_t high = bitmaps_.ends[block] & ~spilled_high_;
      if constexpr (kJieba) {
        word_ &= ~jieba_->covered()[block];
        high &= ~jieba_->covered()[block];
      }
      const uint64_t han = kHanBits ? take_han(block, high) : 0;
      spilled_word_ = spilled_high_ = bitmaps_.starts[block] = bitmaps_.ends[block] = 0;
      if (high != 0) characters(block * 64, high);
      if constexpr (kHanBits) mark_han(block, han);
      const uint64_t shifted = word_ << 1 | carry_;
      bitmaps_.starts[block] |= word_ & ~shifted;
      bitmaps_.ends[block] |= ~word_ & shifted;
      carry_ = word_ >> 63;
      if constexpr (kJieba) {
        bitmaps_.starts[block] |= jieba_->borders().starts[block];
        bitmaps_.ends[block] |= jieba_->borders().ends[block];
      }
    }
    units_.finish();
  }

 private:
  /// Returns the first bytes of those Han characters of the block that no mark can follow, as another one or ASCII
  /// does, and takes them out of word_ and all their bytes out of `high`.
  uint64_t take_han(size_t block, uint64_t& high) {
    const uint64_t han = bitmaps_.starts[block] & bitmaps_.ends[block];
    const bool last = block + 1 == bitmaps_.starts.size();
    const uint64_t quiet = bitmaps_.starts[block] | ~bitmaps_.ends[block];
    const uint64_t next_quiet = last ? ~uint64_t{0} : bitmaps_.starts[block + 1] | ~bitmaps_.ends[block + 1];
    word_ &= ~han;
    const uint64_t taken = han & (quiet >> kHanCharacterBytes | next_quiet << (64 - kHanCharacterBytes));
    high &= ~han_bytes(taken);
    return taken;
  }

  /// Each is a token.
  void mark_han(size_t block, uint64_t han) {
    bitmaps_.starts[block] |= han;
    bitmaps_.ends[block] |= han << kHanCharacterBytes | spilled_end_;
    spilled_end_ = han >> (64 - kHanCharacterBytes);
    spilled_high_ |= spilled_han_bytes(han);
  }

  /// Classifies the characters of the block at `base` whose first bytes are set in `high`.
  void characters(size_t base, uint64_t high) {
    const char* end = text_.data() + text_.size();
    do {
      const auto offset = static_cast<size_t>(std::countr_zero(high));
      const text::Decoded c = text::decode_valid(text_.data() + base + offset, end);
      high &= ~byte_bits(offset, c.size_bytes);
      spilled_high_ = spilled_bits(offset, c.size_bytes);
      character(class_of(classes_, c.code_point, kMode), base, offset, c.size_bytes);
    } while (high != 0);
  }

  void character(CharacterClass character_class, size_t base, size_t offset, uint32_t size_bytes) {
    const size_t at = base + offset;
    if (character_class == CharacterClass::kUnit) return units_.add(at, at + size_bytes);
    if (character_class == CharacterClass::kOther) return;
    if (character_class != CharacterClass::kLetter && !follows_word(offset)) return units_.extend(at, at + size_bytes);
    word_ |= byte_bits(offset, size_bytes);
    spilled_word_ = spilled_bits(offset, size_bytes);
  }

  [[nodiscard]] bool follows_word(size_t offset) const {
    return offset == 0 ? carry_ != 0 : (word_ >> (offset - 1) & 1) != 0;
  }

  std::string_view text_;
  Bitmaps& bitmaps_;
  Units<kMode> units_;
  CharacterClasses& classes_;
  const JiebaWords* jieba_;
  uint64_t word_ = 0;          // bytes of the block that are part of a word
  uint64_t carry_ = 0;         // 1 where the last byte of the block before is
  uint64_t spilled_word_ = 0;  // bytes of the next block that belong to a character of this one: of a word,
  uint64_t spilled_high_ = 0;  // and of any character
  uint64_t spilled_end_ = 0;   // ends in the next block of Han characters of this one
};

/// What `starts` holds beside ASCII letters and digits: the first bytes of these.
enum class AsciiAnd { kNothing, kHan, kHanAndHangul };

AsciiAnd bits_of(CjkMode mode) {
  if (mode == CjkMode::kBigrams) return AsciiAnd::kNothing;
  return mode == CjkMode::kSyllables ? AsciiAnd::kHanAndHangul : AsciiAnd::kHan;
}

void prepare(std::string_view text, Bitmaps& bitmaps, AsciiAnd more = AsciiAnd::kNothing) {
  bitmaps.starts.resize(Bitmaps::num_words(text.size()));
  bitmaps.ends.resize(Bitmaps::num_words(text.size()));
  uint64_t* const starts = bitmaps.starts.data();
  uint64_t* const ends = bitmaps.ends.data();
  classify_ascii(text.data(), text.size(), starts, ends);
  if (more == AsciiAnd::kHan) add_common_han(text.data(), text.size(), starts, ends);
  if (more == AsciiAnd::kHanAndHangul) add_common_han_and_hangul(text.data(), text.size(), starts, ends);
}

}  // namespace

void mark_words(std::string_view text, CjkMode cjk, Bitmaps& bitmaps) {
  prepare(text, bitmaps, bits_of(cjk));
  if (cjk == CjkMode::kSyllables) {
    WordMarker<CjkMode::kSyllables, false>(text, bitmaps).run();
  } else if (cjk == CjkMode::kCharacters) {
    WordMarker<CjkMode::kCharacters, false>(text, bitmaps).run();
  } else {
    WordMarker<CjkMode::kBigrams, false>(text, bitmaps).run();
  }
}

void mark_jieba(std::string_view text, CjkMode cjk, JiebaWords& jieba, Bitmaps& bitmaps) {
  prepare(text, bitmaps);
  jieba.mark(text);
  if (cjk == CjkMode::kSyllables) {
    WordMarker<CjkMode::kSyllables, true>(text, bitmaps, &jieba).run();
  } else if (cjk == CjkMode::kCharacters) {
    WordMarker<CjkMode::kCharacters, true>(text, bitmaps, &jieba).run();
  } else {
    WordMarker<CjkMode::kBigrams, true>(text, bitmaps, &jieba).run();
  }
}

void mark_chars(std::string_view text, Bitmaps& bitmaps) {
  prepare(text, bitmaps, AsciiAnd::kHan);
  CharacterClasses& classes = character_classes();
  const char* end = text.data() + text.size();
  uint64_t last_bytes = 0;  // last bytes of tokens; an end is the byte after
  uint64_t carry = 0;
  uint64_t spilled_high = 0;
  uint64_t spilled_last = 0;
  for (size_t block = 0; block < bitmaps.starts.size(); ++block) {
    const uint64_t han = bitmaps.starts[block] & bitmaps.ends[block];
    uint64_t high = bitmaps.ends[block] & ~(spilled_high | han_bytes(han));
    last_bytes = (bitmaps.starts[block] & ~han) | han << (kHanCharacterBytes - 1) | spilled_last;
    spilled_high = spilled_han_bytes(han);
    spilled_last = han >> (64 - kHanCharacterBytes + 1);
    while (high != 0) {
      const auto offset = static_cast<size_t>(std::countr_zero(high));
      const text::Decoded c = text::decode_valid(text.data() + block * 64 + offset, end);
      high &= ~byte_bits(offset, c.size_bytes);
      spilled_high |= spilled_bits(offset, c.size_bytes);
      const CharacterClass character_class = class_of(classes, c.code_point);
      if (character_class == CharacterClass::kOther || character_class == CharacterClass::kMark) continue;
      bitmaps.starts[block] |= uint64_t{1} << offset;
      const size_t last = offset + c.size_bytes - 1;
      (last < 64 ? last_bytes : spilled_last) |= uint64_t{1} << last % 64;
    }
    bitmaps.ends[block] = last_bytes << 1 | carry;
    carry = last_bytes >> 63;
  }
}

}  // namespace neardup::token
