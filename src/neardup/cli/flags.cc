#include "neardup/cli/flags.h"

#include <fmt/format.h>

#include <CLI/App.hpp>

#include "neardup/cli/hints.h"

namespace neardup::cli {
namespace {

/// Rooms begin their messages with the word for what they read ("verify: ..."); the flag's name says it already.
std::string without_prefix(const std::string& message, const std::string& flag_names) {
  const size_t dashes = flag_names.rfind("--");
  const std::string word = (dashes == std::string::npos ? flag_names : flag_names.substr(dashes + 2)) + ": ";
  return message.starts_with(word) ? message.substr(word.size()) : message;
}

/// As CLI11 takes them; the first long one is the one that is shown.
std::string all_names(const FlagText& text) { return text.names + (text.formerly.empty() ? "" : "," + text.formerly); }

constexpr char kGuard = '\x01';

/// Returns what stores all values of an option; more than `most` (0 = any number) are an error.
CLI::callback_t take_all_into(std::vector<std::string>& target, const std::string& name, int most) {
  return [&target, name, most](const CLI::results_t& results) {
    if (most > 0 && results.size() > static_cast<size_t>(most)) {
      throw CLI::ValidationError(name,
                                 fmt::format("\"{}\" is one argument too many", results[static_cast<size_t>(most)]));
    }
    target.clear();
    for (const std::string& result : results) {
      if (auto status = check_is_no_address(unguarded(result)); most == 0 && !status)
        throw CLI::ValidationError(name, status.error().message);
      target.push_back(unguarded(result));
    }
    return true;
  };
}

}  // namespace

std::string guarded(const std::string& argument) {
  return argument.starts_with('[') ? std::string(1, kGuard) + argument : argument;
}

std::string unguarded(const std::string& result) { return result.starts_with(kGuard) ? result.substr(1) : result; }

Flags& Flags::group(std::string name) {
  group_ = std::move(name);
  return *this;
}

CLI::Option* Flags::finish(CLI::Option* option, const FlagText& text) {
  if (!text.value.empty()) option->type_name(text.value);
  return option->group(group_);
}

CLI::Option* Flags::value(const FlagText& text, const std::string& shown_default,
                          std::function<Status(const std::string&)> read) {
  const std::string name = text.names;
  auto callback = [read = std::move(read), name](const CLI::results_t& results) {
    if (auto status = read(unguarded(results.back())); !status)
      throw CLI::ValidationError(name, without_prefix(status.error().message, name));
    return true;
  };
  CLI::Option* option = command_.app->add_option(all_names(text), std::move(callback), text.help);
  option->expected(1)->take_last()->default_str(shown_default);
  // By two names a flag is easily given twice.
  if (!text.formerly.empty()) option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  return finish(option, text);
}

CLI::Option* Flags::each(const FlagText& text, std::function<Status(const std::string&)> read) {
  auto callback = [read = std::move(read), name = text.names](const CLI::results_t& results) {
    for (const std::string& result : results) {
      if (auto status = read(unguarded(result)); !status) throw CLI::ValidationError(name, status.error().message);
    }
    return true;
  };
  CLI::Option* option = command_.app->add_option(all_names(text), std::move(callback), text.help);
  option->expected(1)->take_all()->allow_extra_args(false);
  return finish(option, text);
}

CLI::Option* Flags::text(const FlagText& text, std::string& target) {
  return value(text, target, [&target](const std::string& typed) { return target = typed, Status{}; });
}

CLI::Option* Flags::output(const FlagText& text, std::string& target) {
  const auto read = [&target](const std::string& typed) -> Status {
    if (typed == "-")
      return fail(Code::kInvalidArgument,
                  "expected a name, found \"-\": leave the flag out where the result goes to standard output without "
                  "it; a file or folder of that name is ./-");
    target = typed;
    return {};
  };
  return value(text, target, read)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

CLI::Option* Flags::size(const FlagText& text, uint64_t& target) {
  return value(text, size_text(target), [&target](const std::string& typed) -> Status {
    NEARDUP_ASSIGN(target, parse_size(typed));
    return {};
  });
}

CLI::Option* Flags::count(const FlagText& text, uint64_t& target) {
  return value(text, target == 0 ? "" : human_count(target), [&target](const std::string& typed) -> Status {
    NEARDUP_ASSIGN(target, parse_count(typed));
    return {};
  });
}

CLI::Option* Flags::on(const FlagText& text, bool& target) {
  return finish(command_.app->add_flag_callback(
                    all_names(text), [&target] { target = true; }, text.help),
                text);
}

CLI::Option* Flags::list(const FlagText& text, std::vector<std::string>& target) {
  CLI::Option* option = command_.app->add_option(all_names(text), take_all_into(target, text.names, 0), text.help);
  option->expected(1)->take_all()->allow_extra_args(false);
  return finish(option, text);
}

CLI::Option* Flags::arguments(const FlagText& text, std::vector<std::string>& target, int most) {
  CLI::Option* option = command_.app->add_option(all_names(text), take_all_into(target, text.names, most), text.help);
  option->expected(1, most > 0 ? most : CLI::detail::expected_max_vector_size)->take_all()->allow_extra_args(most != 1);
  return finish(option, text);
}

void Flags::environment(const std::string& prefix) {
  for (CLI::Option* option : command_.app->get_options()) {
    if (option->get_lnames().empty() || option->get_group().empty() || option == command_.app->get_help_ptr()) continue;
    std::string name = prefix + option->get_lnames().front();
    for (char& c : name) c = c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
    option->envname(name);
  }
}

CLI::Option* Flags::config() {
  return text({"--config", "FILE", "Read flags from a TOML or INI file: lines such as distance = 8"},
              command_.config_path);
}

}  // namespace neardup::cli
