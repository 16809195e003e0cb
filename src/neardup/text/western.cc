#include "neardup/text/western.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace neardup::text {
namespace {

constexpr size_t kLeastLettersBehind = 3;

/// Which bytes are small letters of Western Europe, those that are frequent in some language there: bit i is byte 80 +
/// i.
using SmallLetters = std::array<uint64_t, 2>;

constexpr SmallLetters letters_at(std::string_view bytes) {
  SmallLetters letters{};
  for (const char byte : bytes) {
    const auto i = static_cast<uint8_t>(static_cast<uint8_t>(byte) - 0x80);
    letters[i / 64] |= uint64_t{1} << i % 64;
  }
  return letters;
}

// à á â ã ä å æ ç è é ê ë ì í î ï ñ ò ó ô õ ö ø ù ú û ü ß
constexpr SmallLetters kOfWindows = letters_at(
    "\xE0\xE1\xE2\xE3\xE4\xE5\xE6\xE7\xE8\xE9\xEA\xEB\xEC\xED\xEE\xEF\xF1\xF2\xF3\xF4\xF5\xF6\xF8\xF9\xFA\xFB"
    "\xFC\xDF\x9A\x9C\x9E");  // and š œ ž
constexpr SmallLetters kOfMac = letters_at(
    "\x88\x87\x89\x8B\x8A\x8C\xBE\x8D\x8F\x8E\x90\x91\x93\x92\x94\x95\x96\x98\x97\x99\x9B\x9A\xBF\x9D\x9C\x9E"
    "\x9F\xA7");
constexpr SmallLetters kOfDos = letters_at(
    "\x85\xA0\x83\xC6\x84\x86\x91\x87\x8A\x82\x88\x89\x8D\xA1\x8C\x8B\xA4\x95\xA2\x93\xE4\x94\x9B\x97\xA3\x96"
    "\x81\xE1");

constexpr bool holds_letter(const SmallLetters& letters, uint8_t byte) {
  return (letters[byte / 64 % 2] >> byte % 64 & 1) != 0;
}

/// Signs of Windows that stand behind words: ... ‘ ’ “ ” • – — ™ and the blank that breaks no line. And what is ø of
/// the Mac, but ż in Polish.
bool is_sign_of_windows(uint8_t byte) {
  return byte == 0x85 || (byte >= 0x91 && byte <= 0x97) || byte == 0x99 || byte == 0xA0 || byte == 0xBF;
}

bool is_small_ascii(char c) { return c >= 'a' && c <= 'z'; }

/// What the bytes beyond ASCII behind small letters are.
struct BehindLetters {
  size_t letters = 0, others = 0;
};

BehindLetters count_behind(std::string_view bytes, const SmallLetters& letters) {
  BehindLetters counts;
  for (size_t i = 1; i < bytes.size(); ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    if (byte < 0x80 || is_sign_of_windows(byte) || !is_small_ascii(bytes[i - 1])) continue;
    ++(holds_letter(letters, byte) ? counts.letters : counts.others);
  }
  return counts;
}

}  // namespace

std::string_view western_encoding(std::string_view bytes, std::string_view found) {
  if (found != "windows-1252") return found;
  size_t most = count_behind(bytes, kOfWindows).letters;
  for (const auto& [name, letters] : {std::pair(std::string_view("macintosh"), kOfMac), {"IBM850", kOfDos}}) {
    const BehindLetters counts = count_behind(bytes, letters);
    if (counts.letters < kLeastLettersBehind || counts.letters <= most || counts.letters < 4 * counts.others) continue;
    most = counts.letters;
    found = name;
  }
  return found;
}

}  // namespace neardup::text
