#include "neardup/text/heading.h"

#include <algorithm>

#include "neardup/text/text_lines.h"

namespace neardup::text {
namespace {

constexpr size_t kLongestHeading = 512;  // of a heading; what is longer is a text

bool shows_nothing(std::string_view line) { return line.find_first_not_of(" \t") == std::string_view::npos; }

// Takes the first line that is not blank.
std::string_view take_shown_line(std::string_view& text) {
  std::string_view line;
  do line = take_line(text);
  while (shows_nothing(line) && !text.empty());
  return line;
}

bool is_row(std::string_view line) {
  constexpr size_t kShortest = 3;
  const size_t size = line.find_last_not_of(" \t") + 1;
  constexpr std::string_view kSigns = "=-~*^\"#+";
  return size >= kShortest && kSigns.find(line.front()) != std::string_view::npos &&
         line.find_first_not_of(line.front()) >= size;
}

bool has_letter_byte(std::string_view line) { return std::ranges::any_of(line, is_letter_byte); }

// Whether a line has characters of U+3000..U+9FFF.
bool has_han_or_kana(std::string_view line) {
  return std::ranges::any_of(line, [](char c) { return c >= '\xE3' && c <= '\xE9'; });
}

}  // namespace

size_t heading_bytes(std::string_view text) {
  std::string_view rest = text.substr(0, kLongestHeading);
  const size_t size = rest.size();
  std::string_view line = take_shown_line(rest);
  const bool is_marked = line.starts_with("# ");
  if (is_row(line)) line = take_line(rest);
  if (!has_letter_byte(line) || has_han_or_kana(line)) return 0;
  const bool is_heading = is_marked || is_row(take_line(rest));
  return is_heading && (!rest.empty() || size == text.size()) ? size - rest.size() : 0;
}

size_t manual_heading_bytes(std::string_view text) {
  std::string_view rest = text.substr(0, kLongestHeading);
  const size_t size = rest.size();
  static_cast<void>(take_shown_line(rest));
  static_cast<void>(take_shown_line(rest));
  return !rest.empty() || size == text.size() ? size - rest.size() : 0;
}

}  // namespace neardup::text
