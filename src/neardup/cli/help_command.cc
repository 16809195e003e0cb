#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>

#include "neardup/base/disk/file.h"
#include "neardup/cli/cli.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/help_text.h"
#include "neardup/cli/reference.h"

namespace neardup::cli {
namespace {

enum class Format { kText, kMarkdown, kMan };

struct HelpArguments {
  std::vector<std::string> command;
  Format format = Format::kText;
  bool all = false;
  std::string write;  // folder for the pages instead of standard output
};

Status write_pages(const std::string& folder, const std::vector<std::pair<std::string, std::string>>& pages) {
  NEARDUP_TRY(create_directories(folder));
  for (const auto& [name, content] : pages) NEARDUP_TRY(write_file_atomically(folder + "/" + name, content));
  return {};
}

/// Whether `word` stands in a list such as "a|b|c" or "INPUT... | merge FILE".
bool has_word(std::string list, const std::string& word) {
  std::ranges::replace(list, '|', ' ');
  return (" " + list + " ").find(" " + word + " ") != std::string::npos;
}

/// "help index create" asks for the page of index, which tells of its actions; other second words are one too many.
Status check_action(const Command& command, const std::vector<std::string>& words) {
  if (words.size() < 2) return {};
  for (const CLI::Option* option : static_cast<const CLI::App*>(command.app)->get_options()) {
    if (option->get_positional() && has_word(option->get_type_name(), words[1])) return {};
  }
  if (has_word(command.text.usage, words[1])) return {};
  return fail(Code::kInvalidArgument,
              fmt::format("\"{}\" is one argument too many: neardup help {}", words[1], words[0]));
}

Status print_text(const CommandLine& line, const HelpArguments& arguments, Io& io) {
  const HelpStyle style{io.columns, io.color};
  if (arguments.command.empty()) {
    io.print(root_help(line, style));
    return {};
  }
  const Command* command = line.find(arguments.command[0]);
  if (command == nullptr) return fail(Code::kInvalidArgument, expected_one_of(line.names(), arguments.command[0]));
  NEARDUP_TRY(check_action(*command, arguments.command));
  io.print(arguments.all ? command_help(describe(*command), style) : short_help(describe(*command), style));
  return {};
}

Status run(const CommandLine& line, const HelpArguments& arguments, Io& io) {
  if (arguments.format == Format::kText) return print_text(line, arguments, io);
  std::vector<std::pair<std::string, std::string>> pages = {{"neardup.1", man_page(line)}};
  if (arguments.format == Format::kMarkdown) pages = markdown_pages(line);
  if (!arguments.write.empty()) return write_pages(arguments.write, pages);
  for (const auto& [name, content] : pages) io.print(content);
  return {};
}

}  // namespace

void add_help_command(CommandLine& line) {
  auto arguments = std::make_shared<HelpArguments>();
  Command& command = line.add({"help",
                               "Show what a command does and takes",
                               "Shows what a command does and which flags it takes.",
                               "[COMMAND]",
                               {{"neardup help dedup", "The same as neardup dedup --help."}}});
  Flags flags(command);
  flags.group("Arguments").arguments({"COMMAND", "", "Name of the command"}, arguments->command, 2);
  flags.on({"--all", "", "Every flag of the command, as its --help-all shows"}, arguments->all);
  flags.group("");
  flags.choice<Format>({"--output-format", "", "Kind of page", "--format"}, arguments->format,
                       {{"text", Format::kText}, {"markdown", Format::kMarkdown}, {"man", Format::kMan}});
  flags.output({"--write", "DIR", "Write the pages into this folder"}, arguments->write);
  command.run = [arguments, &line](Io& io) { return run(line, *arguments, io); };
}

}  // namespace neardup::cli
