#include <fmt/format.h>
#include <fmt/ranges.h>

#include "neardup/cli/completion.h"

namespace neardup::cli {
namespace {

/// Text inside single quotes of fish.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string value_part(const FlagDoc& flag) {
  switch (value_kind(flag)) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kChoices:
      return fmt::format(" -x -a '{}'", fmt::join(flag.choices, " "));
    case ValueKind::kChoicesOrFile:
      return fmt::format(" -r -F -a '{}'", fmt::join(flag.choices, " "));
    case ValueKind::kFolder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::kFile:
      return " -r -F";
    default:
      return " -x";
  }
}

std::string flag_line(const std::string& condition, const FlagDoc& flag) {
  std::string out = fmt::format("complete -c neardup -n '{}'", condition);
  if (!flag.short_name.empty()) out += " -s " + flag.short_name.substr(1);
  if (!flag.long_name.empty()) out += " -l " + flag.long_name.substr(2);
  return out + value_part(flag) + fmt::format(" -d '{}'\n", escaped(flag.help));
}

std::string command_lines(const CommandDoc& doc) {
  const std::string condition = "__fish_seen_subcommand_from " + doc.text.name;
  std::string out;
  for (const FlagDoc& flag : shown_flags(doc)) out += flag_line(condition, flag);
  for (const FlagGroupDoc& group : doc.groups) {
    for (const FlagDoc& flag : group.flags) {
      if (!flag.is_argument) continue;
      const bool words = !flag.choices.empty();
      out += fmt::format("complete -c neardup -n '{}' {}\n", condition,
                         words ? fmt::format("-f -a '{}'", fmt::join(flag.choices, " ")) : std::string("-F"));
    }
  }
  return out;
}

}  // namespace

std::string fish_completion(const CommandLine& line) {
  std::string out =
      "# fish completion for neardup: neardup completion fish > ~/.config/fish/completions/neardup.fish\n";
  out += "complete -c neardup -f\n";
  for (const auto& command : line.commands()) {
    out += fmt::format("complete -c neardup -n __fish_use_subcommand -a {} -d '{}'\n", command->text.name,
                       escaped(command->text.summary));
  }
  for (const FlagDoc& flag : describe_root(line)) out += flag_line("__fish_use_subcommand", flag);
  for (const CommandDoc& doc : describe_all(line)) out += command_lines(doc);
  return out;
}

}  // namespace neardup::cli
