#include "neardup/diff/characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "neardup/base/utf8.h"

namespace neardup::diff {
namespace {

struct Range {
  char32_t first, last;
};

template <size_t kSize>
bool contains(const std::array<Range, kSize>& ranges, char32_t code_point) {
  auto after = std::upper_bound(ranges.begin(), ranges.end(), code_point,
                                [](char32_t value, const Range& range) { return value < range.first; });
  return after != ranges.begin() && code_point <= std::prev(after)->last;
}

// Ascending blocks, coarse on purpose: a diff that marks a little too much is still right.
constexpr std::array<Range, 11> kSpaces = {{{0x09, 0x0D},
                                            {0x20, 0x20},
                                            {0x85, 0x85},
                                            {0xA0, 0xA0},
                                            {0x1680, 0x1680},
                                            {0x2000, 0x200A},
                                            {0x2028, 0x2029},
                                            {0x202F, 0x202F},
                                            {0x205F, 0x205F},
                                            {0x3000, 0x3000},
                                            {0xFEFF, 0xFEFF}}};

constexpr std::array<Range, 37> kMarks = {
    {{0x0300, 0x036F},  {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05C7}, {0x0610, 0x061A}, {0x064B, 0x065F},
     {0x0670, 0x0670},  {0x06D6, 0x06DC}, {0x06DF, 0x06ED}, {0x0900, 0x0903}, {0x093A, 0x094F}, {0x0981, 0x0983},
     {0x09BC, 0x09CD},  {0x0A3C, 0x0A4D}, {0x0ABC, 0x0ACD}, {0x0B3C, 0x0B4D}, {0x0BBE, 0x0BCD}, {0x0C3E, 0x0C4D},
     {0x0CBC, 0x0CCD},  {0x0D3B, 0x0D4D}, {0x0E31, 0x0E31}, {0x0E33, 0x0E3A}, {0x0E47, 0x0E4E}, {0x0EB1, 0x0EB1},
     {0x0EB3, 0x0EBC},  {0x0EC8, 0x0ECE}, {0x0F71, 0x0F84}, {0x0F8D, 0x0FBC}, {0x102B, 0x103E}, {0x17B4, 0x17D3},
     {0x1AB0, 0x1AFF},  {0x1DC0, 0x1DFF}, {0x200C, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
     {0x1F3FB, 0x1F3FF}}};

constexpr std::array<Range, 31> kAlone = {
    {{0x21, 0x2F},      {0x3A, 0x40},     {0x5B, 0x5E},     {0x60, 0x60},     {0x7B, 0x7E},     {0xA1, 0xA9},
     {0xAB, 0xB4},      {0xB6, 0xB9},     {0xBB, 0xBF},     {0xD7, 0xD7},     {0xF7, 0xF7},     {0x060C, 0x060D},
     {0x061B, 0x061F},  {0x06D4, 0x06D4}, {0x0964, 0x0965}, {0x0E00, 0x0EFF}, {0x0F00, 0x109F}, {0x1780, 0x17FF},
     {0x1980, 0x19DF},  {0x2010, 0x205E}, {0x2060, 0x2BFF}, {0x2E00, 0xA4CF}, {0xA980, 0xA9DF}, {0xAA60, 0xAADF},
     {0xE000, 0xFAFF},  {0xFE10, 0xFE6F}, {0xFF01, 0xFF0F}, {0xFF1A, 0xFF20}, {0xFF3B, 0xFF40}, {0xFF5B, 0xFFFF},
     {0x16FE0, 0x3FFFF}}};

constexpr std::array<Range, 8> kHidden = {{{0x00, 0x08},
                                           {0x0B, 0x1F},
                                           {0x7F, 0x9F},
                                           {0x200B, 0x200B},
                                           {0x202A, 0x202E},
                                           {0x2060, 0x206F},
                                           {0xFEFF, 0xFEFF},
                                           {0xFFF9, 0xFFFB}}};

constexpr std::array<Range, 11> kWide = {{{0x1100, 0x115F},
                                          {0x2E80, 0x303E},
                                          {0x3041, 0xA4CF},
                                          {0xA960, 0xA97F},
                                          {0xAC00, 0xD7A3},
                                          {0xF900, 0xFAFF},
                                          {0xFE30, 0xFE6F},
                                          {0xFF01, 0xFF60},
                                          {0xFFE0, 0xFFE6},
                                          {0x1F300, 0x1FAFF},
                                          {0x20000, 0x3FFFD}}};

constexpr Character kBadByte = {0xFFFD, 1, false};

bool is_continuation(std::string_view text, size_t position) {
  return position < text.size() && continues_character(text[position]);
}

}  // namespace

Character character_at(std::string_view text, size_t position) {
  auto first = static_cast<unsigned char>(text[position]);
  if (first < 0x80) return {first, 1, true};
  int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return kBadByte;
  char32_t value = first & (0xFF >> (length + 1));
  for (int i = 1; i < length; ++i) {
    if (!is_continuation(text, position + i)) return kBadByte;
    value = value << 6 | (static_cast<unsigned char>(text[position + i]) & 0x3F);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || value > 0x10FFFF || is_surrogate) return kBadByte;
  return {value, static_cast<uint8_t>(length), true};
}

CharacterClass character_class(char32_t code_point) {
  if ((code_point | 0x20) >= 'a' && (code_point | 0x20) <= 'z') return CharacterClass::kWord;
  if (contains(kSpaces, code_point)) return CharacterClass::kSpace;
  if (contains(kMarks, code_point)) return CharacterClass::kExtend;
  if (contains(kAlone, code_point) || is_hidden(code_point)) return CharacterClass::kAlone;
  return CharacterClass::kWord;
}

bool is_hidden(char32_t code_point) { return contains(kHidden, code_point); }

int terminal_width(char32_t code_point) {
  if (contains(kMarks, code_point)) return 0;
  return contains(kWide, code_point) ? 2 : 1;
}

std::string code_point_name(char32_t code_point) { return fmt::format("U+{:04X}", static_cast<uint32_t>(code_point)); }

void append_utf8(std::string& out, char32_t code_point) {
  auto byte = [&out](char32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  if (code_point < 0x80) return byte(code_point);
  if (code_point < 0x800) {
    byte(0xC0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    byte(0xE0 | code_point >> 12);
    byte(0x80 | (code_point >> 6 & 0x3F));
  } else {
    byte(0xF0 | code_point >> 18);
    byte(0x80 | (code_point >> 12 & 0x3F));
    byte(0x80 | (code_point >> 6 & 0x3F));
  }
  byte(0x80 | (code_point & 0x3F));
}

}  // namespace neardup::diff
