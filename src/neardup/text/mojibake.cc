#include "neardup/text/mojibake.h"

#include <algorithm>

#include "neardup/text/cp1252.h"
#include "neardup/text/utf8.h"

namespace neardup::text {
namespace {

constexpr size_t kManyCharacters = 3;  // in a row that are no chance
constexpr size_t kMinRuns = 2;         // that show that the whole text was misread

bool is_ascii(char c) { return static_cast<uint8_t>(c) < 0x80; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_small(char c) { return c >= 'a' && c <= 'z'; }

/// The byte that was read as `c`; 0 where there is none.
uint8_t byte_of(char32_t c) {
  if (c < 0x80) return 0;
  if (c < 0x100) return static_cast<uint8_t>(c);
  const auto* const found = std::find(kCp1252.begin(), kCp1252.end(), c);
  return found == kCp1252.end() ? 0 : static_cast<uint8_t>(0x80 + (found - kCp1252.begin()));
}

/// A run of characters beyond ASCII.
struct Run {
  size_t begin, end;
};

size_t next_run(std::string_view text, size_t at) {
  while (at < text.size() && is_ascii(text[at])) ++at;
  return at;
}

Run run_at(std::string_view text, size_t begin) {
  size_t end = begin;
  while (end < text.size() && !is_ascii(text[end])) ++end;
  return {begin, end};
}

/// Replaces `bytes` by those that the characters of the run were read from; false where one was not.
bool read_back(std::string_view run, std::string& bytes) {
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

/// The number of characters in `bytes`, 0 where they are not UTF-8.
size_t count_characters(std::string_view bytes) {
  size_t count = 0;
  for (const char *at = bytes.data(), *end = at + bytes.size(); at < end; ++count) {
    const Decoded c = decode(at, end);
    if (!c.valid) return 0;
    at += c.size_bytes;
  }
  return count;
}

/// Whether no text means the run as it stands; `bytes` is the first of the characters that it was.
bool is_clear(std::string_view text, const Run& run, std::string_view bytes) {
  const auto lead = static_cast<uint8_t>(bytes.front());
  if (lead == 0xE2) return true;
  const char before = run.begin == 0 ? ' ' : text[run.begin - 1];
  const char behind = run.end == text.size() ? ' ' : text[run.end];
  if (is_capital(before)) return false;
  if (lead >= 0xE0) return !is_small(before) || is_small(behind);
  return lead <= 0xC3 || is_small(behind);
}

/// What a run is if it was misread.
enum class Verdict { kMeant, kPerhaps, kMisread };

/// `bytes` receives what the run was.
Verdict judge(std::string_view text, const Run& run, std::string& bytes) {
  if (!read_back(text.substr(run.begin, run.end - run.begin), bytes)) return Verdict::kMeant;
  const size_t count = count_characters(bytes);
  if (count == 0) return Verdict::kMeant;
  return count >= kManyCharacters || is_clear(text, run, bytes) ? Verdict::kMisread : Verdict::kPerhaps;
}

/// Whether runs that may be meant are to be repaired, too.
bool is_misread_throughout(std::string_view text, std::string& bytes) {
  size_t num_valid = 0, num_meant = 0;
  for (size_t at = next_run(text, 0); at < text.size();) {
    const Run run = run_at(text, at);
    ++(judge(text, run, bytes) == Verdict::kMeant ? num_meant : num_valid);
    at = next_run(text, run.end);
  }
  return num_valid >= kMinRuns && num_meant * 10 <= num_valid;
}

}  // namespace

bool may_begin_misread(const char* at, const char* end) {
  if (at == end || is_ascii(*at)) return false;
  const Decoded c = decode(at, end);
  return c.valid && (byte_of(c.code_point) & 0xC0) == 0x80;
}

bool repair_mojibake(std::string_view text, std::string& out) {
  std::string bytes;
  const bool throughout = is_misread_throughout(text, bytes);
  size_t copied = 0;
  bool any = false;
  for (size_t at = next_run(text, 0); at < text.size();) {
    const Run run = run_at(text, at);
    const Verdict verdict = judge(text, run, bytes);
    if (verdict == Verdict::kMisread || (throughout && verdict == Verdict::kPerhaps)) {
      if (!any) out.clear();
      any = true;
      out.append(text, copied, run.begin - copied).append(bytes);
      copied = run.end;
    }
    at = next_run(text, run.end);
  }
  if (any) out.append(text, copied);
  return any;
}

}  // namespace neardup::text
