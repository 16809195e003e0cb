#include "neardup/cli/config_file.h"

#include <fmt/format.h>

#include <CLI/Config.hpp>
#include <CLI/Error.hpp>
#include <algorithm>
#include <sstream>
#include <vector>

#include "neardup/base/disk/file.h"
#include "neardup/base/near_match.h"
#include "neardup/cli/flags.h"

namespace neardup::cli {
namespace {

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  return text;
}

std::string key_of(const CLI::Option& option) {
  if (option.get_positional()) return lower(option.get_name(true, false));
  return option.get_lnames().empty() ? "" : option.get_lnames().front();
}

/// Whether `key` is one of the option's names, be it one of before.
bool is_called(const CLI::Option& option, const std::string& key) {
  return key_of(option) == key || std::ranges::find(option.get_lnames(), key) != option.get_lnames().end();
}

CLI::Option* find_option(CLI::App& app, std::string key, std::string& near) {
  std::replace(key.begin(), key.end(), '_', '-');
  std::vector<std::string> keys;
  for (CLI::Option* option : app.get_options()) {
    if (is_called(*option, key) && option->get_configurable()) return option;
    if (!option->get_group().empty()) keys.push_back(key_of(*option));
  }
  near = near_match(key, keys);
  return nullptr;
}

Status set_option(CLI::Option& option, const CLI::ConfigItem& item) {
  if (option.get_items_expected_max() == 0) {  // a flag without a value
    const std::string word = item.inputs.size() == 1 ? lower(item.inputs[0]) : "";
    if (word == "false") return {};
    if (word != "true") return fail(Code::kInvalidArgument, "expected true or false");
  } else if (option.get_multi_option_policy() != CLI::MultiOptionPolicy::TakeAll && item.inputs.size() != 1) {
    return fail(Code::kInvalidArgument, "takes one value (put it in quotes if it holds a space or a comma)");
  }
  try {
    for (const std::string& input : item.inputs) option.add_result(guarded(input));
    option.run_callback();
  } catch (const CLI::Error& error) {
    const std::string message = error.what();
    const size_t colon = message.find(": ");  // CLI11 puts the option's name first
    return fail(Code::kInvalidArgument, colon == std::string::npos ? message : message.substr(colon + 2));
  }
  return {};
}

Status apply_item(CLI::App& app, const CLI::ConfigItem& item) {
  if (item.name == "++" || item.name == "--") return {};  // CLI11's marks for the ends of sections
  if (!item.parents.empty() && item.parents != std::vector<std::string>{app.get_name()}) return {};
  std::string near;
  CLI::Option* option = find_option(app, item.name, near);
  if (option == nullptr) {
    return fail(Code::kInvalidArgument, "no such flag" + (near.empty() ? "" : "; did you mean " + near + "?"));
  }
  return option->count() > 0 ? Status{} : set_option(*option, item);
}

}  // namespace

Status apply_config_file(CLI::App& app, const std::string& path) {
  NEARDUP_ASSIGN(const std::string bytes, read_file(path, uint64_t{1} << 24));
  std::istringstream stream(bytes);
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(stream)) {
    if (auto status = apply_item(app, item); !status) {
      return fail(Code::kInvalidArgument, fmt::format("{}: {}: {}", path, item.name, status.error().message));
    }
  }
  return {};
}

}  // namespace neardup::cli
