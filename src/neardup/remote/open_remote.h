// Stores on servers, made, opened and dropped by their URI.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "neardup/base/context.h"
#include "neardup/base/result.h"
#include "neardup/remote/backend.h"
#include "neardup/remote/remote_store.h"
#include "neardup/remote/remote_uri.h"
#include "neardup/store/own_files.h"
#include "neardup/store/settings.h"

namespace neardup::remote {

/// The option timeout=SECONDS of a URI takes the place of both time-outs.
struct RemoteOptions {
  std::chrono::milliseconds connect_timeout{5000};
  std::chrono::milliseconds call_timeout{30000};  // of one exchange with the server
  uint64_t most_compared = 0;                     // as store::StoreOptions::most_compared
  bool copied_into = false;                       // likewise
  Context context;                                // to stop
};

/// Makes an empty store on a server, with the files that are given. Errors: kInvalidArgument where there is one of this
/// name, or the URI has an option that there is not; kIo.
[[nodiscard]] Result<std::unique_ptr<RemoteStore>> create_remote_store(const std::string& uri,
                                                                       store::StoreSettings settings,
                                                                       const RemoteOptions& options = {},
                                                                       std::span<const store::GivenFile> files = {});
/// Errors: kNotFound with the cure where there is no store of this name; kInvalidArgument likewise where a copy into it
/// was not made to its end; kIo; kCorruption.
[[nodiscard]] Result<std::unique_ptr<RemoteStore>> open_remote_store(const std::string& uri,
                                                                     const RemoteOptions& options = {});
/// Whether there is a store of this name. Errors: kIo.
[[nodiscard]] Result<bool> is_remote_store(const std::string& uri, const RemoteOptions& options = {});
/// Removes a store with all that is in it. Errors: kNotFound, kIo.
[[nodiscard]] Status drop_remote_store(const std::string& uri, const RemoteOptions& options = {});

// The same of the backends alone, by kind: what the two folders redis/ and hbase/ give.
[[nodiscard]] Result<std::unique_ptr<Backend>> create_backend(const RemoteUri& uri, store::StoreSettings settings,
                                                              const RemoteOptions& options,
                                                              std::span<const store::GivenFile> files);
[[nodiscard]] Result<std::unique_ptr<Backend>> open_backend(const RemoteUri& uri, const RemoteOptions& options);

}  // namespace neardup::remote
