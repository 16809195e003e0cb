// --contained: which share of a text a longer one must hold.
#pragma once

#include <optional>
#include <string>

#include "neardup/cli/flags.h"

namespace neardup::cli {

/// Reads a share of a text, .5 to 1. Errors: kInvalidArgument.
[[nodiscard]] Result<double> share_of(const std::string& typed);

/// Shares out of range are told as they are read; what does not go with the share is for engine::check_contained().
void define_contained_flag(Flags& flags, std::optional<double>& share);

}  // namespace neardup::cli
