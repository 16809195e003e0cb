#include "neardup/text/misread_runs.h"

#include <algorithm>

#include "neardup/text/cp1252.h"
#include "neardup/text/utf8.h"

namespace neardup::text {

MisreadRun next_misread_run(std::string_view text, size_t at) {
  while (at < text.size() && is_ascii_byte(text[at])) ++at;
  size_t end = at;
  while (end < text.size() && !is_ascii_byte(text[end])) ++end;
  return {at, end};
}

uint8_t byte_in_code_page(std::span<const char16_t> upper, char32_t c) {
  const auto found = std::find(upper.begin(), upper.end(), c);
  return found == upper.end() ? 0 : static_cast<uint8_t>(0x80 + (found - upper.begin()));
}

uint8_t latin_byte(char32_t c) {
  if (c < 0x80) return 0;
  return c < 0x100 ? static_cast<uint8_t>(c) : byte_in_code_page(kCp1252, c);
}

bool read_back(std::string_view run, ByteOfCharacter byte_of, std::string& bytes) {
  bytes.clear();
  for (const char *at = run.data(), *end = at + run.size(); at < end;) {
    const Decoded c = decode(at, end);
    const uint8_t byte = c.valid ? byte_of(c.code_point) : 0;
    if (byte == 0) return false;
    bytes += static_cast<char>(byte);
    at += c.size_bytes;
  }
  return true;
}

bool replace_misread_runs(std::string_view text, std::string& out,
                          const std::function<const std::string*(const MisreadRun&)>& original_of) {
  size_t copied = 0;
  bool any = false;
  for (MisreadRun run = next_misread_run(text, 0); !run.is_empty(); run = next_misread_run(text, run.end)) {
    const std::string* const original = original_of(run);
    if (original == nullptr) continue;
    if (!any) out.clear();
    any = true;
    out.append(text, copied, run.begin - copied).append(*original);
    copied = run.end;
  }
  if (any) out.append(text, copied);
  return any;
}

}  // namespace neardup::text
