#include "neardup/text/cyrillic.h"

#include <unicode/ucnv.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>

#include "neardup/text/refused.h"

namespace neardup::text {
namespace {

// Where two make the same of a text the later one is taken.
constexpr std::string_view kCyrillic[] = {"KOI8-U", "KOI8-R",         "ISO-8859-5",  "IBM855",
                                          "IBM866", "x-mac-cyrillic", "windows-1251"};
constexpr std::string_view kDetected[] = {"windows-1251", "KOI8-R", "KOI8-U", "ISO-8859-5"};
constexpr size_t kLeastLetters = 20;
constexpr float kSense = -5.3F;   // bits a letter: Russian has -4.4 in its own encoding, Serbian -4.9
constexpr float kSurely = -5.0F;  // where ICU sees no Cyrillic at all
constexpr float kMore = 0.02F;    // bits a letter
constexpr float kAmiss = -7.0F;   // for a sign, a capital within a word, a Latin letter beside a Cyrillic one
constexpr float kRare = -9.0F;    // letters of other languages

// log2 of the share of each letter from U+0430 to U+045F, of Russian texts; letters of its neighbours are guesses.
constexpr std::array<float, 48> kLogShare = {
    -3.6F, -6.0F, -4.5F, -5.9F, -5.1F, -3.6F, -6.7F, -5.9F, -3.8F, -6.4F, -4.8F, -4.5F,  // а to л
    -5.0F, -3.9F, -3.2F, -5.2F, -4.4F, -4.2F, -4.0F, -5.3F, -8.6F, -6.7F, -7.7F, -6.1F,  // м to ч
    -7.1F, -8.1F, -9.0F, -5.7F, -5.8F, -8.3F, -7.3F, -5.6F,                              // ш to я
    kRare, -8.5F, kRare, kRare, -7.5F, kRare, -5.5F, -7.5F, -5.5F, -7.5F, -7.5F, -7.5F,  // ѐ to ћ
    kRare, kRare, -7.5F, kRare,                                                          // ќ to џ
};

bool is_ascii_letter(uint8_t byte) { return static_cast<uint8_t>((byte | 0x20) - 'a') < 26; }

using UpperHalf = std::array<char16_t, 128>;

std::optional<UpperHalf> upper_half(std::string_view encoding) {
  UErrorCode error = U_ZERO_ERROR;
  UConverter* const converter = ucnv_open(std::string(encoding).c_str(), &error);
  throw_if_refused(error);
  if (U_FAILURE(error)) return std::nullopt;
  std::array<char, 128> bytes;
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(0x80 + i);
  UpperHalf half{};
  const int32_t size = ucnv_toUChars(converter, half.data(), half.size(), bytes.data(), bytes.size(), &error);
  ucnv_close(converter);
  throw_if_refused(error);
  if (error > U_ZERO_ERROR || size != static_cast<int32_t>(half.size())) return std::nullopt;
  return half;
}

// What the bytes beyond ASCII are worth as Cyrillic, in bits each; nothing where they are too few.
std::optional<float> worth(std::string_view bytes, std::string_view encoding) {
  enum class Kind { kOther, kLatin, kSmall, kCapital };
  const std::optional<UpperHalf> half = upper_half(encoding);
  if (!half) return std::nullopt;
  size_t num_beyond = 0, num_latin = 0;
  float sum = 0;
  Kind before = Kind::kOther;
  for (const char byte : bytes) {
    const auto value = static_cast<uint8_t>(byte);
    Kind kind = is_ascii_letter(value) ? Kind::kLatin : Kind::kOther;
    num_latin += kind == Kind::kLatin ? 1 : 0;
    if (value >= 0x80) {
      ++num_beyond;
      const char16_t c = (*half)[value - 0x80];
      const bool is_letter = c >= 0x400 && c < 0x460;
      if (is_letter) kind = c >= 0x430 ? Kind::kSmall : Kind::kCapital;
      const size_t small = c >= 0x430 ? c - 0x430U : c >= 0x410 ? c - 0x410U : c - 0x400U + 32U;
      const bool is_amiss = !is_letter || (kind == Kind::kCapital && before == Kind::kSmall);
      sum += is_amiss ? kAmiss : kLogShare[small];
    }
    const bool is_mixed = (kind == Kind::kLatin) != (before == Kind::kLatin) && std::min(kind, before) == Kind::kLatin;
    if (is_mixed) sum += kAmiss;
    before = kind;
  }
  if (num_beyond < kLeastLetters || num_latin > num_beyond) return std::nullopt;
  return sum / static_cast<float>(num_beyond);
}

}  // namespace

bool is_surely_cyrillic(std::string_view bytes, std::string_view encoding) {
  std::array<size_t, 128> counts{};
  for (const char byte : bytes)
    if (static_cast<uint8_t>(byte) >= 0x80) ++counts[static_cast<uint8_t>(byte) - 0x80];
  const size_t all = std::accumulate(counts.begin(), counts.end(), size_t{0});
  return *std::ranges::max_element(counts) * 4 <= all && worth(bytes, encoding).value_or(kAmiss) >= kSurely;
}

std::string_view cyrillic_encoding(std::string_view bytes, std::string_view found) {
  const bool is_known = std::ranges::find(kDetected, found) != std::end(kDetected);
  float best = kSurely;
  if (is_known) best = std::max(kSense, worth(bytes, found).value_or(0) + kMore);
  for (const std::string_view other : kCyrillic) {
    const std::optional<float> its = worth(bytes, other);
    if (!its || *its < best) continue;
    best = *its;
    found = other;
  }
  return found;
}

}  // namespace neardup::text
