#include <fmt/format.h>
#include <fmt/ranges.h>

#include "neardup/cli/completion.h"

namespace neardup::cli {
namespace {

/// Text inside a single-quoted specification of _arguments.
std::string zsh_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      out += std::string("\\") + c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string zsh_action(const FlagDoc& flag) {
  switch (value_kind(flag)) {
    case ValueKind::kChoices:
      return fmt::format("({})", zsh_escaped(fmt::format("{}", fmt::join(flag.choices, " "))));
    case ValueKind::kChoicesOrFile:
      return fmt::format("{{_alternative \"words:word:({})\" \"files:file:_files\"}}", fmt::join(flag.choices, " "));
    case ValueKind::kFolder:
      return "_files -/";
    case ValueKind::kFile:
      return "_files";
    default:
      return " ";
  }
}

std::string specification(const FlagDoc& flag) {
  const bool has_value = value_kind(flag) != ValueKind::kNone;
  const std::string value = has_value ? fmt::format(":{}:{}", zsh_escaped(flag.value), zsh_action(flag)) : "";
  const std::string help = fmt::format("[{}]{}", zsh_escaped(flag.help), value);
  const std::string many = flag.repeatable ? "*" : "";
  if (flag.short_name.empty()) return fmt::format("        '{}{}{}'", many, flag.long_name, help);
  return fmt::format("        '({0} {1})'{{{0},{1}}}'{2}'", flag.short_name, flag.long_name, help);
}

std::string zsh_case(const CommandDoc& doc) {
  std::string out = fmt::format("    {})\n      _arguments -s -S", doc.text.name);
  for (const FlagDoc& flag : shown_flags(doc)) out += " \\\n" + specification(flag);
  std::string words = "_files";
  for (const FlagGroupDoc& group : doc.groups) {
    for (const FlagDoc& flag : group.flags) {
      if (flag.is_argument && !flag.choices.empty()) words = zsh_action(flag);
    }
  }
  return out + fmt::format(" \\\n        '*:argument:{}'\n      ;;\n", words);
}

}  // namespace

std::string zsh_completion(const CommandLine& line) {
  std::string out =
      "#compdef neardup\n# zsh completion for neardup: neardup completion zsh > \"${fpath[1]}/_neardup\"\n";
  out += "_neardup() {\n  local -a commands\n  commands=(\n";
  for (const auto& command : line.commands()) {
    out += fmt::format("    '{}:{}'\n", command->text.name, zsh_escaped(command->text.summary));
  }
  out += "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n";
  out += "    _arguments";
  for (const FlagDoc& flag : describe_root(line)) out += " \\\n" + specification(flag);
  out += "\n    return\n  fi\n  local command=\"${words[2]}\"\n  shift words\n  (( CURRENT-- ))\n";
  out += "  case \"$command\" in\n";
  for (const CommandDoc& doc : describe_all(line)) out += zsh_case(doc);
  out +=
      "  esac\n}\nif [ \"$funcstack[1]\" = _neardup ]; then\n  _neardup \"$@\"\nelse\n  compdef _neardup neardup\nfi\n";
  return out;
}

}  // namespace neardup::cli
