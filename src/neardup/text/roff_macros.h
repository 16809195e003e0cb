// What the macros of manual pages do with the words behind them.
#pragma once

#include <cstdint>
#include <string_view>

namespace neardup::text {

enum class RoffMacro : uint8_t {
  kNothing,     // shows nothing: requests, layout, indexes
  kWords,       // shows its words with blanks between them
  kJoined,      // shows them without
  kFirstWord,   // shows its first word: a paragraph's tag, behind which an indent stands
  kTitle,       // shows the first two: name and section of the page
  kComment,     // nothing, up to the end of the line
  kDefinition,  // nothing, up to ".." or the name that stands there: macros, ignored text
  kString,      // defines a string
  kIf,          // shows the rest of the line, or a block, where its condition holds
  kIfElse,      // likewise; kElse comes behind
  kElse,
  kTable,     // begins a table
  kTableEnd,  // ends it
};

/// Returns what the macro or request `name` does. Names in small letters are requests of troff; others that are not
/// known are macros whose words are shown.
[[nodiscard]] RoffMacro roff_macro_of(std::string_view name);

/// Returns whether `word` is a macro of mdoc that may stand among the words of another one: "Fl", "Ar", "Op".
[[nodiscard]] bool is_mdoc_macro(std::string_view word);

}  // namespace neardup::text
