#include <fmt/format.h>

#include <algorithm>

#include "neardup/cli/reference.h"

namespace neardup::cli {
namespace {

constexpr const char* kGenerated =
    "<!-- Made by `neardup help --output-format markdown --write docs/cli` from the flag definitions: do not edit. "
    "-->\n";

/// Text that may stand in a table: bars and angle brackets would end a cell or vanish.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    if (c == '<') {
      out += "&lt;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string flag_row(const FlagDoc& flag, bool with_environment) {
  const std::string shown = flag.default_value.empty() ? "" : "`" + cell(flag.default_value) + "`";
  const std::string help = flag.help + (flag.repeatable ? " (may be repeated)" : "");
  const std::string variable = flag.environment.empty() ? "" : "`" + flag.environment + "`";
  return fmt::format("| `{}` | {} | {} |{}\n", cell(flag.heading()), cell(help), shown,
                     with_environment ? fmt::format(" {} |", variable) : "");
}

bool has_environment(const CommandDoc& doc) {
  const auto has_any = [](const FlagGroupDoc& group) {
    return std::ranges::any_of(group.flags, [](const FlagDoc& flag) { return !flag.environment.empty(); });
  };
  return std::ranges::any_of(doc.groups, has_any);
}

std::string command_page(const CommandDoc& doc) {
  std::string out = fmt::format("{}# neardup {}\n\n{}\n\n```\nneardup {} {}\n```\n", kGenerated, doc.text.name,
                                doc.text.sentence, doc.text.name, doc.text.usage);
  out += "\n## Examples\n";
  for (const Example& example : doc.text.examples)
    out += fmt::format("\n{}\n\n```sh\n{}\n```\n", example.comment, example.line);
  for (const FlagGroupDoc& group : doc.groups) {
    const bool variables = has_environment(doc);
    out += fmt::format("\n## {}\n\n| flag | meaning | default |{}\n|---|---|---|{}\n", group.name,
                       variables ? " environment |" : "", variables ? "---|" : "");
    for (const FlagDoc& flag : group.flags) out += flag_row(flag, variables);
  }
  if (!doc.text.notes.empty()) out += "\n## Notes\n";
  for (const std::string& note : doc.text.notes) out += "\n" + note + "\n";
  return out;
}

std::string index_page(const CommandLine& line) {
  std::string out = fmt::format("{}# Command reference\n\n| command | what it does |\n|---|---|\n", kGenerated);
  for (const auto& command : line.commands()) {
    out += fmt::format("| [neardup {0}]({0}.md) | {1} |\n", command->text.name, cell(command->text.summary));
  }
  out +=
      "\nExit codes: 0 done, 1 the arguments are wrong and nothing was done, 2 the work failed (a file is missing or "
      "damaged,\nresults are in the way, no record could be read), 130 stopped by Ctrl-C or SIGTERM.\n";
  out += "Output for machines goes to standard output, everything for people to standard error.\n";
  return out;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> markdown_pages(const CommandLine& line) {
  std::vector<std::pair<std::string, std::string>> pages = {{"README.md", index_page(line)}};
  for (const CommandDoc& doc : describe_all(line)) pages.emplace_back(doc.text.name + ".md", command_page(doc));
  return pages;
}

}  // namespace neardup::cli
