#include "neardup/corpus/find/encoding.h"

#include <simdjson.h>

#include <algorithm>

#include "neardup/base/wide_text.h"
#include "neardup/corpus/formats/utf8_repair.h"

namespace neardup::corpus {
namespace {

constexpr size_t kProbeBytes = 8192;
constexpr size_t kPercent = 100;

std::string convert_from(std::string_view encoding) {
  return "convert it first: iconv -f " + std::string(encoding) + " -t UTF-8 FILE > FILE.utf8";
}

/// Whether of four bytes the upper two are nearly always NUL, and the lowest hardly ever.
bool is_utf32(std::string_view bytes) {
  size_t zeros[4] = {};
  for (size_t i = 0; i < bytes.size(); ++i) zeros[i % 4] += bytes[i] == '\0' ? 1 : 0;
  const size_t nearly_all = (bytes.size() / 4) * 9 / 10;
  return zeros[3] >= nearly_all && zeros[2] >= nearly_all && zeros[0] * 2 < nearly_all;
}

}  // namespace

std::string_view foreign_byte_order_mark(std::string_view bytes) {
  constexpr std::string_view kUtf32[] = {std::string_view("\xFF\xFE\0\0", 4), std::string_view("\0\0\xFE\xFF", 4)};
  if (bytes.starts_with(kUtf32[0]) || bytes.starts_with(kUtf32[1])) return "UTF-32";  // one begins like UTF-16
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF") ? "UTF-16" : "";
}

bool is_utf16(std::string_view bytes) {
  const std::string_view mark = foreign_byte_order_mark(bytes);
  return mark == "UTF-16" || (mark.empty() && !utf16_without_mark(bytes).empty());
}

std::string why_not_utf8(std::string_view bytes) {
  const std::string_view encoding = foreign_byte_order_mark(bytes);
  return encoding.empty() ? "" : "is " + std::string(encoding) + " by its byte order mark; " + convert_from(encoding);
}

std::string why_no_text(std::string_view bytes, bool named) {
  if (std::string why = why_not_utf8(bytes); !why.empty()) return why;
  const std::string_view probe = bytes.substr(0, kProbeBytes);
  const auto num_nul = static_cast<size_t>(std::count(probe.begin(), probe.end(), '\0'));
  if (num_nul == 0) return {};
  if (named && num_nul * kPercent <= probe.size() && !is_hardly_utf8(probe)) return {};
  if (is_utf32(probe)) return "has NUL bytes: it is no text, or UTF-32, then " + convert_from("UTF-32LE");
  return "has NUL bytes: it is no text, or UTF-16, then " + convert_from("UTF-16LE");
}

bool is_hardly_utf8(std::string_view bytes) {
  if (simdjson::validate_utf8(bytes.data(), bytes.size())) return false;
  return count_bad_utf8(bytes) * kPercent > bytes.size();
}

}  // namespace neardup::corpus
