// How fast the disk is at what a durable store waits for.
#pragma once

#include <string>

#include "neardup/base/result.h"

namespace neardup::bench {

/// Returns how often a second one thread can write 4 kB within a file of `folder` and have them on the disk; takes most
/// of a second. Errors: kIo, kDiskFull.
[[nodiscard]] Result<double> fdatasync_rate(const std::string& folder);

}  // namespace neardup::bench
