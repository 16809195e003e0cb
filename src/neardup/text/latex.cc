#include "neardup/text/latex.h"

#include <algorithm>
#include <array>

#include "neardup/base/sorted_words.h"
#include "neardup/base/trim.h"
#include "neardup/text/text_lines.h"

namespace neardup::text {
namespace {

constexpr size_t kMostPreambleBytes = size_t{1} << 18;  // of a preamble
constexpr std::string_view kBeginDocument = "\\begin{document}", kEndDocument = "\\end{document}";

// What a document begins with.
constexpr SortedWords kFirstCommands(std::to_array<std::string_view>({"documentclass", "documentstyle",
                                                                      "RequirePackage", "PassOptionsToPackage",
                                                                      "PassOptionsToClass", "NeedsTeXFormat"}));

// Commands that set things up: what they are given is no text.
constexpr SortedWords kSetUp(std::to_array<std::string_view>({
    "AtBeginDocument",
    "AtEndDocument",
    "DeclareMathOperator",
    "DeclareMathSymbol",
    "DeclareOption",
    "NeedsTeXFormat",
    "PassOptionsToClass",
    "PassOptionsToPackage",
    "RequirePackage",
    "addbibresource",
    "addtolength",
    "addtocounter",
    "allowdisplaybreaks",
    "bibliographystyle",
    "captionsetup",
    "definecolor",
    "documentclass",
    "documentstyle",
    "fancyfoot",
    "fancyhead",
    "fancyhf",
    "geometry",
    "graphicspath",
    "hypersetup",
    "hyphenation",
    "includeonly",
    "input",
    "linespread",
    "lstdefinelanguage",
    "lstdefinestyle",
    "lstset",
    "makeatletter",
    "makeatother",
    "makeindex",
    "mathtoolsset",
    "newcounter",
    "newlength",
    "newtheorem",
    "numberwithin",
    "onehalfspacing",
    "pagestyle",
    "pgfplotsset",
    "setbeamercolor",
    "setbeamerfont",
    "setbeamertemplate",
    "setcounter",
    "setlength",
    "setmainfont",
    "setmonofont",
    "setsansfont",
    "sisetup",
    "theoremstyle",
    "tikzset",
    "usecolortheme",
    "usefonttheme",
    "useinnertheme",
    "useoutertheme",
    "usepackage",
    "usetheme",
    "usetikzlibrary",
}));

bool is_command_byte(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }

/// The name of the command at the front of `text`; empty where there is none.
std::string_view command_at(std::string_view text) {
  if (!text.starts_with('\\')) return {};
  const auto* const end = std::ranges::find_if_not(text.begin() + 1, text.end(), is_command_byte);
  return {text.begin() + 1, end};
}

/// Where the group ends that `text` begins with, its bracket included; 0 where it does not end.
size_t group_size(std::string_view text) {
  const char open = text.front(), close = open == '{' ? '}' : ']';
  size_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == open) {
      ++depth;
    } else if (text[i] == close && --depth == 0) {
      return i + 1;
    }
  }
  return 0;
}

/// The size of the command at the front of `text` with all groups behind it; 0 where one does not end.
size_t call_size(std::string_view text) {
  size_t size = 1 + command_at(text).size();
  if (text.substr(size).starts_with('*')) ++size;
  while (true) {
    const size_t begin = std::min(text.find_first_not_of(" \t\r\n", size), text.size());
    if (begin == text.size() || (text[begin] != '{' && text[begin] != '[')) return size;
    const size_t group = group_size(text.substr(begin));
    if (group == 0) return 0;
    size = begin + group;
  }
}

/// Whether anything but commands, signs and names of one or two letters stands in `line`.
bool holds_word(std::string_view line) {
  constexpr size_t kFewestLetters = 3;
  size_t num_letters = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\') {
      i += command_at(line.substr(i)).size();
      num_letters = 0;
      continue;
    }
    num_letters = is_letter_byte(line[i]) ? num_letters + 1 : 0;
    if (num_letters == kFewestLetters) return true;
  }
  return false;
}

/// Whether nothing but blanks stands between a line's beginning and `at`.
bool begins_line(std::string_view text, size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

size_t find_begin(std::string_view text) {
  size_t at = text.find(kBeginDocument);
  while (at != std::string_view::npos && !begins_line(text, at)) at = text.find(kBeginDocument, at + 1);
  return at;
}

/// The last one: examples may stand in a document on LaTeX.
size_t find_end(std::string_view text) {
  size_t at = text.rfind(kEndDocument);
  while (at != std::string_view::npos && at > 0 && !begins_line(text, at)) at = text.rfind(kEndDocument, at - 1);
  return at;
}

bool begins_document(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = trim_blanks(take_line(text));
    if (line.empty() || line.starts_with('%')) continue;
    return kFirstCommands.contains(command_at(line));
  }
  return false;
}

/// Appends what a reader may see of a preamble; returns false where a group of it does not end.
bool append_preamble(std::string_view preamble, std::string& out) {
  while (!preamble.empty()) {
    preamble.remove_prefix(std::min(preamble.find_first_not_of(" \t"), preamble.size()));
    if (kSetUp.contains(command_at(preamble))) {
      const size_t size = call_size(preamble);
      if (size == 0) return false;
      preamble.remove_prefix(size);
      continue;
    }
    const std::string_view line = take_line(preamble);
    if (!line.starts_with('%') && holds_word(line)) (out += line) += '\n';
  }
  return true;
}

}  // namespace

bool leave_out_latex_preamble(std::string_view text, std::string& out) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || (text[first] != '\\' && text[first] != '%')) return false;
  if (!begins_document(text)) return false;
  const size_t begin = find_begin(text.substr(0, kMostPreambleBytes));
  out.clear();
  if (begin == std::string_view::npos || !append_preamble(text.substr(0, begin), out)) return false;
  const std::string_view body = text.substr(begin + kBeginDocument.size());
  out += body.substr(0, find_end(body));
  return true;
}

}  // namespace neardup::text
