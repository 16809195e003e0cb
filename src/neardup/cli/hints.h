// Hints: what is meant by words that other programs have and this one calls otherwise.
#pragma once

#include <string>
#include <string_view>

#include "neardup/base/result.h"

namespace CLI {
class App;
}

namespace neardup::cli {

/// Returns what `app` has in the place of a flag that it does not know ("--limit", "-j"), as the end of a message:
/// "; ...". Empty where nothing is known.
[[nodiscard]] std::string hint_for_flag(const CLI::App& app, std::string_view typed);

/// Errors: kInvalidArgument where `path` is an address such as https://..., with the command that reads it.
[[nodiscard]] Status check_is_no_address(std::string_view path);

/// Returns whether the first argument of a command asks for its help: "help", and there is no such file.
[[nodiscard]] bool asks_for_help(std::string_view argument);

}  // namespace neardup::cli
