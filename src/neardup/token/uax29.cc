#include "neardup/token/uax29.h"

#include <unicode/uchar.h>

#include <array>

#include "neardup/text/pages.h"
#include "neardup/text/utf8.h"
#include "neardup/token/character_class.h"
#include "neardup/token/units.h"

namespace neardup::token {
namespace {

/// The property Word_Break of a code point, with ICU's names, and whether it is Extended_Pictographic.
struct WordBreak {
  uint8_t value = U_WB_OTHER;
  bool pictographic = false;

  [[nodiscard]] bool is_newline() const { return value == U_WB_NEWLINE || value == U_WB_CR || value == U_WB_LF; }
  [[nodiscard]] bool is_ignored() const { return value == U_WB_EXTEND || value == U_WB_FORMAT || value == U_WB_ZWJ; }
  [[nodiscard]] bool is_letter() const { return value == U_WB_ALETTER || value == U_WB_HEBREW_LETTER; }
  [[nodiscard]] bool is_numeric() const { return value == U_WB_NUMERIC; }
  [[nodiscard]] bool is_mid_quote() const { return value == U_WB_MIDNUMLET || value == U_WB_SINGLE_QUOTE; }
  [[nodiscard]] bool joins_underscore() const { return is_letter() || is_numeric() || value == U_WB_KATAKANA; }
};

using WordBreakPage = std::array<WordBreak, 256>;

std::unique_ptr<WordBreakPage> build_page(char32_t first) {
  auto page = std::make_unique<WordBreakPage>();
  for (char32_t i = 0; i < 256; ++i) {
    const auto c = static_cast<UChar32>(first + i);
    (*page)[i] = {static_cast<uint8_t>(u_getIntPropertyValue(c, UCHAR_WORD_BREAK)),
                  u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) != 0};
  }
  return page;
}

using WordBreaks = text::Pages<WordBreakPage, decltype(&build_page)>;

WordBreaks& word_breaks() {
  static WordBreaks table(&build_page);
  return table;
}

/// Walks over one segment.
class Segment {
 public:
  Segment(std::string_view text, WordBreaks& table) : text_(text), table_(table) {}

  /// Returns the end of the segment that begins at `at`.
  size_t end_of(size_t at) {
    at_ = at;
    take();
    if (current_.value == U_WB_CR) return peek(at_).value == U_WB_LF ? at_ + 1 : at_;  // WB3
    if (current_.is_newline()) return at_;                                             // WB3a
    while (at_ < text_.size() && joins()) take();
    return at_;
  }

 private:
  /// The property of the code point at `at`, which may be the end of the text. Its size goes to `size_`.
  WordBreak peek(size_t at) {
    size_ = 0;
    if (at >= text_.size()) return {U_WB_NEWLINE, false};
    const text::Decoded c = text::decode_valid(text_.data() + at, text_.data() + text_.size());
    size_ = c.size_bytes;
    return table_.page_of(c.code_point)[c.code_point & 0xFF];
  }

  /// Adds the next code point, and all that WB4 attaches to it. Where rules looked ahead over a code point in the
  /// middle, the one that they found is what counts from then on.
  void take() {
    const WordBreak before = current_;
    current_ = peek(at_);
    at_ += size_;
    after_zwj_ = current_.value == U_WB_ZWJ;
    attached_ = false;
    if (current_.value == U_WB_REGIONAL_INDICATOR) ++num_flags_;
    if (!current_.is_newline()) attach();
    if (middle_) current_ = before;
    middle_ = false;
  }

  void attach() {
    for (WordBreak next = peek(at_); size_ != 0 && next.is_ignored(); next = peek(at_)) {
      at_ += size_;
      after_zwj_ = next.value == U_WB_ZWJ;
      attached_ = true;
    }
  }

  /// The property of the code point after the one at `at_` (of `size_` bytes) and what is attached to that.
  WordBreak peek_beyond() {
    size_t at = at_ + size_;
    for (;;) {
      const WordBreak next = peek(at);
      if (size_ == 0 || !next.is_ignored()) return next;
      at += size_;
    }
  }

