#include "neardup/cli/help_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "neardup/base/version.h"

namespace neardup::cli {
namespace {

constexpr int kMaxColumns = 100;
constexpr int kLeftColumns = 26;

std::string bold(const std::string& text, const HelpStyle& style) {
  return style.color ? "\x1b[1m" + text + "\x1b[0m" : text;
}

/// One line of two columns; a left side that is too wide gets a line of its own.
std::string row(const std::string& left, const std::string& right, int columns) {
  const std::string text = wrapped(right, columns - kLeftColumns - 2, kLeftColumns + 2);
  if (static_cast<int>(left.size()) <= kLeftColumns - 2) return fmt::format("  {:<{}}{}\n", left, kLeftColumns, text);
  return fmt::format("  {}\n{:{}}{}\n", left, "", kLeftColumns + 2, text);
}

std::string examples_text(const std::vector<Example>& examples, const HelpStyle& style) {
  std::string out;
  for (const Example& example : examples) {
    out += fmt::format("  {}\n      {}\n", example.line, wrapped(example.comment, style.columns - 6, 6));
  }
  return out;
}

HelpStyle limited(HelpStyle style) {
  style.columns = std::min(style.columns, kMaxColumns);
  return style;
}

}  // namespace

std::string wrapped(std::string_view text, int columns, int indent) {
  std::string out;
  int width = 0;
  while (!text.empty()) {
    const size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    if (width > 0 && width + 1 + static_cast<int>(word.size()) > columns) {
      out += "\n" + std::string(static_cast<size_t>(indent), ' ');
      width = 0;
    } else if (width > 0) {
      out += ' ';
      ++width;
    }
    out += word;
    width += static_cast<int>(word.size());
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return out;
}

std::string root_help(const CommandLine& line, const HelpStyle& given) {
  const HelpStyle style = limited(given);
  std::string out = fmt::format("neardup {}: {}\n\n", kVersion, "finds near-duplicate texts, exactly and fast.");
  out += bold("Usage:", style) + " neardup COMMAND [FLAGS]\n\n" + bold("Commands:", style) + "\n";
  for (const auto& command : line.commands())
    out += fmt::format("  {:<15}{}\n", command->text.name, command->text.summary);
  out += "\n" + bold("Flags:", style) + "\n";
  for (const FlagDoc& flag : describe_root(line)) out += fmt::format("  {:<15}{}\n", flag.heading(), flag.help);
  out += "\n" + bold("Start with:", style) + "\n  neardup dedup corpus.jsonl.zst -o out\n";
  out += "  neardup help dedup\n";
  return out;
}

namespace {

/// The help of a flag up to its first "; " or ". ": the rest stands in the whole page.
std::string first_clause(const std::string& help) { return help.substr(0, std::min(help.find("; "), help.find(". "))); }

void keep_first_clauses(CommandDoc& doc) {
  for (FlagGroupDoc& group : doc.groups) {
    for (FlagDoc& flag : group.flags) {
      flag.help = first_clause(flag.help);
      flag.repeatable = false;
    }
  }
}

}  // namespace

std::string short_help(CommandDoc doc, const HelpStyle& given) {
  const size_t left_out = keep_usual(doc);
  if (left_out == 0) return command_help(doc, given);
  doc.text.notes = {
      fmt::format("{} more flags, and what there is to know: neardup {} --help-all", left_out, doc.text.name)};
  doc.text.examples.resize(1);
  doc.groups.pop_back();  // the last line says it
  keep_first_clauses(doc);
  return command_help(doc, given);
}

std::string command_help(const CommandDoc& doc, const HelpStyle& given) {
  const HelpStyle style = limited(given);
  std::string out = wrapped(doc.text.sentence, style.columns, 0) + "\n\n";
  const std::string usage = fmt::format("neardup {} {}", doc.text.name, doc.text.usage);
  out += bold("Usage:", style) + " " + wrapped(usage, style.columns - 7, 9) + "\n\n";
  out += bold("Examples:", style) + "\n" + examples_text(doc.text.examples, style);
  for (const FlagGroupDoc& group : doc.groups) {
    out += "\n" + bold(group.name + ":", style) + "\n";
    for (const FlagDoc& flag : group.flags) out += row(flag.heading(), flag.full_help(), style.columns);
  }
  for (const std::string& note : doc.text.notes) out += "\n" + wrapped(note, style.columns, 0) + "\n";
  return out;
}

}  // namespace neardup::cli
