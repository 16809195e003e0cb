// --contained: which share of a text a longer one must hold.
#pragma once

#include <optional>

#include "neardup/cli/flags.h"

namespace neardup::cli {

/// Whether the share is one that can be asked for is for engine::check_contained().
void define_contained_flag(Flags& flags, std::optional<double>& share);

}  // namespace neardup::cli
