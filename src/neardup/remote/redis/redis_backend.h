// Stores on Redis 7 or newer: made, opened, dropped. docs/formats/redis.md says what they write.
//
// Lists of keys and fingerprints are strings of packed entries (or sets, layout=sets); a look-up gets them whole and
// compares here; a commit is one call of a script that holds the lengths of all lists on which a change stands against
// those that were seen, and appends to all or none.
#pragma once

#include <memory>
#include <span>

#include "neardup/base/result.h"
#include "neardup/remote/backend.h"
#include "neardup/remote/open_remote.h"
#include "neardup/remote/remote_uri.h"

namespace neardup::remote {

/// As open_remote.h says of stores. Options of the URI: layout (compact, sets), tables, expect (documents),
/// allow-eviction (yes). Errors: kUnsupported where the server cannot be used, with the cure.
[[nodiscard]] Result<std::unique_ptr<Backend>> create_redis_backend(const RemoteUri& uri, store::StoreSettings settings,
                                                                    const RemoteOptions& options,
                                                                    std::span<const store::GivenFile> files);
[[nodiscard]] Result<std::unique_ptr<Backend>> open_redis_backend(const RemoteUri& uri, const RemoteOptions& options);
[[nodiscard]] Result<bool> is_redis_store(const RemoteUri& uri, const RemoteOptions& options);
[[nodiscard]] Status drop_redis_store(const RemoteUri& uri, const RemoteOptions& options);

}  // namespace neardup::remote
