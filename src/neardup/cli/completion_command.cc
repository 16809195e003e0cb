#include "neardup/cli/commands.h"
#include "neardup/cli/completion.h"
#include "neardup/cli/flags.h"

namespace neardup::cli {

void add_completion_command(CommandLine& line) {
  auto shells = std::make_shared<std::vector<std::string>>();
  Command& command =
      line.add({"completion",
                "Print a completion script for bash, zsh or fish",
                "Prints a script that completes commands, flags and values in your shell.",
                "bash|zsh|fish",
                {{"source <(neardup completion bash)", "For this bash; put the line into ~/.bashrc for all."},
                 {"neardup completion fish > ~/.config/fish/completions/neardup.fish", "For fish."}}});
  Flags(command).group("Arguments").arguments({"SHELL", "bash|zsh|fish", "bash, zsh or fish"}, *shells, 1);
  command.run = [shells, &line](Io& io) -> Status {
    const std::string shell = shells->empty() ? "" : shells->front();
    if (shell == "bash") return io.print(bash_completion(line)), Status{};
    if (shell == "zsh") return io.print(zsh_completion(line)), Status{};
    if (shell == "fish") return io.print(fish_completion(line)), Status{};
    return fail(Code::kInvalidArgument, "SHELL: " + expected_one_of({"bash", "zsh", "fish"}, shell));
  };
}

}  // namespace neardup::cli
