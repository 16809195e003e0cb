// The program's sub-commands: what each is called, what it takes, what it does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "neardup/base/result.h"
#include "neardup/cli/io.h"

// CLI11 is in few sources: it takes seconds to compile.
namespace CLI {
class App;
}

namespace neardup::cli {

struct Example {
  std::string line;     // what to type
  std::string comment;  // what it does, one sentence
};

/// What is said about a command beside its flags.
struct CommandText {
  std::string name;
  std::string summary;               // a few words for the list of commands, no full stop
  std::string sentence;              // the first sentence of its help
  std::string usage;                 // what follows the name: "INPUT... -o DIR [FLAGS]"
  std::vector<Example> examples;     // two or three
  std::vector<std::string> notes{};  // paragraphs after the flags
  std::vector<std::string> usual{};  // "--output": the flags that most runs need, which -h shows; empty: all
};

/// One sub-command. `run` does its work once the flags are read; a Code::kInvalidArgument that it returns is shown as a
/// usage error.
struct Command {
  CommandText text;
  CLI::App* app = nullptr;
  std::function<Status(Io&)> run;
  std::vector<std::function<Status(Io&)>> prepare;  // what flags need once all of them are read; before run
  std::string config_path;                          // of --config, where the command has it
};

/// The parser of the whole program.
class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// Adds an empty command; its flags are then defined on command.app, through Flags.
  Command& add(CommandText text);
  [[nodiscard]] CLI::App& root() { return *root_; }
  [[nodiscard]] const CLI::App& root() const { return *root_; }
  [[nodiscard]] const std::vector<std::unique_ptr<Command>>& commands() const { return commands_; }
  /// Returns the command of that name, or null.
  [[nodiscard]] const Command* find(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;
  /// Returns whether --version is to answer programs.
  [[nodiscard]] bool wants_json() const { return wants_json_; }
  /// Returns the arguments of parse() as a shell would take them, the program's name first; URIs without passwords.
  [[nodiscard]] const std::string& as_typed() const { return as_typed_; }

  /// Returns the flags that the command `from` was given and `to` knows, too, as a shell would take them, " " before
  /// each; without those in `but`. Requires: both are commands; parse() has read them.
  [[nodiscard]] std::string shared_flags(const std::string& from, const std::string& to,
                                         const std::vector<std::string>& but) const;

  /// Reads `arguments` and, where the command has --config, its file; null if only --version was asked for.
  /// Throws CLI::CallForHelp on -h, CLI::CallForAllHelp on --help-all. Errors: kInvalidArgument, a complete message for
  /// the user; kNotFound, kIo of the configuration file.
  [[nodiscard]] Result<Command*> parse(const std::vector<std::string>& arguments);

 private:
  Command* selected();

  std::unique_ptr<CLI::App> root_;
  std::vector<std::unique_ptr<Command>> commands_;
  bool wants_version_ = false, wants_json_ = false;
  std::string as_typed_;
};

}  // namespace neardup::cli
