// The rows that an entry of the log makes: written by whoever wrote the entry, or by another one if that one does not.
#pragma once

#include "neardup/remote/hbase/layout.h"
#include "neardup/remote/hbase/log_entry.h"
#include "neardup/remote/hbase/table.h"

namespace neardup::remote::hbase {

/// Puts and deletes all cells of an entry, with its stamp: doing so twice, or late, changes nothing. Cost: a row for
/// each fingerprint and table, one for each key, and a column for each record. Errors: kIo; then some are there.
[[nodiscard]] Status write_rows(const Table& table, const Layout& layout, const LogEntry& entry);

}  // namespace neardup::remote::hbase
