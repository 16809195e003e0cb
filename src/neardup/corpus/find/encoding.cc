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

/// The encoding that the first bytes of a text are in, the mark in front or not; "" where it is neither.
std::string_view wide_encoding(std::string_view bytes) {
  const WideMark mark = wide_mark(bytes);
  return mark.size_bytes > 0 ? mark.encoding : wide_without_mark(bytes);
}

}  // namespace

bool has_wide_mark(std::string_view bytes) { return wide_mark(bytes).size_bytes > 0; }

bool is_wide(std::string_view bytes) { return !wide_encoding(bytes).empty(); }

std::string why_not_utf8(std::string_view bytes) {
  const WideMark mark = wide_mark(bytes);
  const std::string_view encoding = mark.encoding.substr(0, mark.encoding.size() < 2 ? 0 : mark.encoding.size() - 2);
  return encoding.empty() ? "" : "is " + std::string(encoding) + " by its byte order mark; " + convert_from(encoding);
}

std::string why_wide(std::string_view head) {
  if (std::string why = why_not_utf8(head); !why.empty()) return why;
  if (head.find('\0') == std::string_view::npos) return {};  // line ends and signs of a table have one
  const std::string_view encoding = wide_without_mark(head.substr(0, head.size() / 4 * 4));
  return encoding.empty() ? ""
                          : "is " + std::string(encoding) + " without a byte order mark; " + convert_from(encoding);
}

std::string narrow(std::string bytes) {
  const std::string_view whole(bytes.data(), bytes.size() / 4 * 4);
  const std::string_view encoding = bytes.find('\0') == std::string::npos ? "" : wide_encoding(whole);
  if (encoding.empty()) return bytes;
  const size_t size = wide_unit_bytes(encoding), lowest = encoding.ends_with("LE") ? 0 : size - 1;
  size_t to = 0;
  for (size_t at = wide_mark(bytes).size_bytes; at + size <= bytes.size(); at += size) {
    const std::string_view unit(bytes.data() + at, size);
    const bool is_ascii = static_cast<size_t>(std::ranges::count(unit, '\0')) >= size - 1 && unit[lowest] > 0;
    bytes[to++] = is_ascii ? unit[lowest] : '?';
  }
  bytes.resize(to);
  return bytes;
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
