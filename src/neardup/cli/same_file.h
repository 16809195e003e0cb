// Keeps a command from writing over what it reads.
#pragma once

#include <span>
#include <string>

#include "neardup/base/result.h"

namespace neardup::cli {

/// Refuses `output` where it is one of the `inputs`, by whatever name (device and inode). Files that are not there are
/// no input. Errors: kInvalidArgument.
[[nodiscard]] Status check_output_is_no_input(const std::string& output, std::span<const std::string> inputs);

}  // namespace neardup::cli
