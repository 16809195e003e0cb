#include "neardup/text/seven_bits.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "neardup/text/in_use.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

constexpr uint8_t kNoDigit = 64;

// What each byte stands for in base64, or kNoDigit.
constexpr std::array<uint8_t, 256> kBase64 = [] {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<uint8_t, 256> table{};
  table.fill(kNoDigit);
  for (uint8_t i = 0; i < kDigits.size(); ++i) table[static_cast<uint8_t>(kDigits[i])] = i;
  return table;
}();

uint8_t base64_digit(char c) { return kBase64[static_cast<uint8_t>(c)]; }

bool holds(std::string_view text, std::string_view what) { return text.find(what) != std::string_view::npos; }

std::string_view by_escapes(std::string_view bytes) {
  const size_t first = bytes.find('\x1B');
  if (first == std::string_view::npos) return {};
  const std::string_view rest = bytes.substr(first);
  if (holds(rest, "\x1B$)C") && holds(rest, "\x0E")) return "ISO-2022-KR";
  for (const std::string_view begin : {"\x1B$)A", "\x1B$)G", "\x1B$*H"})
    if (holds(rest, begin)) return "ISO-2022-CN";
  for (const std::string_view begin : {"\x1B$B", "\x1B$@", "\x1B(I", "\x1B$(D"})
    if (holds(rest, begin)) return "ISO-2022-JP";
  return {};
}

// Whether `lead` is that of a row of GB 2312 in which something stands, and `trail` a cell.
bool is_hz_pair(char lead, char trail) {
  const bool is_row = (lead >= 0x21 && lead <= 0x29) || (lead >= 0x30 && lead <= 0x77);
  return is_row && trail >= 0x21 && trail <= 0x7E;
}

bool is_sign(char c) { return base64_digit(c) == kNoDigit || c == '+' || c == '/'; }

// What stands in the braces of HZ are pairs of bytes, most of them frequent characters or punctuation: English letters
// would be rare ones where they are small. Those that are large would be frequent ones, but the second bytes of a text
// are signs as well. A tilde elsewhere is doubled or ends a line: formats of Lisp have others.
class HzBraces {
 public:
  bool take(std::string_view bytes) {
    for (size_t at = bytes.find('~'); at != std::string_view::npos; at = bytes.find('~', at)) {
      const std::string_view rest = bytes.substr(at);
      if (rest.starts_with("~{") ? !take_pairs(bytes, at) : !rest.starts_with("~~") && !rest.starts_with("~\n"))
        return false;
      at += 2;
    }
    constexpr size_t kLeastPairs = 6;
    return num_pairs_ >= kLeastPairs && num_frequent_ * 10 >= num_pairs_ * 8 && has_sign_;
  }

 private:
  // Leaves `at` at the closing tilde, or at the end of a text that was cut off.
  bool take_pairs(std::string_view bytes, size_t& at) {
    for (at += 2; at + 1 < bytes.size() && bytes[at] != '~'; at += 2, ++num_pairs_) {
      const char lead = bytes[at], trail = bytes[at + 1];
      if (!is_hz_pair(lead, trail)) return false;
      num_frequent_ += lead < 0x58 ? 1 : 0;
      has_sign_ = has_sign_ || is_sign(lead) || is_sign(trail);
    }
    return at + 1 >= bytes.size() || bytes[at + 1] == '}';
  }

  size_t num_frequent_ = 0, num_pairs_ = 0;
  bool has_sign_ = false;
};

// Whether hardly any text has the letter: of a script that is not in wide use, or one that linguists have added.
bool is_exotic(UChar32 c, UScriptCode script) {
  if (script == USCRIPT_LATIN) return c >= 0x250 && (c < 0x1E00 || c >= 0x1F00);
  return uscript_getUsage(script) != USCRIPT_USAGE_RECOMMENDED;
}

// What the runs of a text in UTF-7 say: the letters beyond ASCII of its first different runs, each looked at once
// however often it occurs. All others only have to be valid.
class Utf7Runs {
 public:
  // Whether `run`, what stands behind a plus sign, is characters beyond ASCII and no bit more.
  bool take(std::string_view run) {
    constexpr std::string_view kNoLetters = "0123456789+/";  // of a telephone number
    const size_t num_bits = run.size() * 6;
    if (run.size() < 3 || num_bits % 16 >= 6 || run.find_first_not_of(kNoLetters) == std::string_view::npos)
      return false;
    looks_at_ = runs_.size() < kMostRuns && num_letters_ < kMostLetters;
    if (looks_at_ && !runs_.insert(run).second) return true;
    uint32_t bits = 0, high = 0;
    int count = 0;
    for (const char c : run) {
      bits = bits << 6 | base64_digit(c);
      count += 6;
      if (count < 16) continue;
      count -= 16;
      if (!take_unit(bits >> count & 0xFFFF, high)) return false;
    }
    return high == 0 && (bits & ((1U << count) - 1)) == 0;
  }

