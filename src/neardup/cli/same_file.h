// Keeps a command from writing over what it reads, and from work whose result has no place.
#pragma once

#include <span>
#include <string>

#include "neardup/base/result.h"

namespace neardup::cli {

/// Refuses `output`, the value of `flag`, where it is one of the `inputs`, by whatever name (device and inode). Files
/// that are not there are no input. Errors: kInvalidArgument.
[[nodiscard]] Status check_output_is_no_input(const std::string& output, std::span<const std::string> inputs,
                                              const char* flag = "-o");

/// As above, and tries whether a file can be made there: to be asked before the work. An empty `output` is none. Errors
/// also: kNotFound where its folder is not there, kIo.
[[nodiscard]] Status check_output(const std::string& output, std::span<const std::string> inputs,
                                  const char* flag = "-o");

/// Refuses two outputs that are one file, by whatever name. Empty ones are none. Errors: kInvalidArgument.
[[nodiscard]] Status check_outputs_differ(const std::string& output, const std::string& other);

}  // namespace neardup::cli
