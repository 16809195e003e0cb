// What was typed: whether a flag was, and whether a folder is one.
#pragma once

#include <string>

#include "neardup/base/result.h"

namespace CLI {
class App;
}

namespace neardup::cli {

/// Returns whether a value came for `flag`: typed, from the environment or a file. False where `app` has no such flag.
[[nodiscard]] bool is_given(const CLI::App& app, const std::string& flag);

/// `what`: "a store". Errors: kUnsupported where `folder` is the address of something else, such as redis://host.
[[nodiscard]] Status check_is_folder(const std::string& folder, const char* what);

}  // namespace neardup::cli
