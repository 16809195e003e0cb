#include "neardup/text/johab.h"

#include <unicode/localpointer.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "neardup/text/in_use.h"
#include "neardup/text/refused.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

// What the five bits of each part of a syllable stand for, or -1.
constexpr std::array<int8_t, 32> kInitials = {-1, -1, 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13,
                                              14, 15, 16, 17, 18, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
constexpr std::array<int8_t, 32> kMedials = {-1, -1, -1, 0,  1,  2,  3,  4,  -1, -1, 5,  6,  7,  8,  9,  10,
                                             -1, -1, 11, 12, 13, 14, 15, 16, -1, -1, 17, 18, 19, 20, -1, -1};
constexpr std::array<int8_t, 32> kFinals = {-1, 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                            15, 16, -1, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, -1, -1};

// The syllable; 0 where the pair is none.
constexpr char16_t syllable_of(uint8_t lead, uint8_t trail) {
  const uint32_t bits = lead << 8 | trail;
  const int initial = kInitials[bits >> 10 & 31], medial = kMedials[bits >> 5 & 31], last = kFinals[bits & 31];
  if (lead < 0x80 || initial < 0 || medial < 0 || last < 0) return 0;
  return static_cast<char16_t>(0xAC00 + (initial * 21 + medial) * 28 + last);
}
static_assert(syllable_of(0x88, 0x61) == u'가' && syllable_of(0xD3, 0xBD) == u'힣' && syllable_of(0xD0, 0x77) == u'항');

// The letter that stands alone, a consonant or a vowel; 0 where the pair is none.
constexpr char16_t letter_of(uint8_t lead, uint8_t trail) {
  constexpr uint32_t kNoInitial = 1, kNoMedial = 2, kNoFinal = 1;
  constexpr std::u16string_view kConsonants = u"ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
  const uint32_t bits = lead << 8 | trail;
  const int initial = kInitials[bits >> 10 & 31], medial = kMedials[bits >> 5 & 31];
  if (lead < 0x80 || (bits & 31) != kNoFinal) return 0;
  if (initial >= 0 && (bits >> 5 & 31) == kNoMedial) return kConsonants[static_cast<size_t>(initial)];
  return medial >= 0 && (bits >> 10 & 31) == kNoInitial ? static_cast<char16_t>(u'ㅏ' + medial) : u'\0';
}
static_assert(letter_of(0x94, 0x41) == u'ㄷ' && letter_of(0x84, 0x61) == u'ㅏ' && letter_of(0x88, 0x61) == 0);

// The two bytes of EUC-KR of a sign or a character of Han; the first is 0 where the pair is none.
constexpr std::array<uint8_t, 2> euc_of(uint8_t lead, uint8_t trail) {
  const bool is_sign = lead >= 0xD9 && lead <= 0xDE, is_han = lead >= 0xE0 && lead <= 0xF9;
  const bool is_trail = (trail >= 0x31 && trail <= 0x7E) || (trail >= 0x91 && trail <= 0xFE);
  if (!(is_sign || is_han) || !is_trail) return {};
  const int row = is_sign ? (lead - 0xD9) * 2 + 0xA1 : (lead - 0xE0) * 2 + 0xCA;
  if (trail >= 0xA1) return {static_cast<uint8_t>(row + 1), trail};
  const int cell = trail >= 0x91 ? trail - 0x91 + 0xEF : trail - 0x31 + 0xA1;
  return {static_cast<uint8_t>(row), static_cast<uint8_t>(cell)};
}

uint8_t byte_at(std::string_view bytes, size_t i) { return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0; }

/// Signs and characters of Han.
class EucPairs {
 public:
  EucPairs() {
    UErrorCode error = U_ZERO_ERROR;
    converter_.adoptInstead(ucnv_open("windows-949", &error));
    throw_if_refused(error);
  }
  char32_t read(const std::array<uint8_t, 2>& pair) {
    if (pair[0] == 0 || converter_.isNull()) return 0xFFFD;
    const char bytes[] = {static_cast<char>(pair[0]), static_cast<char>(pair[1])};
    char16_t units[2] = {};
    UErrorCode error = U_ZERO_ERROR;
    const int32_t size = ucnv_toUChars(converter_.getAlias(), units, 2, bytes, 2, &error);
    throw_if_refused(error);
    return size == 1 ? units[0] : U'\uFFFD';
  }

 private:
  icu::LocalUConverterPointer converter_;
};

}  // namespace

bool is_surely_johab(std::string_view bytes) {
  constexpr size_t kLeastSyllables = 20;
  std::u16string hangul;
  std::map<char16_t, size_t> counts;
  size_t num_others = 0, num_amiss = 0, most = 0;
  for (size_t i = 0; i < bytes.size();) {
    const uint8_t lead = byte_at(bytes, i), trail = byte_at(bytes, i + 1);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    if (const char16_t syllable = syllable_of(lead, trail); syllable != 0) {
      hangul += syllable;
      most = std::max(most, ++counts[syllable]);
    } else {
      ++(letter_of(lead, trail) != 0 || euc_of(lead, trail)[0] != 0 ? num_others : num_amiss);
    }
    i += 2;
  }
  return hangul.size() >= kLeastSyllables && num_others <= hangul.size() && num_amiss * 50 <= hangul.size() &&
         most * 4 <= hangul.size() && count_hangul_in_use(hangul) * 10 >= hangul.size() * 9;
}

std::string utf8_of_johab(std::string_view bytes) {
  EucPairs pairs;
  std::string out;
  for (size_t i = 0; i < bytes.size();) {
    const uint8_t lead = byte_at(bytes, i), trail = byte_at(bytes, i + 1);
    char32_t c = lead;
    if (lead >= 0x80) {
      const char16_t syllable = syllable_of(lead, trail), letter = letter_of(lead, trail);
      c = syllable != 0 ? syllable : letter != 0 ? letter : pairs.read(euc_of(lead, trail));
    }
    i += lead < 0x80 || trail < 0x31 ? 1 : 2;
    append_utf8(out, c);
  }
  return out;
}

}  // namespace neardup::text
