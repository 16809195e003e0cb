// --within and --size-within: which pairs are compared at all.
#pragma once

#include <optional>
#include <string>

#include "neardup/cli/flags.h"

namespace neardup::cli {

/// `within_key`: a field; `size_within`: a share, from 0 to 1.
void define_pair_filter_flags(Flags& flags, std::string& within_key, std::optional<double>& size_within);

}  // namespace neardup::cli
