// The filter of HBase by which one scan reads many ranges of rows.
#pragma once

#include <span>
#include <string>

#include "neardup/remote/hbase/layout.h"

namespace neardup::remote::hbase {

/// Returns the bytes of a MultiRowRangeFilter, as protocol buffers, for TScan.filterBytes: of rows that begin with one
/// of the prefixes. Requires: they ascend.
[[nodiscard]] std::string range_filter(std::span<const Prefix> prefixes);

}  // namespace neardup::remote::hbase
