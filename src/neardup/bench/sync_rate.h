// How fast the disk is at what a durable store waits for.
#pragma once

#include <string>

#include "neardup/base/result.h"

namespace neardup::bench {

/// Returns how often a second one thread can write 4 kB within a file on the disk of `folder` and have them there;
/// takes most of a second. The file has no name, so that an open store in `folder` sees nothing of it, and nothing
/// stays. Errors: kIo, kDiskFull.
[[nodiscard]] Result<double> fdatasync_rate(const std::string& folder);

}  // namespace neardup::bench
