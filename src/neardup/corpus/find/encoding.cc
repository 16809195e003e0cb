#include "neardup/corpus/find/encoding.h"

#include <simdjson.h>

#include <algorithm>

#include "neardup/corpus/formats/utf8_repair.h"

namespace neardup::corpus {
namespace {

constexpr size_t kProbeBytes = 8192;
constexpr size_t kPercent = 100;

std::string convert_from(std::string_view encoding) {
  return "convert it first: iconv -f " + std::string(encoding) + " -t UTF-8 FILE > FILE.utf8";
}

}  // namespace

std::string_view foreign_byte_order_mark(std::string_view bytes) {
  constexpr std::string_view kUtf32[] = {std::string_view("\xFF\xFE\0\0", 4), std::string_view("\0\0\xFE\xFF", 4)};
  if (bytes.starts_with(kUtf32[0]) || bytes.starts_with(kUtf32[1])) return "UTF-32";  // one begins like UTF-16
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF") ? "UTF-16" : "";
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
  return "has NUL bytes: it is no text, or UTF-16, then " + convert_from("UTF-16LE");
}

bool is_hardly_utf8(std::string_view bytes) {
  if (simdjson::validate_utf8(bytes.data(), bytes.size())) return false;
  return count_bad_utf8(bytes) * kPercent > bytes.size();
}

}  // namespace neardup::corpus
