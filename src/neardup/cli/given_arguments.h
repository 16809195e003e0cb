// What was typed: whether a flag was, and where a store is to be.
#pragma once

#include <string>
#include <vector>

#include "neardup/base/result.h"

namespace CLI {
class App;
}

namespace neardup::cli {

/// Returns whether a value came for `flag`: typed, from the environment or a file. False where `app` has no such flag.
[[nodiscard]] bool is_given(const CLI::App& app, const std::string& flag);

/// Returns the place of a store as the engine takes it: a folder as it was typed; the URI of a Redis server without a
/// password with that of the environment, NEARDUP_REDIS_PASSWORD, as others read the command line. Errors: as
/// engine::kind_of_place() of a URI.
[[nodiscard]] Result<std::string> given_place(const std::string& typed);
/// Returns an argument as reports and messages repeat it: a URI with a password, alone or behind a '=', without it.
[[nodiscard]] std::string without_password(const std::string& argument);
/// given_place() of all that are URIs of servers; files, patterns and folders stay.
[[nodiscard]] Status complete_places(std::vector<std::string>& paths);

}  // namespace neardup::cli
