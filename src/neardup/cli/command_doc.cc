#include "neardup/cli/command_doc.h"

#include <CLI/App.hpp>
#include <algorithm>

#include "neardup/cli/recipe_flag.h"

namespace neardup::cli {
namespace {

/// The words of "auto|K": those in small letters can be typed as they are, of "jaccard:T" what stands before the T.
std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> choices;
  if (value == kRecipeValue) return recipe::recipe_names();
  if (value.find('|') == std::string::npos) return choices;
  for (size_t begin = 0; begin <= value.size();) {
    const size_t end = std::min(value.find('|', begin), value.size());
    std::string word = value.substr(begin, end - begin);
    if (const size_t colon = word.find(':'); colon != std::string::npos) word.resize(colon + 1);
    const bool literal = std::none_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (literal) choices.push_back(word);
    begin = end + 1;
  }
  return choices;
}

FlagDoc describe_option(const CLI::Option& option) {
  FlagDoc doc;
  doc.is_argument = option.get_positional();
  const bool many = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  if (doc.is_argument) {
    const bool unlimited = option.get_expected_max() == CLI::detail::expected_max_vector_size;
    doc.long_name = option.get_name(true, false) + (unlimited ? "..." : "");
  } else {
    if (!option.get_snames().empty()) doc.short_name = "-" + option.get_snames().front();
    if (!option.get_lnames().empty()) doc.long_name = "--" + option.get_lnames().front();
    if (option.get_items_expected_max() > 0) doc.value = option.get_type_name();
    doc.repeatable = many;
  }
  doc.default_value = option.get_default_str();
  doc.help = option.get_description();
  doc.environment = option.get_envname();
  doc.choices = choices_of(doc.is_argument ? option.get_type_name() : doc.value);
  doc.hidden = option.get_group().empty();
  return doc;
}

void add_to_group(std::vector<FlagGroupDoc>& groups, const std::string& name, FlagDoc flag) {
  auto at = std::find_if(groups.begin(), groups.end(), [&](const FlagGroupDoc& group) { return group.name == name; });
  if (at == groups.end()) at = groups.insert(groups.end(), {name, {}});
  at->flags.push_back(std::move(flag));
}

}  // namespace

std::string FlagDoc::heading() const {
  std::string heading = short_name;
  if (!short_name.empty() && !long_name.empty()) heading += ", ";
  heading += long_name;
  if (!value.empty()) heading += " " + value;
  return heading;
}

std::string FlagDoc::full_help() const {
  std::string full = help;
  if (repeatable) full += " (may be repeated)";
  if (!default_value.empty()) full += " [" + default_value + "]";
  return full;
}

CommandDoc describe(const Command& command) {
  CommandDoc doc;
  doc.text = command.text;
  const CLI::Option* help = command.app->get_help_ptr();
  const CLI::Option* help_all = command.app->get_help_all_ptr();
  for (const CLI::Option* option : static_cast<const CLI::App*>(command.app)->get_options()) {
    if (option == help || option == help_all) continue;
    FlagDoc flag = describe_option(*option);
    if (flag.hidden) {
      doc.hidden.push_back(std::move(flag));
    } else {
      add_to_group(doc.groups, option->get_group(), std::move(flag));
    }
  }
  for (const CLI::Option* page : {help, help_all}) {
    if (page != nullptr && !page->get_group().empty()) add_to_group(doc.groups, "Help", describe_option(*page));
  }
  return doc;
}

size_t keep_usual(CommandDoc& doc) {
  if (doc.text.usual.empty()) return 0;
  const auto is_rare = [&doc](const FlagDoc& flag) {
    return !flag.is_argument && std::ranges::find(doc.text.usual, flag.long_name) == doc.text.usual.end();
  };
  size_t left_out = 0;
  for (FlagGroupDoc& group : doc.groups) {
    if (group.name != "Help") left_out += std::erase_if(group.flags, is_rare);
  }
  std::erase_if(doc.groups, [](const FlagGroupDoc& group) { return group.flags.empty(); });
  return left_out;
}

std::vector<CommandDoc> describe_all(const CommandLine& line) {
  std::vector<CommandDoc> docs;
  for (const auto& command : line.commands()) docs.push_back(describe(*command));
  return docs;
}

std::vector<FlagDoc> describe_root(const CommandLine& line) {
  std::vector<FlagDoc> flags;
  for (const CLI::Option* option : line.root().get_options())
    if (!option->get_group().empty()) flags.push_back(describe_option(*option));
  return flags;
}

std::vector<FlagDoc> shown_flags(const CommandDoc& doc) {
  std::vector<FlagDoc> flags;
  for (const FlagGroupDoc& group : doc.groups) {
    for (const FlagDoc& flag : group.flags) {
      if (!flag.is_argument) flags.push_back(flag);
    }
  }
  return flags;
}

}  // namespace neardup::cli
