#include "neardup/text/misread_han.h"

#include <unicode/localpointer.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include "neardup/text/han_text.h"
#include "neardup/text/refused.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

// Misread Chinese has a comma or full stop in as many bytes at least: longer texts with fewer are not converted for
// them.
constexpr size_t kMostBytesPerMark = 2000;

/// The bytes that were read; nothing where ICU has no table. What was lost is left out.
std::string gbk_bytes(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::LocalUConverterPointer converter(ucnv_open("GB18030", &error));
  throw_if_refused(error);
  if (U_FAILURE(error)) return {};
  std::u16string units;
  for (const char *at = text.data(), *end = at + text.size(); at < end;) {
    const Decoded c = decode(at, end);
    if (c.valid && c.code_point < 0xFFFD) units += static_cast<char16_t>(c.code_point);
    at += c.size_bytes;
  }
  std::string bytes(units.size() * 4 + 4, '\0');
  const int32_t size = ucnv_fromUChars(converter.getAlias(), bytes.data(), static_cast<int32_t>(bytes.size()),
                                       units.data(), static_cast<int32_t>(units.size()), &error);
  throw_if_refused(error);
  bytes.resize(U_FAILURE(error) ? 0 : static_cast<size_t>(size));
  return bytes;
}

/// Appends what is valid of `bytes`; false where that is not most of it.
bool take_valid(std::string_view bytes, std::string& out) {
  size_t num_valid = 0, num_cut = 0;
  for (const char *at = bytes.data(), *end = at + bytes.size(); at < end;) {
    const Decoded c = decode(at, end);
    if (c.valid) out.append(at, c.size_bytes);
    if (c.code_point >= 0x80) ++(c.valid ? num_valid : num_cut);
    at += c.size_bytes;
  }
  return num_cut * 2 <= num_valid;
}

}  // namespace

bool may_be_misread_han(std::string_view text) {
  size_t num_marks = 0;
  for (size_t at = text.find('\xE9'); at != std::string_view::npos; at = text.find('\xE9', at + 1)) {
    const std::string_view rest = text.substr(at + 1, 2);
    num_marks += static_cast<size_t>(rest == "\x94\x9B" || rest == "\x8A\x86");
    if (num_marks * kMostBytesPerMark >= text.size() && num_marks > 0) return true;
  }
  return false;
}

bool repair_misread_han(std::string_view text, std::string& out) {
  constexpr size_t kMost = size_t{1} << 28;  // of what ICU converts at once
  std::string repaired;
  if (text.size() > kMost || !take_valid(gbk_bytes(text), repaired) || !is_surely_han(repaired)) return false;
  out = std::move(repaired);
  return true;
}

}  // namespace neardup::text
