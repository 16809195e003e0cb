// A short text turns into another one by a sign, a "not" or a smiley, which its character n-grams hardly notice. Each
// kind is made one hash and compared as a whole; docs/design/short_texts.md says which signs turn a meaning and which
// are mere punctuation.
// Looked at is one character with one before it and two behind it, in one pass; plain ones, nearly all there are, are
// passed over.
#include "neardup/recipe/turning_marks.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <set>

#include "neardup/base/hash.h"
#include "neardup/text/utf8.h"

namespace neardup::recipe {
namespace {

constexpr char32_t kMinus = 0x2212;
constexpr std::u32string_view kBeforeNumbers = U"+<>↑↓▲▼";
constexpr std::u32string_view kAnywhere = U"‰±∓÷≤≥≠≈∈∉⊂⊃∩∪∧∨¬⁺⁻₊₋";

bool is_digit(char32_t c) { return u_isdigit(static_cast<UChar32>(c)) != 0; }
bool is_letter(char32_t c) { return u_isUAlphabetic(static_cast<UChar32>(c)) != 0; }
bool is_currency(char32_t c) { return u_charType(static_cast<UChar32>(c)) == U_CURRENCY_SYMBOL; }

constexpr char32_t kEnd = UINT32_MAX;  // beyond the ends of a text: a character that is nothing to anybody

// What stands around a character.
struct Window {
  char32_t before = kEnd, here = kEnd, next = kEnd, after_next = kEnd;
  [[nodiscard]] bool is_behind_word() const { return is_letter(before) || is_digit(before); }
  [[nodiscard]] char32_t next_visible() const { return next == U' ' ? after_next : next; }
};

// Most characters: letters, digits and spaces.
bool is_plain(char32_t c) {
  return c == U' ' || (c >= U'a' && c <= U'z') || (c >= U'0' && c <= U'9') || (c >= 0x80 && is_letter(c));
}

// Calls use(window) for each character that is not plain.
template <typename Use>
void each_window(std::string_view text, const Use& use) {
  Window window;
  size_t at = 0;
  const auto take = [&]() -> char32_t {
    if (at >= text.size()) return kEnd;
    const text::Decoded decoded = text::decode(text.data() + at, text.data() + text.size());
    at += decoded.size_bytes;
    return decoded.code_point;
  };
  window.next = take(), window.after_next = take();
  while (window.next != kEnd) {
    window = {window.here, window.next, window.after_next, take()};
    if (!is_plain(window.here)) use(window);
  }
}

bool is_minus(const Window& window) {
  const bool before_number = is_digit(window.next) || (is_currency(window.next) && is_digit(window.after_next));
  return before_number && !window.is_behind_word() && window.before != U'-';
}

// Returns the sign that stands for the one in the middle; 0 where that says nothing.
char32_t sign_of(const Window& window) {
  const char32_t c = window.here;
  if (is_digit(c)) return 0;
  if (c == U'%' || c == U'٪') return U'%';
  if (is_currency(c) || kAnywhere.find(c) != std::u32string_view::npos) return c;
  if (c == U'-' || c == kMinus) return is_minus(window) ? kMinus : 0;
  if (kBeforeNumbers.find(c) != std::u32string_view::npos && is_digit(window.next_visible())) return c;
  if (c == U'<' && (window.next == U' ' || window.next == U'=')) return c;
  const bool ends_word = (window.is_behind_word() || window.before == U'+') && !is_letter(window.next);
  return ends_word && (c == U'+' || c == U'#') ? c : 0;
}

constexpr char32_t kSmile = 1, kFrown = 2;

// Returns the emoji in the middle, or kSmile or kFrown where a smiley begins; 0 for others.
char32_t picture_of(const Window& window) {
  const char32_t c = window.here;
  if (c == U':') {
    const char32_t mouth = window.next == U'-' ? window.after_next : window.next;
    return mouth == U')' ? kSmile : mouth == U'(' ? kFrown : 0;
  }
  const auto point = static_cast<UChar32>(c);
  const bool is_sign = c == U'©' || c == U'®' || c == U'™';
  const bool is_picture = u_hasBinaryProperty(point, UCHAR_EXTENDED_PICTOGRAPHIC) != 0 ||
                          u_hasBinaryProperty(point, UCHAR_REGIONAL_INDICATOR) != 0;
  return is_picture && !is_sign ? c : 0;
}

// Words that negate wherever they stand by themselves, as normalised: letters folded, "don't" cut to "don t". A word
// that means something else in another language does no harm: texts that differ in it are both kept.
constexpr auto kNegations = std::to_array<std::string_view>({
    "aldri", "aldrig",  "aldrin",  "asla",    "aucun",   "aucune", "bez",   "cannot", "degil",     "ej",     "geen",
    "ikke",  "ilman",   "inte",    "jamais",  "jamas",   "kein",   "keine", "keinem", "keinen",    "keiner", "khong",
    "nao",   "ne",      "neither", "nem",     "never",   "ni",     "nicht", "nici",   "niciodata", "nie",    "niemals",
    "niet",  "nigdy",   "nikdy",   "nin",     "ninguna", "no",     "non",   "none",   "nooit",     "nor",    "not",
    "nunca", "ohne",    "pas",     "sans",    "sem",     "senza",  "sin",   "soha",   "t",         "tanpa",  "tidak",
    "uden",  "utan",    "uten",    "without", "zonder",  "δεν",    "μη",    "χωρις",  "без",       "не",     "нет",
    "ни",    "никогда", "ні",      "בלי",     "לא",      "بدون",   "عدم",   "غير",    "لا",        "لم",     "لن",
    "ليس",   "नहीं",     "不",      "别",      "无",      "未",     "沒",    "没",     "無",        "非",     "없",
});
static_assert(std::ranges::is_sorted(kNegations));

// II to XXXIX: longer ones are words.
bool is_roman(std::string_view word) {
  if (word.size() < 2 || word.find_first_not_of("ivx") != std::string_view::npos) return false;
  for (int tens = 0; tens < 3 && word.starts_with('x'); ++tens) word.remove_prefix(1);
  constexpr auto kRest = std::to_array<std::string_view>({"", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"});
  return std::ranges::find(kRest, word) != kRest.end();
}

// Where the character before `at` begins.
size_t character_before(std::string_view text, size_t at) {
  do --at;
  while (at > 0 && (static_cast<uint8_t>(text[at]) & 0xC0) == 0x80);
  return at;
}

Window window_at(std::string_view text, size_t at) {
  const auto take = [&]() -> char32_t {
    if (at >= text.size()) return kEnd;
    const text::Decoded decoded = text::decode(text.data() + at, text.data() + text.size());
    at += decoded.size_bytes;
    return decoded.code_point;
  };
  Window window;
  if (at > 0) {
    at = character_before(text, at);
    window.before = take();
  }
  window.here = take(), window.next = take(), window.after_next = take();
  return window;
}

}  // namespace

char32_t sign_at(std::string_view normalized, size_t at) { return sign_of(window_at(normalized, at)); }

bool may_begin_sign(char first) {
  constexpr std::string_view kAscii = "+-<>%#$";
  return static_cast<uint8_t>(first) >= 0xC2 || kAscii.find(first) != std::string_view::npos;
}

uint32_t hash_signs(std::string_view normalized) {
  uint64_t hash = 0;
  each_window(normalized, [&hash](const Window& window) {
    if (const char32_t sign = sign_of(window); sign != 0) hash += mix64(sign);
  });
  return static_cast<uint32_t>(hash);
}

uint32_t hash_pictures(std::string_view normalized) {
  std::set<char32_t> pictures;
  each_window(normalized, [&pictures](const Window& window) {
    if (const char32_t picture = picture_of(window); picture != 0) pictures.insert(picture);
  });
  uint64_t hash = 0;
  for (const char32_t picture : pictures) hash = mix64(hash ^ picture);
  return static_cast<uint32_t>(hash);
}

uint32_t turning_word(std::string_view word) {
  if (!is_roman(word) && !std::ranges::binary_search(kNegations, word)) return 0;
  uint64_t hash = word.size();
  for (const char byte : word) hash = mix64(hash ^ static_cast<uint8_t>(byte));
  return static_cast<uint32_t>(hash);
}

}  // namespace neardup::recipe
