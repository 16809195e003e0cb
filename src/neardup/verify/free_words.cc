#include "neardup/verify/free_words.h"

#include <array>

#include "neardup/base/sorted_words.h"
#include "neardup/token/unit_weight.h"

namespace neardup::verify {
namespace {

// A word that means something in another language is left out: "die", "van", "on", "war", "sur".
constexpr auto kFreeWords = SortedWords(std::to_array<std::string_view>({
    "a",     "al",  "an",  "and",  "are",   "as",    "at",    "az",    "been",  "da",  "das", "de",
    "degli", "dei", "del", "dell", "della", "delle", "dem",   "den",   "der",   "des", "det", "di",
    "du",    "een", "egy", "ein",  "eine",  "einem", "einen", "einer", "eines", "el",  "en",  "er",
    "est",   "et",  "for", "gli",  "het",   "il",    "in",    "is",    "ist",   "its", "la",  "las",
    "le",    "les", "lo",  "los",  "of",    "og",    "os",    "s",     "the",   "to",  "um",  "uma",
    "un",    "una", "und", "une",  "uno",   "was",   "were",  "και",   "το",    "в",   "и",   "на",
}));

// Of Chinese and Japanese, kana, Hangul, Thai, Lao, Khmer, Burmese.
constexpr auto kTurningUnits = SortedWords(std::to_array<std::string_view>({
    "不", "未", "无", "無", "非", "没", "沒", "别", "勿", "禁", "反", "否", "免", "停",  "副", "前", "原",
    "代", "男", "女", "上", "下", "左", "右", "东", "西", "南", "北", "内", "外", "新",  "旧", "老", "大",
    "小", "高", "低", "多", "少", "早", "晚", "初", "末", "正", "负", "首", "终", "半",  "单", "双", "假",
    "伪", "再", "将", "拟", "超", "な", "ず", "ぬ", "ん", "せ", "안", "못", "않", "없",  "아", "불", "비",
    "반", "전", "부", "신", "구", "남", "북", "ม่",  "มิ",  "บໍ່",  "ບໍ່",  "មិ",  "មិន", "គ្មា", "မ",
}));

char32_t first_of(std::string_view word) {
  const auto byte = [word](size_t i) { return i < word.size() ? static_cast<uint8_t>(word[i]) : char32_t{0}; };
  if (byte(0) < 0xE0) return 0;  // scripts that write no spaces are beyond U+0800
  if (byte(0) < 0xF0) return (byte(0) & 0xF) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return (byte(0) & 7) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
}

constexpr char32_t kFirstSyllable = 0xAC00, kLastSyllable = 0xD7A3;
constexpr size_t kSyllableBytes = 3;

}  // namespace

bool is_free_word(std::string_view word) { return kFreeWords.contains(word); }

int unit_weight(std::string_view word) {
  const char32_t first = first_of(word);
  if (first >= kFirstSyllable && first <= kLastSyllable && word.size() > kSyllableBytes) return 0;  // spaced words
  return first == 0 ? 0 : token::unit_weight(first);
}

bool is_turning_unit(std::string_view unit) { return kTurningUnits.contains(unit); }

}  // namespace neardup::verify
