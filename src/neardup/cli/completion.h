// Completion scripts for shells, made from the flag definitions.
#pragma once

#include <string>
#include <vector>

#include "neardup/cli/command_doc.h"

namespace neardup::cli {

/// What a shell completes after a flag.
enum class ValueKind { kNone, kChoices, kChoicesOrFile, kFile, kFolder, kOther };
[[nodiscard]] ValueKind value_kind(const FlagDoc& flag);

[[nodiscard]] std::string bash_completion(const CommandLine& line);
[[nodiscard]] std::string zsh_completion(const CommandLine& line);
[[nodiscard]] std::string fish_completion(const CommandLine& line);

}  // namespace neardup::cli
