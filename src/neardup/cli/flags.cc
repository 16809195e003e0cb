#include "neardup/cli/flags.h"

#include <CLI/Error.hpp>

#include "neardup/cli/near_match.h"

namespace neardup::cli {

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
    if (auto status = read(results.back()); !status) throw CLI::ValidationError(name, status.error().message);
    return true;
  };
  CLI::Option* option = command_.app->add_option(text.names, std::move(callback), text.help);
  option->expected(1)->take_last()->default_str(shown_default);
  return finish(option, text);
}

CLI::Option* Flags::text(const FlagText& text, std::string& target) {
  return value(text, target, [&target](const std::string& typed) { return target = typed, Status{}; });
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
  return finish(command_.app->add_flag_callback(text.names, [&target] { target = true; }, text.help), text);
}

CLI::Option* Flags::list(const FlagText& text, std::vector<std::string>& target) {
  auto callback = [&target](const CLI::results_t& results) { return target = results, true; };
  CLI::Option* option = command_.app->add_option(text.names, std::move(callback), text.help);
  option->expected(1)->take_all()->allow_extra_args(false);
  return finish(option, text);
}

CLI::Option* Flags::arguments(const FlagText& text, std::vector<std::string>& target, int most) {
  auto callback = [&target](const CLI::results_t& results) { return target = results, true; };
  CLI::Option* option = command_.app->add_option(text.names, std::move(callback), text.help);
  option->expected(1, most > 0 ? most : CLI::detail::expected_max_vector_size);
  // Without this an argument like "[a]" would be taken apart as an array.
  return finish(option->take_all()->allow_extra_args(false), text);
}

CLI::Option* Flags::config() {
  return text({"--config", "FILE", "Read flags from a TOML or INI file: lines such as distance = 8"},
              command_.config_path);
}

std::string expected_one_of(const std::vector<std::string>& words, const std::string& found) {
  std::string list;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
    list += words[i];
  }
  const std::string near = near_match(found, words);
  return fmt::format("expected {}, found \"{}\"{}", list, found,
                     near.empty() ? "" : fmt::format("; did you mean {}?", near));
}

}  // namespace neardup::cli
