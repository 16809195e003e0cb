#include "neardup/text/mask_words.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

constexpr std::string_view kMonths =
    // English, and the abbreviations that most languages share
    "january february march april may june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec "
    // German
    "januar jänner februar märz mai juni juli oktober dezember mär okt dez "
    // French
    "janvier février mars avril juin juillet août septembre octobre novembre décembre janv févr avr juil déc "
    // Spanish
    "enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre ene abr ago "
    "dic "
    // Italian
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug set ott "
    // Portuguese
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro fev out "
    // Dutch
    "januari februari maart mei augustus mrt "
    // Swedish, Danish
    "maj augusti marts "
    // Polish
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia "
    // Czech
    "ledna února března dubna května června července srpna září října listopadu prosince "
    // Russian
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря янв фев апр авг сен окт ноя дек "
    // Ukrainian
    "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня "
    // Turkish
    "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık "
    // Indonesian
    "maret desember agt ";

constexpr std::string_view kWeekdays =
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag "
    "lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo "
    "lunedì martedì mercoledì giovedì venerdì sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag "
    "zondag "
    "понедельник вторник среда четверг пятница суббота воскресенье ";

constexpr std::string_view kZones = "am pm utc gmt est edt cst cdt mst mdt pst pdt cet cest bst ist jst z uhr h ";
constexpr std::string_view kOfs = "of de del di d da den der the le el ";

using MaskWords = std::unordered_map<std::string, MaskWord>;

void add(MaskWords& words, std::string_view list, MaskWord meaning) {
  for (size_t at = 0; at < list.size();) {
    const size_t end = list.find(' ', at);
    words.emplace(list.substr(at, end - at), meaning);
    at = end + 1;
  }
}

const MaskWords& all_words() {
  static const MaskWords words = [] {
    MaskWords made;
    add(made, kMonths, MaskWord::kMonth);
    add(made, kWeekdays, MaskWord::kWeekday);
    add(made, kZones, MaskWord::kZone);
    add(made, kOfs, MaskWord::kOf);
    return made;
  }();
  return words;
}

/// Which bytes a word of the list begins with, small or capital, and how long it may be: most words are none.
struct WordFilter {
  bool begins[256] = {};
  size_t longest = 0;
  WordFilter() {
    for (const auto& [word, meaning] : all_words()) {
      const auto first = static_cast<uint8_t>(word[0]);
      begins[first] = true;
      if (first < 0x80) begins[first & 0xDF] = true;
      longest = std::max(longest, word.size());
    }
    for (const int lead : {0xC3, 0xC4, 0xC5, 0xD0, 0xD1}) begins[lead] = true;
  }
};

constexpr size_t kPrefixBits = 4096;

/// A number of the first three bytes of a word whatever its letter case. In letters of two bytes the case changes the
/// second one, which is left out then, and what follows.
size_t prefix_slot(std::string_view word) {
  const auto byte = [&word](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(word[i])); };
  if (byte(0) >= 0x80) return byte(0);
  if (byte(1) >= 0x80) return (byte(0) | 0x20) * 31 % kPrefixBits;
  if (byte(2) >= 0x80) return ((byte(0) | 0x20) * 31 + (byte(1) | 0x20)) * 31 % kPrefixBits;
  return (((byte(0) | 0x20) * 31 + (byte(1) | 0x20)) * 31 + (byte(2) | 0x20)) % kPrefixBits;
}

struct Prefixes {
  bool is_one[kPrefixBits] = {};
  Prefixes() {
    for (const auto& [word, meaning] : all_words()) {
      if (meaning == MaskWord::kMonth || meaning == MaskWord::kWeekday) is_one[prefix_slot(word)] = true;
    }
    for (const size_t lead : {0xC3u, 0xC4u, 0xC5u, 0xD0u, 0xD1u}) is_one[lead] = true;
  }
};

char32_t lower_letter(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 32;
  if (c == 0x130) return 'i';
  if (c >= 0x100 && c <= 0x17F) {
    const bool odd_is_capital = (c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E);
    return (c % 2 != 0) == odd_is_capital ? c + 1 : c;
  }
  if (c >= 0x410 && c <= 0x42F) return c + 32;
  return c >= 0x400 && c <= 0x40F ? c + 80 : c;
}

}  // namespace

bool may_be_name(std::string_view text) {
  static const Prefixes prefixes;
  return text.size() >= 3 && prefixes.is_one[prefix_slot(text)];
}

MaskWord mask_word(std::string_view word) {
  static const WordFilter filter;
  if (word.empty() || word.size() > filter.longest || !filter.begins[static_cast<uint8_t>(word[0])]) {
    return MaskWord::kNone;
  }
  std::string folded;  // short: in its own small buffer mostly
  for (const char *at = word.data(), *end = at + word.size(); at < end;) {
    const Decoded next =
        static_cast<uint8_t>(*at) < 0x80 ? Decoded{static_cast<uint8_t>(*at), 1, true} : decode(at, end);
    uint32_t size_bytes = 0;
    const uint32_t bytes = encode(lower_letter(next.code_point), size_bytes);
    folded.append(reinterpret_cast<const char*>(&bytes), size_bytes);
    at += next.size_bytes;
  }
  const auto found = all_words().find(folded);
  return found == all_words().end() ? MaskWord::kNone : found->second;
}

}  // namespace neardup::text
