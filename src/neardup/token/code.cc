#include "neardup/token/code.h"

#include "neardup/text/utf8.h"
#include "neardup/token/character_class.h"
#include "neardup/token/comments.h"
#include "neardup/token/units.h"

namespace neardup::token {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

template <CjkMode kMode>
class CodeMarker {
 public:
  CodeMarker(std::string_view text, Bitmaps& bitmaps)
      : text_(text), bitmaps_(bitmaps), units_(bitmaps), classes_(character_classes()), comments_(text) {}

  void run() {
    for (size_t at = 0; at < text_.size();) at = step(at);
    end_word(text_.size());
    units_.finish();
  }

 private:
  // Takes what begins at `at`; returns its end.
  size_t step(size_t at) {
    const char c = text_[at];
    if (is_ascii_word(c)) return in_word_ || !is_digit(c) ? word(at) : number(at);
    if (static_cast<unsigned char>(c) >= 0x80) return character(at);
    end_word(at);
    return c <= ' ' || c == 0x7F ? at + 1 : sign(at);
  }

  size_t word(size_t at) {
    begin_word(at);
    return at + 1;
  }

  // A digit that no word goes on with: 12, 0x1F, 1.5e3, 10L.
  size_t number(size_t at) {
    size_t end = at + 1;
    while (end < text_.size() &&
           (is_ascii_word(text_[end]) || (text_[end] == '.' && end + 1 < text_.size() && is_digit(text_[end + 1])))) {
      ++end;
    }
    return mark(at, end);
  }

  size_t sign(size_t at) {
    const size_t comment_end = comments_.comment_end(at);
    if (comment_end != at) return comment_end;
    const bool is_quote = text_[at] == '"' || text_[at] == '\'';
    const size_t end = is_quote ? comments_.string_end(at) : at;
    return mark(at, end == at ? at + 1 : end);
  }

  size_t character(size_t at) {
    const text::Decoded decoded = text::decode_valid(text_.data() + at, text_.data() + text_.size());
    const size_t end = at + decoded.size_bytes;
    const CharacterClass character_class = class_of(classes_, decoded.code_point, kMode);
    const bool is_mark = character_class == CharacterClass::kMark || character_class == CharacterClass::kAlphabeticMark;
    if (character_class == CharacterClass::kLetter || (is_mark && in_word_)) {
      begin_word(at);
    } else if (is_mark) {
      units_.extend(at, end);
    } else {
      end_word(at);
      if (character_class == CharacterClass::kUnit) units_.add(at, end);
    }
    return end;
  }

  size_t mark(size_t begin, size_t end) {
    bitmaps_.mark_start(begin);
    bitmaps_.mark_end(end);
    return end;
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
  CommentScanner comments_;
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