  // Whether it is more than chance. Words behind a plus sign ("know+how") say rare characters of Han and Hangul, and
  // those in capitals letters of any script.
  [[nodiscard]] bool say_something() const {
    constexpr double kSurely = 24;  // bits
    constexpr size_t kLeastOfOneRun = 8;
    if (!han_.empty() && !hangul_.empty()) return false;
    return (runs_.size() > 1 || num_letters_ >= kLeastOfOneRun) && evidence_bits() >= kSurely;
  }

 private:
  bool take_unit(uint32_t unit, uint32_t& high) {
    const bool is_low = (unit & 0xFC00) == 0xDC00;
    if (is_low != (high != 0)) return false;
    if ((unit & 0xFC00) == 0xD800) return high = unit, true;
    const auto c = static_cast<UChar32>(is_low ? ((high - 0xD7C0) << 10) + (unit - 0xDC00) : unit);
    high = 0;
    if ((!u_isgraph(c) && !u_isspace(c)) || u_charType(c) == U_PRIVATE_USE_CHAR) return false;
    if (looks_at_ && c >= 0x80 && u_isalpha(c)) take_letter(c);
    return true;
  }

  void take_letter(UChar32 c) {
    UErrorCode error = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(c, &error);
    looks_at_ = ++num_letters_ < kMostLetters;
    if (script == USCRIPT_HAN) {
      han_ += c < 0x10000 ? static_cast<char16_t>(c) : u'\uFFFD';
    } else if (script == USCRIPT_HANGUL) {
      hangul_ += static_cast<char16_t>(c);
    } else {
      ++(is_exotic(c, script) ? num_exotic_ : letters_[script]);
    }
  }

  // Texts are written in one script, but for the letters of Latin and kana, and in characters that are in use.
  [[nodiscard]] double evidence_bits() const {
    constexpr double kLetter = 6, kLatin = 8, kInUse = 3, kRare = -4;
    const size_t num_in_use = count_han_in_use(han_) + count_hangul_in_use(hangul_);
    const size_t num_rare = han_.size() + hangul_.size() - num_in_use + num_exotic_;
    double bits = static_cast<double>(num_in_use) * kInUse + static_cast<double>(num_rare) * kRare;
    size_t num_main = 0;
    for (const auto& [script, count] : letters_) {
      const auto letters = static_cast<double>(count);
      const bool is_free = script == USCRIPT_LATIN || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA;
      if (!is_free) num_main = std::max(num_main, count);
      bits += letters * (!is_free ? -kLetter : script == USCRIPT_LATIN ? kLatin : kLetter);
    }
    return bits + 2 * kLetter * static_cast<double>(num_main);
  }

  // More says no more of what the text is, and would take memory.
  static constexpr size_t kMostRuns = 4096, kMostLetters = size_t{64} << 10;
  std::set<std::string_view> runs_;  // the first
  bool looks_at_ = true;             // the letters of the run at hand count
  std::u16string han_, hangul_;
  std::map<UScriptCode, size_t> letters_;  // of all other scripts in use
  size_t num_exotic_ = 0;
  size_t num_letters_ = 0;
};

// Backslashes and tildes stand in runs alone (RFC 2152).
bool is_utf7(std::string_view bytes) {
  Utf7Runs runs;
  for (size_t at = bytes.find('+'); at != std::string_view::npos; at = bytes.find('+', at)) {
    if (++at < bytes.size() && bytes[at] == '-') continue;
    size_t end = at;
    while (end < bytes.size() && base64_digit(bytes[end]) != kNoDigit) ++end;
    if (!runs.take(bytes.substr(at, end - at))) return false;
    at = end;
  }
  return runs.say_something() && bytes.find_first_of("\\~") == std::string_view::npos;
}

}  // namespace

std::string_view seven_bit_encoding(std::string_view bytes) {
  if (const std::string_view encoding = by_escapes(bytes); !encoding.empty()) return encoding;
  if (holds(bytes, "~{") && HzBraces().take(bytes)) return "HZ-GB-2312";
  return is_utf7(bytes) ? "UTF-7" : "";
}

bool is_proven(std::string_view text) {
  size_t num_beyond = 0, num_unknown = 0;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const Decoded c = decode(at, end);
    if (c.code_point == 0x1B) return false;
    num_beyond += c.code_point >= 0x80 ? 1 : 0;
    num_unknown += c.code_point == 0xFFFD ? 1 : 0;
    at += c.size_bytes;
  }
  return num_beyond >= 2 && num_unknown * 50 <= num_beyond;
}

}  // namespace neardup::text
