#include "neardup/cli/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "neardup/base/near_match.h"
#include "neardup/base/shell_word.h"
#include "neardup/cli/config_file.h"
#include "neardup/cli/flags.h"
#include "neardup/cli/given_arguments.h"
#include "neardup/cli/hints.h"

namespace neardup::cli {
namespace {

std::string did_you_mean(const std::string& typed, const std::vector<std::string>& words) {
  const std::string near = near_match(typed, words);
  return near.empty() ? "" : fmt::format("; did you mean {}?", near);
}

std::vector<std::string> flag_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    if (!option->get_lnames().empty()) names.push_back("--" + option->get_lnames().front());
  }
  return names;
}

/// Says what is wrong with an argument that nothing took.
std::string extra_message(const CLI::App& app, const std::string& extra, const std::vector<std::string>& commands) {
  if (extra.size() > 1 && extra[0] == '-') {
    const std::string flag = extra.substr(0, extra.find('='));
    const std::string hint = hint_for_flag(app, flag);
    return fmt::format("no flag {}{}", flag, hint.empty() ? did_you_mean(flag, flag_names(app)) : hint);
  }
  if (commands.empty()) return fmt::format("\"{}\" is one argument too many", extra);
  return fmt::format("no command \"{}\"{}", extra, did_you_mean(extra, commands));
}

/// The option that `message` is about, which begins with its name, or with nothing where it is not shown: then it is
/// the one among `typed` that takes what the message asks for. Null where it is not known.
const CLI::Option* option_of(const CLI::App& app, const std::string& message, const std::string& typed) {
  const size_t colon = message.find(": ");
  if (colon == std::string::npos) return nullptr;
  if (colon > 0) return app.get_option_no_throw(message.substr(0, colon));
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty() || option->get_lnames().empty()) continue;
    const bool is_typed = (typed + " ").find(" --" + option->get_lnames().front() + " ") != std::string::npos;
    if (is_typed && message.find(option->get_type_name()) != std::string::npos) return option;
  }
  return nullptr;
}

/// Returns a complaint of CLI11 in our words.
std::string parse_message(const CLI::App& app, const CLI::ParseError& error, const std::string& typed) {
  const std::string message = error.what();
  if (error.get_name() != "ArgumentMismatch") return message;
  const CLI::Option* option = option_of(app, message, typed);
  if (option == nullptr) return message;
  const std::string name = option->get_lnames().empty() ? option->get_name() : "--" + option->get_lnames().front();
  const auto& values = option->results();
  if (values.size() > 1) {
    return fmt::format("{} is given twice, as {} and {}: give one", name, shell_word(unguarded(values[0])),
                       shell_word(unguarded(values[1])));
  }
  return fmt::format("{} needs a value: {}", name, option->get_type_name());
}

/// Returns " --flag VALUE" for each value that was given, in any way.
std::string given_flag(const CLI::Option& option) {
  const std::string name = "--" + option.get_lnames().front();
  std::string out;
  for (const std::string& value : option.results())
    out +=
        option.get_items_expected_max() == 0 ? " " + name : fmt::format(" {} {}", name, shell_word(unguarded(value)));
  return out;
}

}  // namespace

CommandLine::CommandLine()
    : root_(std::make_unique<CLI::App>("Finds near-duplicate texts, exactly and fast.", "neardup")) {
  root_->set_help_flag("-h,--help", "Show this help")->group("Help");
  root_->set_help_all_flag("--help-all", "Show every flag")->group("");
  root_->add_flag("-V,--version", wants_version_, "Show the version")->group("Help");
  root_->add_flag("--json", wants_json_, "With --version: as one JSON object")->group("Help");
  root_->require_subcommand(0, 1);
}

CommandLine::~CommandLine() = default;

Command& CommandLine::add(CommandText text) {
  auto command = std::make_unique<Command>();
  command->app = root_->add_subcommand(text.name, text.sentence);
  command->text = std::move(text);
  const bool shows_more = !command->text.usual.empty();  // than -h; where it does not it is not offered
  command->app->set_help_all_flag("--help-all", "Show every flag")->group(shows_more ? "Help" : "");
  commands_.push_back(std::move(command));
  return *commands_.back();
}

const Command* CommandLine::find(const std::string& name) const {
  for (const auto& command : commands_) {
    if (command->text.name == name) return command.get();
  }
  return nullptr;
}

std::string CommandLine::shared_flags(const std::string& from, const std::string& to,
                                      const std::vector<std::string>& but) const {
  std::string out;
  for (const CLI::Option* option : find(from)->app->get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (find(to)->app->get_option_no_throw(name) == nullptr || std::ranges::find(but, name) != but.end()) continue;
    out += given_flag(*option);
  }
  return out;
}

std::vector<std::string> CommandLine::names() const {
  std::vector<std::string> names;
  for (const auto& command : commands_) names.push_back(command->text.name);
  return names;
}

Command* CommandLine::selected() {
  for (const auto& command : commands_) {
    if (command->app->parsed()) return command.get();
  }
  return nullptr;
}

Result<Command*> CommandLine::parse(const std::vector<std::string>& arguments) {
  as_typed_ = "neardup";
  for (const std::string& argument : arguments) as_typed_ += " " + shell_word(without_password(argument));
  try {
    std::vector<std::string> reversed;  // as CLI11 wants it
    for (auto it = arguments.rbegin(); it != arguments.rend(); ++it) reversed.push_back(guarded(*it));
    root_->parse(std::move(reversed));
  } catch (const CLI::ExtrasError&) {
    Command* command = selected();
    const CLI::App& app = command != nullptr ? *command->app : *root_;
    const auto extras = app.remaining();
    const auto known = command != nullptr ? std::vector<std::string>{} : names();
    return fail(Code::kInvalidArgument, extra_message(app, extras.empty() ? "" : unguarded(extras.front()), known));
  } catch (const CLI::CallForHelp&) {
    throw;
  } catch (const CLI::CallForAllHelp&) {
    throw;
  } catch (const CLI::ParseError& error) {
    Command* command = selected();
    return fail(Code::kInvalidArgument, parse_message(command != nullptr ? *command->app : *root_, error, as_typed_));
  }
  if (wants_version_) return nullptr;
  if (wants_json_) return fail(Code::kInvalidArgument, "--json stands behind a command, or beside --version");
  Command* command = selected();
  if (command == nullptr)
    return fail(Code::kInvalidArgument, "which command? " + fmt::format("{}", fmt::join(names(), ", ")));
  if (!command->config_path.empty()) NEARDUP_TRY(apply_config_file(*command->app, command->config_path));
  return command;
}

}  // namespace neardup::cli
