// cli: the command line: arguments in, exit code out.
//
// One file per sub-command (dedup_command.cc, ...). Each flag is defined once, through Flags; the parser, --help, the
// man page, docs/cli/ and the completion scripts are all made from that definition (command_doc.h).
#pragma once

#include <string>
#include <vector>

#include "neardup/base/code_table.h"
#include "neardup/cli/command.h"
#include "neardup/cli/io.h"

namespace neardup::cli {

/// Defines all sub-commands.
void add_commands(CommandLine& line);

/// Runs the program with `arguments` (without the program's name) and returns its exit code.
/// Output for machines goes to io.out, everything for people to io.err.
[[nodiscard]] int run_cli(const std::vector<std::string>& arguments, Io& io);

}  // namespace neardup::cli
