// Where comments of source code are, in a language that nobody names.
#pragma once

#include <cstddef>
#include <string_view>

namespace neardup::token {

/// Which marks begin a comment. "<!-- -->" always does.
struct CommentStyle {
  bool slashes = true;      // "// ..." to the end of the line
  bool blocks = true;       // "/* ... */"
  bool hash = false;        // "# ..." at the start of a line, or between blanks
  bool dashes = false;      // "-- ..." likewise
  bool semicolons = false;  // "; ..." likewise
  bool percents = false;    // "% ..." at the start of a line
  bool operator==(const CommentStyle&) const = default;
};

/// Guesses from the shapes of lines: how they begin and how they end. At most the first 64 KiB are looked at; what
/// tells nothing is taken for the family of C.
[[nodiscard]] CommentStyle comment_style_of(std::string_view text);

/// Finds the ends of comments and literals in one text. Ends that are searched for in vain are not searched for again:
/// the cost of all calls together is linear in the text.
class CommentScanner {
 public:
  explicit CommentScanner(std::string_view text) : text_(text), style_(comment_style_of(text)) {}

  /// Returns the end of the comment that begins at `at` (that of a line comment is its line break), or `at` where none
  /// does: a comment that is not closed is none.
  [[nodiscard]] size_t comment_end(size_t at);

  /// Returns the end of the string literal whose quote (" or ') is at `at`, or `at` where none is: three quotes to the
  /// next three; one to the next one on the same line, a backslash before a character taking it in. No literal begins
  /// with the apostrophe of a word ("don't"), but for the prefixes of one or two letters that languages have (r'',
  /// u8'').
  [[nodiscard]] size_t string_end(size_t at);

 private:
  [[nodiscard]] bool starts(size_t at, std::string_view mark) const { return text_.substr(at).starts_with(mark); }
  [[nodiscard]] bool stands_alone(size_t at, size_t size) const;
  [[nodiscard]] bool begins_line_comment(size_t at);
  [[nodiscard]] bool begins_line(size_t at) const;
  [[nodiscard]] bool ends_word(size_t at) const;
  [[nodiscard]] size_t line_end(size_t at) const;
  [[nodiscard]] size_t block_end(size_t at, std::string_view open, std::string_view close, bool& is_never_closed) const;
  [[nodiscard]] size_t quoted_end(size_t at);

  std::string_view text_;
  CommentStyle style_;
  bool no_block_ = false, no_markup_ = false;  // no end of one is left
  bool no_three_[2] = {false, false};          // by quote
  size_t no_quote_before_[2] = {0, 0};         // by quote: in front of here none is closed
};

}  // namespace neardup::token
