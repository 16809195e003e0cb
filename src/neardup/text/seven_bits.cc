#include "neardup/text/seven_bits.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

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

// What stands in the braces of HZ are pairs of bytes, most of them frequent characters or punctuation: English letters
// would be rare ones.
bool is_hz(std::string_view bytes) {
  size_t num_frequent = 0, num_pairs = 0;
  for (size_t at = bytes.find("~{"); at != std::string_view::npos; at = bytes.find("~{", at)) {
    for (at += 2; at + 1 < bytes.size() && bytes[at] != '~' && bytes[at] != '\n'; at += 2, ++num_pairs) {
      const char row = bytes[at], cell = bytes[at + 1];
      if (row < 0x21 || row > 0x77 || cell < 0x21 || cell > 0x7E) return false;
      num_frequent += row < 0x2A || (row >= 0x30 && row < 0x58) ? 1 : 0;
    }
    if (at + 1 < bytes.size() && bytes[at] == '~' && bytes[at + 1] != '}') return false;
  }
  return num_pairs >= 2 && num_frequent * 10 >= num_pairs * 8;
}

// What the runs of a text in UTF-7 say.
class Utf7Runs {
 public:
  // Whether `run`, what stands behind a plus sign, is characters beyond ASCII and no bit more.
  bool take(std::string_view run) {
    const size_t num_bits = run.size() * 6;
    if (run.size() < 3 || num_bits % 16 >= 6) return false;
    uint32_t bits = 0, high = 0;
    int count = 0;
    for (const char c : run) {
      bits = bits << 6 | static_cast<uint32_t>(kBase64.find(c));
      count += 6;
      if (count < 16) continue;
      count -= 16;
      if (!take_unit(bits >> count & 0xFFFF, high)) return false;
    }
    return high == 0 && (bits & ((1U << count) - 1)) == 0;
  }
  // Texts are written in a script or two; other base64 would say characters of any, a third of them Han.
  [[nodiscard]] bool say_something() const {
    constexpr double kSurely = 20;  // bits: one of a million
    const bool is_mixed = scripts_.contains(USCRIPT_HAN) && scripts_.contains(USCRIPT_HANGUL);
    return evidence_bits_ >= kSurely && scripts_.size() <= 3 && !is_mixed;
  }

 private:
  bool take_unit(uint32_t unit, uint32_t& high) {
    const bool is_low = (unit & 0xFC00) == 0xDC00;
    if (is_low != (high != 0)) return false;
    if ((unit & 0xFC00) == 0xD800) return high = unit, true;
    const auto c = static_cast<UChar32>(is_low ? ((high - 0xD7C0) << 10) + (unit - 0xDC00) : unit);
    high = 0;
    UErrorCode error = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(c, &error);
    if (!u_isgraph(c) && !u_isspace(c)) return false;
    if (u_isalpha(c) && c >= 0x80) evidence_bits_ += script == USCRIPT_HAN ? 1.6 : script == USCRIPT_HANGUL ? 2.5 : 6;
    if (script != USCRIPT_COMMON && script != USCRIPT_INHERITED) scripts_.insert(script);
    return true;
  }

  double evidence_bits_ = 0;
  std::set<UScriptCode> scripts_;
};

bool is_utf7(std::string_view bytes) {
  Utf7Runs runs;
  for (size_t at = bytes.find('+'); at != std::string_view::npos; at = bytes.find('+', at)) {
    if (++at < bytes.size() && bytes[at] == '-') continue;
    const size_t end = std::min(bytes.find_first_not_of(kBase64, at), bytes.size());
    if (!runs.take(bytes.substr(at, end - at))) return false;
    at = end;
  }
  return runs.say_something();
}

}  // namespace

std::string_view seven_bit_encoding(std::string_view bytes) {
  if (const std::string_view encoding = by_escapes(bytes); !encoding.empty()) return encoding;
  if (is_hz(bytes)) return "HZ-GB-2312";
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
