#include "neardup/text/han_text.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <map>
#include <string>

#include "neardup/text/in_use.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

constexpr size_t kLeastCharacters = 10;

bool is_kana(char32_t c) { return (c >= 0x3041 && c <= 0x30FE) || (c >= 0xFF66 && c <= 0xFF9F); }
bool is_han(char32_t c) { return (c >= 0x3400 && c <= 0x9FFF) || (c >= 0x20000 && c <= 0x3FFFF); }
bool is_hangul(char32_t c) { return c >= 0xAC00 && c <= 0xD7A3; }

/// How often each kind of character occurs.
class HanCharacters {
 public:
  void add(char32_t c) {
    const auto unit = static_cast<char16_t>(c < 0x10000 ? c : 0xFFFD);
    if (is_kana(c)) {
      ++num_kana_;
    } else if (is_han(c)) {
      han_ += unit;
    } else if (is_hangul(c)) {
      hangul_ += unit;
    } else {
      const bool is_letter = c >= 0x80 && u_isalpha(static_cast<UChar32>(c)) != 0;
      const bool is_amiss = c == 0xFFFD || u_charType(static_cast<UChar32>(c)) == U_PRIVATE_USE_CHAR;
      num_amiss_ += is_letter || is_amiss ? 1 : 0;
      return;
    }
    most_ = std::max(most_, ++counts_[c]);
  }

  [[nodiscard]] bool are_text() const {
    const size_t all = num_kana_ + han_.size() + hangul_.size();
    if (all < kLeastCharacters || most_ * 4 > all || num_amiss_ * 20 > all) return false;
    return (num_kana_ + count_han_in_use(han_) + count_hangul_in_use(hangul_)) * 10 >= all * 9;
  }

 private:
  std::u16string han_, hangul_;
  size_t num_kana_ = 0, num_amiss_ = 0, most_ = 0;
  std::map<char32_t, size_t> counts_;
};

}  // namespace

bool is_surely_han(std::string_view text) {
  HanCharacters characters;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const Decoded c = decode(at, end);
    characters.add(c.valid ? c.code_point : 0xFFFD);
    at += c.size_bytes;
  }
  return characters.are_text();
}

}  // namespace neardup::text
