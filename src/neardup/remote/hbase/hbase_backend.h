// The Backend on HBase, made, opened, dropped. docs/design/remote_hbase.md.
#pragma once

#include <memory>
#include <span>

#include "neardup/remote/backend.h"
#include "neardup/remote/open_remote.h"
#include "neardup/remote/remote_uri.h"
#include "neardup/store/own_files.h"
#include "neardup/store/settings.h"

namespace neardup::remote {

/// Makes the table that uri.name says. Options of the URI: tables= (rows of each fingerprint), compression=, ttl=
/// (seconds), splits= (regions to begin with), scans=prefix|ranges. Errors: kInvalidArgument where there is a table of
/// this name, or the URI has an option that there is not, or tables= of a store without fingerprints; kUnsupported
/// where fingerprints make too many rows, or the server refuses an option; kIo.
[[nodiscard]] Result<std::unique_ptr<Backend>> create_hbase_backend(const RemoteUri& uri, store::StoreSettings settings,
                                                                    const RemoteOptions& options,
                                                                    std::span<const store::GivenFile> files);
/// Errors: kNotFound with the cure; kMismatch where the URI says something else than the store was made with; kIo;
/// kCorruption.
[[nodiscard]] Result<std::unique_ptr<Backend>> open_hbase_backend(const RemoteUri& uri, const RemoteOptions& options);
[[nodiscard]] Result<bool> is_hbase_store(const RemoteUri& uri, const RemoteOptions& options);
/// Errors: kNotFound, kIo.
[[nodiscard]] Status drop_hbase_store(const RemoteUri& uri, const RemoteOptions& options);

}  // namespace neardup::remote
