// TableOptions: how the table of a store is made, as its URI says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "neardup/base/result.h"
#include "neardup/remote/remote_uri.h"

namespace neardup::remote::hbase {

/// Fixed when the store is made, but for by_prefix.
struct TableOptions {
  uint64_t num_tables = 0;           // rows of each fingerprint; 0: not given, or there are none
  std::string compression = "none";  // of the files of the table: none, gz, snappy, lz4, zstd
  uint64_t ttl_seconds = 0;          // after which documents are there no more; 0: never
  uint64_t regions = 4;              // in which the table begins, split evenly by the first byte
  bool by_prefix = false;            // a scan for each prefix, instead of one for many
};

/// Reads tables=, compression=, ttl=, splits= and scans=prefix|ranges. Errors: kInvalidArgument, naming the option and
/// what it may be, or a name that no table of HBase has; kUnsupported for a user or TLS, which the gateway has no part
/// for.
[[nodiscard]] Result<TableOptions> read_table_options(const RemoteUri& uri);

/// Returns what is fixed, as the options of a URI.
[[nodiscard]] std::string to_text(const TableOptions& options);
/// Reads it back. Errors: kCorruption where to_text() did not write it.
[[nodiscard]] Result<TableOptions> parse_table_options(std::string_view text);
/// Errors: kMismatch where an option in `uri` is not that of the store.
[[nodiscard]] Status check_table_options(const RemoteUri& uri, const TableOptions& of_store);

}  // namespace neardup::remote::hbase
