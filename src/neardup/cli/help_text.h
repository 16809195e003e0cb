// --help for the terminal.
#pragma once

#include <string>
#include <string_view>

#include "neardup/cli/command_doc.h"

namespace neardup::cli {

/// How wide the page is, and whether it may be coloured.
struct HelpStyle {
  int columns = 80;
  bool color = false;
};

/// Returns the page of the whole program.
[[nodiscard]] std::string root_help(const CommandLine& line, const HelpStyle& style);
/// Returns the page of -h: what most runs of a command need, on one screen. All of it where no flag is rare.
[[nodiscard]] std::string short_help(CommandDoc doc, const HelpStyle& style);
/// Returns the page of one command with every flag and note.
[[nodiscard]] std::string command_help(const CommandDoc& doc, const HelpStyle& style);

/// Returns `text` broken at spaces so that no line is wider than `columns`, `indent` spaces before every line but the
/// first. Words that are longer stand alone.
[[nodiscard]] std::string wrapped(std::string_view text, int columns, int indent);

}  // namespace neardup::cli
