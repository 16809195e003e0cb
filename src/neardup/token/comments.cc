#include "neardup/token/comments.h"

#include <algorithm>
#include <array>

#include "neardup/base/trim.h"

namespace neardup::token {
namespace {

constexpr size_t kLookedAtBytes = size_t{1} << 16;

constexpr std::string_view kBlanks = " \t\r\n\f\v";

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_comment_word(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// Returns where the line that holds `at` ends: at its line break, or at the end of the text.
size_t line_end_of(std::string_view text, size_t at) {
  while (at < text.size() && text[at] != '\n' && text[at] != '\r') ++at;
  return at;
}

// Instructions to a preprocessor, which look like comments of other languages. Behind a blank only those that are not
// words of English.
bool is_instruction(std::string_view line) {
  static constexpr std::array kWords = {"define", "include", "ifdef", "ifndef", "endif", "undef",  "pragma",   "if",
                                        "else",   "elif",    "error", "import", "line",  "region", "endregion"};
  constexpr size_t kNoEnglish = 7;
  line.remove_prefix(1);
  const std::string_view rest = trim_blanks(line, kBlanks);
  const size_t count = rest.size() == line.size() ? kWords.size() : kNoEnglish;
  return std::any_of(kWords.begin(), kWords.begin() + count, [rest](std::string_view word) {
    return rest.starts_with(word) && (rest.size() == word.size() || !is_comment_word(rest[word.size()]));
  });
}

// How many lines show what.
struct Shapes {
  size_t statements = 0;                                                                       // end with ; { or }
  size_t blocks = 0;                                                                           // end with :
  size_t slashes = 0, hashes = 0, instructions = 0, dashes = 0, semicolons = 0, percents = 0;  // begin with

  void add(std::string_view line);
  void add_hash(std::string_view line);
};

void Shapes::add_hash(std::string_view line) {
  if (is_instruction(line)) {
    ++instructions;
  } else if (line.size() == 1 || (line[1] != '[' && line.back() != '{' && line.back() != ',')) {
    ++hashes;  // neither an attribute of Rust nor a selector of CSS
  }
}

void Shapes::add(std::string_view line) {
  const char first = line.front(), last = line.back();
  const char second = line.size() > 1 ? line[1] : ' ';
  if (first == '#') return add_hash(line);
  if (first == '/' && (second == '/' || second == '*'))
    ++slashes;
  else if (first == '-' && second == '-' && (line.size() == 2 || !is_comment_word(line[2])))
    ++dashes;
  else if (first == ';' && line.size() > 1)
    ++semicolons;
  else if (first == '%' && (is_blank(second) || second == '%'))
    ++percents;
  else if (last == ';' || last == '{' || last == '}')
    ++statements;
  else if (last == ':')
    ++blocks;
}

Shapes shapes_of(std::string_view text) {
  Shapes shapes;
  for (size_t at = 0; at < text.size();) {
    const size_t end = line_end_of(text, at);
    const std::string_view line = trim_blanks(text.substr(at, end - at), kBlanks);
    if (!line.empty()) shapes.add(line);
    at = end + 1;
  }
  return shapes;
}

}  // namespace

CommentStyle comment_style_of(std::string_view text) {
  const Shapes shapes = shapes_of(text.substr(0, kLookedAtBytes));
  CommentStyle style;
  style.hash = shapes.hashes > shapes.instructions;
  style.dashes = shapes.dashes > 0;
  style.semicolons = shapes.semicolons > shapes.statements;
  style.percents = shapes.percents > 0;
  const bool is_markup = trim_blanks(text.substr(0, kLookedAtBytes), kBlanks).starts_with('<');
  const bool is_other = style.hash || style.semicolons || is_markup || shapes.blocks > shapes.statements;
  style.slashes = !is_other || shapes.slashes > 0;
  style.blocks = style.slashes || shapes.dashes > 0;
  return style;
}

size_t CommentScanner::line_end(size_t at) const { return line_end_of(text_, at); }

bool CommentScanner::begins_line(size_t at) const {
  while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
  return at == 0 || text_[at - 1] == '\n' || text_[at - 1] == '\r';
}

// Whether a mark of `size` bytes has a blank, or an end of the text, on both sides.
bool CommentScanner::stands_alone(size_t at, size_t size) const {
  const bool before = at == 0 || is_blank(text_[at - 1]);
  return before && (at + size >= text_.size() || is_blank(text_[at + size]));
}

bool CommentScanner::begins_line_comment(size_t at) {
  const bool after_blank = at == 0 || is_blank(text_[at - 1]);
  switch (text_[at]) {
    case '/':
      return style_.slashes && starts(at, "//") && (at == 0 || text_[at - 1] != ':');
    case '#':
      return style_.hash && after_blank && (stands_alone(at, 1) || begins_line(at));
    case '-':
      return style_.dashes && starts(at, "--") && (stands_alone(at, 2) || (after_blank && begins_line(at)));
    case ';':
      return style_.semicolons && after_blank;
    case '%':
      return style_.percents && begins_line(at);
    default:
      return false;
  }
}

size_t CommentScanner::block_end(size_t at, std::string_view open, std::string_view close,
                                 bool& is_never_closed) const {
  if (is_never_closed || !starts(at, open)) return at;
  const size_t end = text_.find(close, at + open.size());
  is_never_closed = end == std::string_view::npos;
  return is_never_closed ? at : end + close.size();
}

size_t CommentScanner::comment_end(size_t at) {
  if (begins_line_comment(at)) return line_end(at);
  if (text_[at] == '/' && style_.blocks) return block_end(at, "/*", "*/", no_block_);
  if (text_[at] == '<') return block_end(at, "<!--", "-->", no_markup_);
  return at;
}

// Whether the byte before `at` is the end of a word of more letters than a prefix of a literal has.
bool CommentScanner::ends_word(size_t at) const {
  size_t begin = at;
  while (begin > 0 && at - begin < 3 && is_comment_word(text_[begin - 1])) --begin;
  static constexpr std::string_view kPrefixes = "rRbBfFuUL8";
  if (at - begin > 2) return true;
  return std::any_of(text_.begin() + begin, text_.begin() + at,
                     [](char c) { return kPrefixes.find(c) == std::string_view::npos; });
}

size_t CommentScanner::quoted_end(size_t at) {
  const char quote = text_[at];
  size_t& no_quote_before = no_quote_before_[quote == '"'];
  if (at < no_quote_before) return at;
  const auto ends_line = [this](size_t i) { return i >= text_.size() || text_[i] == '\n' || text_[i] == '\r'; };
  size_t i = at + 1;
  for (; !ends_line(i); ++i) {
    if (text_[i] == quote) return i + 1;
    if (text_[i] == '\\' && !ends_line(i + 1)) ++i;
  }
  no_quote_before = i;
  return at;
}

size_t CommentScanner::string_end(size_t at) {
  const bool is_double = text_[at] == '"';
  if (!is_double && ends_word(at)) return at;
  const std::string_view three = is_double ? "\"\"\"" : "'''";
  if (const size_t end = block_end(at, three, three, no_three_[is_double]); end != at) return end;
  return quoted_end(at);
}

}  // namespace neardup::token
