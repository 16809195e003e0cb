// Languages whose source code is folded: what begins a comment, what a literal, which words are keywords.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace neardup::sif {

/// What an apostrophe begins.
enum class Apostrophe {
  kString,     // a literal, to the next one on the line
  kCharacter,  // a literal of one character; else a sign, as in Rust's lifetimes
  kSign,       // nothing
};

/// What a backtick begins.
enum class Backtick {
  kSign,      // nothing
  kString,    // a literal, to the next one, over lines
  kTemplate,  // the same, but one behind a backslash does not end it
};

/// Literals in which a backslash is one.
enum class RawString {
  kNone,
  kDelimited,  // R"x(...)x", and the same behind a prefix of the encoding
  kHashed,     // r"...", r#"..."#, br"..."
};

/// What is known of a language. Lists are words between blanks.
struct Language {
  std::string_view endings;          // of names, without the dot, in lower case
  std::string_view line_marks;       // begin a comment to the end of the line
  std::string_view block_marks;      // begin and end of a comment
  std::string_view keywords;         // without those, all words are identifiers
  std::string_view word_signs = "";  // belong to words, beside letters, digits and "_"
  Apostrophe apostrophe = Apostrophe::kString;
  bool has_triple_quotes = false;  // """ to """, over lines
  bool has_docstrings = false;     // a string in three quotes that nothing takes is a comment
  Backtick backtick = Backtick::kSign;
  RawString raw_string = RawString::kNone;
  bool has_regex = false;            // /literals/ where a value may stand
  bool marks_follow_blanks = false;  // a line mark within a word is none
  bool any_case = false;             // keywords in upper case are the same
};

[[nodiscard]] std::span<const Language> languages();

}  // namespace neardup::sif
