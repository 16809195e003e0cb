#include "neardup/remote/hbase/range_filter.h"

#include <string_view>

#include "neardup/base/bytes.h"

namespace neardup::remote::hbase {
namespace {

constexpr char kBytesField = 2, kNumberField = 0;

// A field of protocol buffers that holds bytes.
void append_field(std::string& out, int number, std::string_view bytes) {
  out += static_cast<char>(number << 3 | kBytesField);
  append_text(out, bytes);
}
void append_flag(std::string& out, int number, bool value) {
  out += static_cast<char>(number << 3 | kNumberField);
  out += static_cast<char>(value);
}

}  // namespace

// Filter.proto of HBase: RowRange {start_row = 1, start_row_inclusive = 2, stop_row = 3, stop_row_inclusive = 4},
// MultiRowRangeFilter {repeated RowRange = 1}, Filter {name = 1, serialized_filter = 2}.
std::string range_filter(std::span<const Prefix> prefixes) {
  std::string ranges;
  for (const Prefix prefix : prefixes) {
    std::string range;
    append_field(range, 1, prefix_bytes(prefix));
    append_flag(range, 2, true);
    append_field(range, 3, prefix_bytes(prefix + 1));
    append_flag(range, 4, false);
    append_field(ranges, 1, range);
  }
  std::string filter;
  append_field(filter, 1, "org.apache.hadoop.hbase.filter.MultiRowRangeFilter");
  append_field(filter, 2, ranges);
  return filter;
}

}  // namespace neardup::remote::hbase
