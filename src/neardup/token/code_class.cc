#include "neardup/token/code_class.h"

#include <algorithm>
#include <array>

namespace neardup::token {
namespace {

// In ascending order. Words that are often names as well ("list", "map", "type", "value") are not among them.
constexpr std::array kReserved = std::to_array<std::string_view>({
    "False",    "NULL",         "None",     "True",      "abstract", "alignas",    "and",       "as",       "asm",
    "assert",   "async",        "auto",     "await",     "begin",    "bool",       "boolean",   "break",    "byte",
    "case",     "catch",        "char",     "class",     "const",    "constexpr",  "continue",  "def",      "default",
    "defer",    "define",       "defined",  "del",       "delete",   "do",         "done",      "double",   "dyn",
    "elif",     "else",         "elseif",   "elsif",     "end",      "endif",      "ensure",    "enum",     "esac",
    "except",   "explicit",     "export",   "extends",   "extern",   "false",      "fi",        "final",    "finally",
    "float",    "fn",           "for",      "foreach",   "friend",   "from",       "func",      "function", "global",
    "goto",     "if",           "ifdef",    "ifndef",    "impl",     "implements", "import",    "in",       "include",
    "inline",   "instanceof",   "int",      "interface", "is",       "lambda",     "let",       "local",    "long",
    "loop",     "match",        "mod",      "module",    "mut",      "namespace",  "native",    "new",      "nil",
    "noexcept", "nonlocal",     "not",      "null",      "nullptr",  "operator",   "or",        "override", "package",
    "pass",     "pragma",       "private",  "protected", "pub",      "public",     "raise",     "register", "rescue",
    "restrict", "return",       "self",     "short",     "signed",   "sizeof",     "static",    "struct",   "super",
    "switch",   "synchronized", "template", "then",      "this",     "throw",      "throws",    "trait",    "transient",
    "true",     "try",          "typedef",  "typename",  "typeof",   "undef",      "undefined", "union",    "unless",
    "unsafe",   "unsigned",     "until",    "use",       "using",    "var",        "virtual",   "void",     "volatile",
    "when",     "where",        "while",    "with",      "yield",
});
static_assert(std::ranges::is_sorted(kReserved));

// Entry c: where the words that begin with the letter c or a later one do.
constexpr auto kFirstOf = [] {
  std::array<uint8_t, 129> first{};
  for (size_t c = 0; c < first.size(); ++c) {
    while (first[c] < kReserved.size() && size_t{static_cast<unsigned char>(kReserved[first[c]].front())} < c)
      ++first[c];
  }
  return first;
}();
static_assert(kReserved.size() < 256);

bool is_code_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

bool is_reserved(std::string_view word) {
  if (word.empty() || static_cast<unsigned char>(word.front()) >= 0x80) return false;
  const size_t first = static_cast<unsigned char>(word.front());
  return std::find(kReserved.begin() + kFirstOf[first], kReserved.begin() + kFirstOf[first + 1], word) !=
         kReserved.begin() + kFirstOf[first + 1];
}

CodeClass code_class(std::string_view token) {
  const char first = token.empty() ? ' ' : token.front();
  if (is_code_digit(first)) return CodeClass::kNumber;
  if (is_word(first)) return is_reserved(token) ? CodeClass::kSign : CodeClass::kName;
  return token.size() > 1 ? CodeClass::kString : CodeClass::kSign;
}

}  // namespace neardup::token
