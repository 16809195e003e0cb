#include "neardup/diff/reflow.h"

#include <algorithm>
#include <vector>

#include "neardup/base/utf8.h"
#include "neardup/base/white_space.h"

namespace neardup::diff {
namespace {

constexpr std::string_view kBlanks = " \t\r";

struct Line {
  std::string_view text;  // without white space at the end
  size_t indent = 0;      // its white space at the start, in bytes
  bool is_blank() const { return text.empty(); }
};

Line make_line(std::string_view text) {
  size_t last = text.find_last_not_of(kBlanks);
  if (last == text.npos) return {};
  return {text.substr(0, last + 1), text.find_first_not_of(kBlanks)};
}

std::vector<Line> split_lines(std::string_view text) {
  std::vector<Line> lines;
  while (true) {
    size_t end = text.find('\n');
    lines.push_back(make_line(text.substr(0, end)));
    if (end == text.npos) return lines;
    text.remove_prefix(end + 1);
  }
}

bool is_letter_or_digit(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
         static_cast<unsigned char>(byte) >= 0x80;
}

// "1. ", "12) " and "a) " begin an item of a list.
bool begins_item(std::string_view text) {
  size_t mark = text.find_first_of(" \t");
  return mark != text.npos && mark <= 3 && mark > 0 && (text[mark - 1] == '.' || text[mark - 1] == ')');
}

bool is_wrapped_prose(const Line& line) {
  constexpr size_t kLeastBytes = 50;
  constexpr std::ptrdiff_t kLeastSpaces = 6;
  if (line.text.size() - line.indent < kLeastBytes) return false;
  if (std::string_view("{};|\\").find(line.text.back()) != std::string_view::npos) return false;
  auto begin = line.text.begin() + static_cast<std::ptrdiff_t>(line.indent);
  return std::count(begin, line.text.end(), ' ') >= kLeastSpaces;
}

bool goes_on(const Line& line, const Line& next) {
  constexpr size_t kMaxShift = 4;
  if (!is_wrapped_prose(line) || next.is_blank()) return false;
  size_t shift = std::max(line.indent, next.indent) - std::min(line.indent, next.indent);
  if (shift > kMaxShift) return false;
  std::string_view start = next.text.substr(next.indent);
  bool begins_word = is_letter_or_digit(start[0]) || start[0] == '"' || start[0] == '(';
  return begins_word && !begins_item(start);
}

}  // namespace

std::string reflow(std::string_view text) {
  std::vector<Line> lines = split_lines(text);
  std::string out;
  out.reserve(text.size());
  bool joins = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    bool is_second_blank = lines[i].is_blank() && i > 0 && lines[i - 1].is_blank();
    if (is_second_blank) continue;
    if (i > 0) out += joins ? ' ' : '\n';
    out += joins ? lines[i].text.substr(lines[i].indent) : lines[i].text;
    joins = i + 1 < lines.size() && goes_on(lines[i], lines[i + 1]);
  }
  return out;
}

std::string one_line(std::string_view text, size_t max_bytes, bool is_cut) {
  std::string out;
  for (char byte : text) {
    if (!is_white_space(byte)) {
      out += byte;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.size() <= max_bytes && !is_cut) return out.substr(0, out.find_last_not_of(' ') + 1);
  out.resize(cut_at_character(out, max_bytes).size());
  size_t space = out.rfind(' ');
  if (space != out.npos && space > out.size() / 2) out.resize(space);
  return out + " \u2026";
}

}  // namespace neardup::diff
