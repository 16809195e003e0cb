// The target of a request: its path and its parameters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "neardup/base/result.h"

namespace neardup::server {

/// A target cut at its "?", not decoded.
struct Target {
  std::string_view path, query;
};
[[nodiscard]] Target split_target(std::string_view uri);

/// Returns what percent-encoding stands for: any bytes. "+" stays. Nothing where a "%" has no two digits behind it.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text);

/// The parameters behind "?", in their order.
using Parameters = std::vector<std::pair<std::string, std::string>>;

/// "+" is a space. Errors: kInvalidArgument where a name comes twice or a "%" has no digits.
[[nodiscard]] Result<Parameters> parse_parameters(std::string_view query);
/// Returns the value of `name`, or null.
[[nodiscard]] const std::string* find_parameter(const Parameters& parameters, std::string_view name);

/// Returns the decoded values of the places in braces, where `path` has the form of `pattern`; "{name*}" at its end
/// takes all that is left, be there slashes in it. Nothing where it has another form, or a place is empty.
[[nodiscard]] std::optional<std::vector<std::string>> match_path(std::string_view pattern, std::string_view path);

}  // namespace neardup::server