  /// Whether there is no boundary at `at_`.
  bool joins() {
    const WordBreak next = peek(at_);
    if (next.is_newline()) return false;                                                      // WB3b
    if (after_zwj_ && next.pictographic) return true;                                         // WB3c
    if (current_.value == U_WB_WSEGSPACE && next.value == U_WB_WSEGSPACE) return !attached_;  // WB3d
    if (current_.is_letter()) return letter_joins(next);
    if (current_.is_numeric()) return numeric_joins(next);
    if (current_.value == U_WB_KATAKANA) return next.value == U_WB_KATAKANA || next.value == U_WB_EXTENDNUMLET;
    if (current_.value == U_WB_EXTENDNUMLET) return next.joins_underscore() || next.value == U_WB_EXTENDNUMLET;
    const bool flag = current_.value == U_WB_REGIONAL_INDICATOR && next.value == U_WB_REGIONAL_INDICATOR;
    return flag && num_flags_ % 2 == 1;  // WB15, WB16
  }

  bool letter_joins(WordBreak next) {
    if (next.is_letter() || next.is_numeric() || next.value == U_WB_EXTENDNUMLET) return true;  // WB5, WB9, WB13a
    const bool hebrew = current_.value == U_WB_HEBREW_LETTER;
    if (next.value == U_WB_MIDLETTER || next.is_mid_quote()) {
      middle_ = peek_beyond().is_letter();                            // WB6, WB7
      return middle_ || (hebrew && next.value == U_WB_SINGLE_QUOTE);  // WB7a
    }
    if (hebrew && next.value == U_WB_DOUBLE_QUOTE) middle_ = peek_beyond().value == U_WB_HEBREW_LETTER;  // WB7b, WB7c
    return middle_;
  }

  bool numeric_joins(WordBreak next) {
    if (next.is_letter() || next.is_numeric() || next.value == U_WB_EXTENDNUMLET) return true;   // WB8, WB10, WB13a
    if (next.value == U_WB_MIDNUM || next.is_mid_quote()) middle_ = peek_beyond().is_numeric();  // WB11, WB12
    return middle_;
  }

  std::string_view text_;
  WordBreaks& table_;
  size_t at_ = 0;
  size_t size_ = 0;        // of the code point that was looked at last; 0 at the end of the text
  WordBreak current_;      // the last code point, without what is attached to it
  bool attached_ = false;  // something is
  bool after_zwj_ = false;
  bool middle_ = false;     // the next code point stands between two that belong together
  uint32_t num_flags_ = 0;  // regional indicators
};

template <CjkMode kMode>
class Uax29Marker {
 public:
  Uax29Marker(std::string_view text, Bitmaps& bitmaps)
      : text_(text), bitmaps_(bitmaps), units_(bitmaps), classes_(character_classes()) {}

  void run() {
    WordBreaks& table = word_breaks();
    for (size_t at = 0; at < text_.size();) {
      const size_t end = Segment(text_, table).end_of(at);
      add_segment(at, end);
      at = end;
    }
    units_.finish();
  }

 private:
  /// A segment is one token, unless there are units in it: then these and what is between them are.
  void add_segment(size_t at, size_t end) {
    size_t begin = at;
    bool has_letter = false;
    while (at < end) {
      const text::Decoded c = text::decode_valid(text_.data() + at, text_.data() + text_.size());
      const CharacterClass character_class = class_of(classes_, c.code_point, kMode);
      const size_t next = at + c.size_bytes;
      if (character_class == CharacterClass::kUnit) {
        add_token(begin, at, has_letter);
        units_.add(at, next);
        has_letter = false;
        begin = next;
      } else {
        has_letter = has_letter || character_class == CharacterClass::kLetter;
        if (!has_letter && is_mark(character_class)) units_.extend(at, next);
      }
      at = next;
    }
    add_token(begin, end, has_letter);
  }

  static bool is_mark(CharacterClass c) { return c == CharacterClass::kMark || c == CharacterClass::kAlphabeticMark; }

  void add_token(size_t begin, size_t end, bool has_letter) {
    if (!has_letter) return;
    bitmaps_.mark_start(begin);
    bitmaps_.mark_end(end);
  }

  std::string_view text_;
  Bitmaps& bitmaps_;
  Units<kMode> units_;
  CharacterClasses& classes_;
};

}  // namespace

size_t next_word_boundary(std::string_view text, size_t at) { return Segment(text, word_breaks()).end_of(at); }

void mark_uax29(std::string_view text, CjkMode cjk, Bitmaps& bitmaps) {
  bitmaps.clear(text.size());
  if (cjk == CjkMode::kSyllables) {
    Uax29Marker<CjkMode::kSyllables>(text, bitmaps).run();
  } else if (cjk == CjkMode::kCharacters) {
    Uax29Marker<CjkMode::kCharacters>(text, bitmaps).run();
  } else {
    Uax29Marker<CjkMode::kBigrams>(text, bitmaps).run();
  }
}

}  // namespace neardup::token
