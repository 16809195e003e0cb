// --contained: which share of a text a longer one must hold.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "neardup/cli/flags.h"

namespace neardup::cli {

/// Reads a share of a text, .5 to 1. Errors: kInvalidArgument.
[[nodiscard]] Result<double> share_of(const std::string& typed);

inline constexpr std::string_view kRemoveContained =
    "Also remove documents of which a longer one holds so much, such as 0.8: quotes, excerpts";

/// Shares out of range are told as they are read; what does not go with the share is for engine::check_contained().
/// `text`: what it is for, where it is not dedup's.
void define_contained_flag(Flags& flags, std::optional<double>& share, std::string_view text = kRemoveContained);

}  // namespace neardup::cli
