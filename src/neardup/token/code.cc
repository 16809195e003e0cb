#include "neardup/token/code.h"

#include "neardup/text/utf8.h"
#include "neardup/token/character_class.h"
#include "neardup/token/units.h"

namespace neardup::token {
namespace {

template <CjkMode kMode>
class CodeMarker {
 public:
  CodeMarker(std::string_view text, Bitmaps& bitmaps)
      : text_(text), bitmaps_(bitmaps), units_(bitmaps), classes_(character_classes()) {}

  void run() {
    const char* const end = text_.data() + text_.size();
    for (size_t at = 0; at < text_.size();) {
      const text::Decoded c = text::decode_valid(text_.data() + at, end);
      character(c.code_point, at, at + c.size_bytes);
      at += c.size_bytes;
    }
    end_word(text_.size());
    units_.finish();
  }

 private:
  void character(char32_t c, size_t begin, size_t end) {
    const CharacterClass character_class = class_of(classes_, c, kMode);
    const bool is_mark = character_class == CharacterClass::kMark || character_class == CharacterClass::kAlphabeticMark;
    if (c == U'_' || character_class == CharacterClass::kLetter || (is_mark && in_word_)) return begin_word(begin);
    if (is_mark) return units_.extend(begin, end);
    end_word(begin);
    if (character_class == CharacterClass::kUnit) return units_.add(begin, end);
    if (c <= U' ' || c >= 0x7F) return;
    bitmaps_.mark_start(begin);
    bitmaps_.mark_end(end);
  }

  void begin_word(size_t at) {
    if (!in_word_) bitmaps_.mark_start(at);
    in_word_ = true;
  }
  void end_word(size_t at) {
    if (in_word_) bitmaps_.mark_end(at);
    in_word_ = false;
  }

  std::string_view text_;
  Bitmaps& bitmaps_;
  Units<kMode> units_;
  CharacterClasses& classes_;
  bool in_word_ = false;
};

}  // namespace

void mark_code(std::string_view text, CjkMode cjk, Bitmaps& bitmaps) {
  bitmaps.clear(text.size());
  if (cjk == CjkMode::kSyllables) {
    CodeMarker<CjkMode::kSyllables>(text, bitmaps).run();
  } else if (cjk == CjkMode::kCharacters) {
    CodeMarker<CjkMode::kCharacters>(text, bitmaps).run();
  } else {
    CodeMarker<CjkMode::kBigrams>(text, bitmaps).run();
  }
}

}  // namespace neardup::token
