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

inline constexpr int kExitReaderLeft = 141;  // nobody reads standard output any more: what a shell says of SIGPIPE

/// Runs the program with `arguments` (without the program's name) and returns its exit code. Where the reader of io.out
/// has gone, what is half done is removed, nothing is said, and the code is kExitReaderLeft.
/// Output for machines goes to io.out, everything for people to io.err.
[[nodiscard]] int run_cli(const std::vector<std::string>& arguments, Io& io);

}  // namespace neardup::cli
