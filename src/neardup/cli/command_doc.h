// What there is to say about the commands, read off the parser: the source of help, man page, reference, completions.
#pragma once

#include <string>
#include <vector>

#include "neardup/cli/command.h"

namespace neardup::cli {

struct FlagDoc {
  std::string short_name;     // "-o" or ""
  std::string long_name;      // "--output"; of arguments without a flag "INPUT..."
  std::string value;          // "DIR", "auto|plain" or ""
  std::string default_value;  // "" where there is none to show
  std::string help;
  std::string environment;           // variable that says the same; "" where there is none
  std::vector<std::string> choices;  // the words among `value`
  bool is_argument = false;
  bool repeatable = false;
  bool hidden = false;

  /// Returns "-o, --output DIR".
  [[nodiscard]] std::string heading() const;
  /// Returns the help with the default and "may be repeated" behind it.
  [[nodiscard]] std::string full_help() const;
};

struct FlagGroupDoc {
  std::string name;
  std::vector<FlagDoc> flags;
};

struct CommandDoc {
  CommandText text;
  std::vector<FlagGroupDoc> groups;  // in the order of definition; without hidden flags; the last is "Help"
  std::vector<FlagDoc> hidden;
};

[[nodiscard]] CommandDoc describe(const Command& command);
/// Leaves of the flags those in text.usual, where it names any; returns how many went.
size_t keep_usual(CommandDoc& doc);
[[nodiscard]] std::vector<CommandDoc> describe_all(const CommandLine& line);
/// Returns the flags of the program itself.
[[nodiscard]] std::vector<FlagDoc> describe_root(const CommandLine& line);

/// Returns every flag of the command that is shown, arguments left out.
[[nodiscard]] std::vector<FlagDoc> shown_flags(const CommandDoc& doc);

}  // namespace neardup::cli
