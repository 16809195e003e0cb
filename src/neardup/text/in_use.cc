#include "neardup/text/in_use.h"

#include <unicode/localpointer.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <cstdint>

#include "neardup/text/refused.h"

namespace neardup::text {
namespace {

// The characters that a country's set has before all others: those that are in use. Nine of ten others are not.
struct FirstLevel {
  const char* converter;
  uint8_t first_lead, last_lead, least_trail;
};
constexpr FirstLevel kFirstLevelsOfHan[] = {
    {"GB18030", 0xB0, 0xD7, 0xA1}, {"ibm-943_P15A-2003", 0x88, 0x98, 0x40}, {"ibm-1375_P100-2008", 0xA4, 0xC6, 0x40}};
constexpr FirstLevel kFirstLevelOfHangul = {"windows-949", 0xB0, 0xC8, 0xA1};

// Counts those of `characters`, all Han or all Hangul, that stand in the first level; none where ICU lacks the set.
// Throws std::bad_alloc where memory is refused.
size_t count_in_use(const std::u16string& characters, const FirstLevel& level) {
  if (characters.empty()) return 0;
  UErrorCode error = U_ZERO_ERROR;
  const icu::LocalUConverterPointer converter(ucnv_open(level.converter, &error));
  throw_if_refused(error);
  std::string bytes(characters.size() * 4 + 4, '\0');
  const int32_t size = ucnv_fromUChars(converter.getAlias(), bytes.data(), static_cast<int32_t>(bytes.size()),
                                       characters.data(), static_cast<int32_t>(characters.size()), &error);
  throw_if_refused(error);
  if (U_FAILURE(error)) return 0;
  size_t count = 0;
  for (size_t at = 0; at + 1 < static_cast<size_t>(size); ++at) {
    const auto lead = static_cast<uint8_t>(bytes[at]), trail = static_cast<uint8_t>(bytes[at + 1]);
    if (lead < 0x80) continue;
    const bool is_of_four = trail >= '0' && trail <= '9';  // of GB 18030 alone
    count += lead >= level.first_lead && lead <= level.last_lead && trail >= level.least_trail ? 1 : 0;
    at += is_of_four ? 3 : 1;
  }
  return count;
}

}  // namespace

size_t count_han_in_use(const std::u16string& han) {
  size_t count = 0;
  for (const FirstLevel& level : kFirstLevelsOfHan) count = std::max(count, count_in_use(han, level));
  return count;
}

size_t count_hangul_in_use(const std::u16string& hangul) { return count_in_use(hangul, kFirstLevelOfHangul); }

}  // namespace neardup::text
