#include <fmt/format.h>
#include <fmt/ranges.h>

#include "neardup/cli/completion.h"

namespace neardup::cli {
namespace {

std::string flag_words(const std::vector<FlagDoc>& flags) {
  std::string words;
  for (const FlagDoc& flag : flags) {
    for (const std::string& name : {flag.short_name, flag.long_name}) {
      if (!name.empty()) words += (words.empty() ? "" : " ") + name;
    }
  }
  return words;
}

std::string pattern(const FlagDoc& flag) {
  return flag.short_name.empty() ? flag.long_name : flag.short_name + "|" + flag.long_name;
}

std::string action(const FlagDoc& flag) {
  switch (value_kind(flag)) {
    case ValueKind::kChoices:
      return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$cur\"))", fmt::join(flag.choices, " "));
    case ValueKind::kChoicesOrFile:
      return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$cur\") $(compgen -f -- \"$cur\"))",
                         fmt::join(flag.choices, " "));
    case ValueKind::kFolder:
      return "COMPREPLY=($(compgen -d -- \"$cur\"))";
    case ValueKind::kFile:
      return "COMPREPLY=($(compgen -f -- \"$cur\"))";
    default:
      return "COMPREPLY=()";
  }
}

/// The words that a command's own arguments can be.
std::string argument_words(const CommandDoc& doc) {
  for (const FlagGroupDoc& group : doc.groups) {
    for (const FlagDoc& flag : group.flags) {
      if (flag.is_argument && !flag.choices.empty()) return fmt::format("{}", fmt::join(flag.choices, " "));
    }
  }
  return "";
}

std::string command_case(const CommandDoc& doc) {
  std::string out = fmt::format("    {})\n      flags=\"{}\"\n", doc.text.name, flag_words(shown_flags(doc)));
  if (const std::string words = argument_words(doc); !words.empty()) out += fmt::format("      words=\"{}\"\n", words);
  out += "      case \"$prev\" in\n";
  for (const FlagDoc& flag : shown_flags(doc)) {
    if (value_kind(flag) == ValueKind::kNone) continue;
    out += fmt::format("        {}) {}; return ;;\n", pattern(flag), action(flag));
  }
  return out + "      esac ;;\n";
}

}  // namespace

std::string bash_completion(const CommandLine& line) {
  std::string out = "# bash completion for neardup: source <(neardup completion bash)\n_neardup() {\n";
  out += "  local cur prev command flags words\n  COMPREPLY=()\n  cur=\"${COMP_WORDS[COMP_CWORD]}\"\n";
  out +=
      "  prev=\"${COMP_WORDS[COMP_CWORD-1]}\"\n  command=\"${COMP_WORDS[1]}\"\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n";
  out += fmt::format("    COMPREPLY=($(compgen -W \"{} {}\" -- \"$cur\"))\n    return\n  fi\n",
                     fmt::join(line.names(), " "), flag_words(describe_root(line)));
  out += "  case \"$command\" in\n";
  for (const CommandDoc& doc : describe_all(line)) out += command_case(doc);
  out += "  esac\n  case \"$cur\" in\n    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$cur\")) ;;\n";
  out += "    *) if [ -n \"$words\" ]; then COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n";
  out +=
      "       else COMPREPLY=($(compgen -f -- \"$cur\")); fi ;;\n  esac\n}\ncomplete -o filenames -F _neardup "
      "neardup\n";
  return out;
}

}  // namespace neardup::cli
