#include "neardup/cli/cli.h"

#include <fmt/format.h>

#include <CLI/App.hpp>

#include "neardup/base/guard.h"
#include "neardup/base/version.h"
#include "neardup/cli/commands.h"
#include "neardup/cli/help_text.h"
#include "neardup/cli/hints.h"
#include "neardup/cli/message_event.h"
#include "neardup/cli/out_of_memory.h"

namespace neardup::cli {
namespace {

/// Shows what went wrong and returns the exit code. `command` may be null.
int show_error(const Error& error, const Command* command, Io& io) {
  const std::string work = error.message.starts_with("out of memory") ? noted_work() : "";
  const std::string message = (work.empty() ? "" : fmt::format("in '{}': ", work)) + error.message;
  if (io.says_json) {
    io.say_raw(event_line("error", message));
    return exit_code(error.code);
  }
  io.say(fmt::format("neardup: {}\n", message));
  if (error.code == Code::kInvalidArgument) {
    const bool has_page = command != nullptr && command->text.name != "help";
    io.say(fmt::format("Try: neardup help{}\n", has_page ? " " + command->text.name : ""));
  }
  return exit_code(error.code);
}

/// The command whose name is among the arguments, for the hint after a usage error.
const Command* named_command(const CommandLine& line, const std::vector<std::string>& arguments) {
  return arguments.empty() ? nullptr : line.find(arguments.front());
}

/// Whether the command is to speak to a program: typed, or from its configuration.
bool speaks_json(const Command& command, const std::vector<std::string>& arguments) {
  const CLI::Option* option = command.app->get_option_no_throw("--progress");
  if (option == nullptr) return false;
  if (option->count() > 0) return option->results().back() == "json";
  // What is wrong with the arguments may have been found before the flag.
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == "--progress=json" || (i > 0 && arguments[i - 1] == "--progress" && arguments[i] == "json"))
      return true;
  return false;
}

Status run_command(const Command& command, Io& io) {
  note_work(command.text.name);
  for (const auto& prepare : command.prepare) NEARDUP_TRY(prepare(io));
  return command.run(io);
}

int finish(Status status, const Command* command, Io& io) {
  if (auto flushed = io.finish(); status && !flushed) status = std::move(flushed);
  if (io.reader_left()) return kExitReaderLeft;
  return status ? kExitDone : show_error(status.error(), command, io);
}

}  // namespace

void add_commands(CommandLine& line) {
  add_dedup_command(line);
  add_fingerprint_command(line);
  add_explain_command(line);
  add_evaluate_command(line);
  add_pairs_command(line);
  add_lines_command(line);
  add_similar_command(line);
  add_index_command(line);
  add_crawl_filter_command(line);
  add_serve_command(line);
  add_text_command(line);
  add_tokens_command(line);
  add_plan_command(line);
  add_idf_command(line);
  add_phrases_command(line);
  add_bench_command(line);
  add_recipes_command(line);
  add_completion_command(line);
  add_help_command(line);
}

int run_cli(const std::vector<std::string>& arguments, Io& io) {
  CommandLine line;
  add_commands(line);
  const HelpStyle style{io.columns, io.color};
  if (arguments.empty()) {
    io.say(root_help(line, {io.columns, false}));
    return kExitUsage;
  }
  const Command* named = named_command(line, arguments);
  if (named != nullptr && arguments.size() == 2 && asks_for_help(arguments[1])) {
    io.print(short_help(describe(*named), style));
    return finish({}, named, io);
  }
  Result<Command*> parsed = nullptr;
  try {
    parsed = line.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    io.print(named != nullptr ? short_help(describe(*named), style) : root_help(line, style));
    return finish({}, named, io);
  } catch (const CLI::CallForAllHelp&) {
    io.print(named != nullptr ? command_help(describe(*named), style) : root_help(line, style));
    return finish({}, named, io);
  }
  io.says_json = named != nullptr && speaks_json(*named, arguments);
  if (!parsed) return show_error(parsed.error(), named, io);
  if (*parsed == nullptr) {
    io.print(line.wants_json() ? fmt::format("{{\"name\":\"neardup\",\"version\":\"{}\"}}\n", kVersion)
                               : fmt::format("neardup {}\n", kVersion));
    return finish({}, nullptr, io);
  }
  return finish(neardup::guarded([&] { return run_command(**parsed, io); }), *parsed, io);
}

}  // namespace neardup::cli
