#include "neardup/text/roff_characters.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

struct NamedCharacter {
  std::string_view name, shown;
};

// Ordered by name. Those of mathematics are left out but for the usual ones: pages of commands have none.
constexpr NamedCharacter kCharacters[] = {
    {"!=", "≠"}, {"*D", "Δ"},  {"*a", "α"}, {"*b", "β"}, {"*d", "δ"}, {"*e", "ε"}, {"*l", "λ"},  {"*m", "μ"},
    {"*p", "π"}, {"*s", "σ"},  {"+-", "±"}, {",C", "Ç"}, {",c", "ç"}, {"->", "→"}, {"/O", "Ø"},  {"/o", "ø"},
    {"12", "½"}, {"14", "¼"},  {"34", "¾"}, {"<-", "←"}, {"<<", "≪"}, {"<=", "≤"}, {"==", "≡"},  {">=", "≥"},
    {">>", "≫"}, {"AE", "Æ"},  {"Bq", "„"}, {"Do", "$"}, {"Eu", "€"}, {"Fc", "»"}, {"Fo", "«"},  {"OE", "Œ"},
    {"Po", "£"}, {"S1", "¹"},  {"S2", "²"}, {"S3", "³"}, {"Ye", "¥"}, {"aa", "´"}, {"ae", "æ"},  {"aq", "'"},
    {"at", "@"}, {"ba", "|"},  {"bq", "‚"}, {"br", "|"}, {"bu", "•"}, {"bv", "|"}, {"ci", "○"},  {"co", "©"},
    {"cq", "’"}, {"ct", "¢"},  {"dA", "⇓"}, {"da", "↓"}, {"de", "°"}, {"dg", "†"}, {"di", "÷"},  {"dq", "\""},
    {"em", "—"}, {"en", "–"},  {"es", "∅"}, {"fc", "›"}, {"fo", "‹"}, {"ga", "`"}, {"ha", "^"},  {"hy", "-"},
    {"if", "∞"}, {"lA", "⇐"},  {"lB", "["}, {"lC", "{"}, {"la", "⟨"}, {"lq", "“"}, {"mi", "−"},  {"mu", "×"},
    {"nb", "⊄"}, {"no", "¬"},  {"oA", "Å"}, {"oa", "å"}, {"oq", "‘"}, {"or", "|"}, {"pc", "·"},  {"pl", "+"},
    {"ps", "¶"}, {"rA", "⇒"},  {"rB", "]"}, {"rC", "}"}, {"ra", "⟩"}, {"rg", "®"}, {"rq", "”"},  {"rs", "\\"},
    {"ru", "_"}, {"sc", "§"},  {"sh", "#"}, {"sl", "/"}, {"sq", "□"}, {"ss", "ß"}, {"t+-", "±"}, {"ti", "~"},
    {"tm", "™"}, {"tmu", "×"}, {"uA", "⇑"}, {"ua", "↑"}, {"ul", "_"}, {"~=", "≅"}, {"~~", "≈"}};
static_assert(std::ranges::is_sorted(kCharacters, {}, &NamedCharacter::name));

// The first of a name of two characters is an accent, the second the letter below it.
constexpr NamedCharacter kAccents[] = {{"'", "\u0301"}, {":", "\u0308"}, {"^", "\u0302"}, {"`", "\u0300"},
                                       {"o", "\u030A"}, {"v", "\u030C"}, {"~", "\u0303"}};

template <size_t kSize>
std::string_view find_shown(const NamedCharacter (&table)[kSize], std::string_view name) {
  const auto* const found = std::ranges::lower_bound(table, name, {}, &NamedCharacter::name);
  return found == std::end(table) || found->name != name ? std::string_view() : found->shown;
}

bool is_latin_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

/// Returns the number that `digits` are in `base`; no character's where they are none.
uint32_t number_of(std::string_view digits, uint32_t base) {
  constexpr uint32_t kNone = 0x110000;
  if (digits.empty() || digits.size() > 6) return kNone;
  uint32_t number = 0;
  for (const char c : digits) {
    const uint32_t digit =
        c >= '0' && c <= '9' ? static_cast<uint32_t>(c - '0') : static_cast<uint32_t>((c | 0x20) - 'a' + 10);
    if (digit >= base) return kNone;
    number = number * base + digit;
  }
  return number;
}

void append_code_point(uint32_t code_point, std::string& out) {
  if (code_point < 0x20 || code_point > 0x10FFFF || (code_point & 0xFFFFF800) == 0xD800) return;
  append_utf8(out, static_cast<char32_t>(code_point));
}

/// "0041_0301": code points one after the other.
void append_code_points(std::string_view numbers, std::string& out) {
  while (!numbers.empty()) {
    const size_t end = std::min(numbers.find('_'), numbers.size());
    append_code_point(number_of(numbers.substr(0, end), 16), out);
    numbers.remove_prefix(std::min(end + 1, numbers.size()));
  }
}

}  // namespace

void append_roff_character(std::string_view name, std::string& out) {
  if (const std::string_view shown = find_shown(kCharacters, name); !shown.empty()) {
    out += shown;
  } else if (name.size() == 2 && is_latin_letter(name[1]) && !find_shown(kAccents, name.substr(0, 1)).empty()) {
    out += name[1];
    out += find_shown(kAccents, name.substr(0, 1));
  } else if (name.starts_with("char")) {
    append_code_point(number_of(name.substr(4), 10), out);
  } else if (name.starts_with('u') && name.size() >= 5) {
    append_code_points(name.substr(1), out);
  }
}

}  // namespace neardup::text
