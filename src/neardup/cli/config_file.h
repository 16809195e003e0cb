// Configuration files: the flags of a command, written down.
#pragma once

#include <string>

#include "neardup/base/result.h"

namespace CLI {
class App;
}

namespace neardup::cli {

/// Gives the flags of `app` that were not typed the values that the TOML or INI file `path` has for them. Keys are the
/// flags' long names ("text-key", "text_key"); lists are arrays; a section must bear the command's name. Positional
/// arguments go by their name in small letters ("input").
/// Errors: kNotFound, kIo; kInvalidArgument naming the file and the key.
[[nodiscard]] Status apply_config_file(CLI::App& app, const std::string& path);

}  // namespace neardup::cli
