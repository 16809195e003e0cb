// How many connections fit into the descriptors that a process may have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "neardup/base/result.h"

namespace neardup::server {

/// Of the descriptors so many stay for the store, and so many for standard streams, the log and threads that poll.
inline constexpr uint64_t kStoreDescriptors = 128, kOwnDescriptors = 32;

/// Returns how many of `wanted` connections fit beside what the store and `io_threads` threads need, where `most`
/// descriptors may be open. Errors: kInvalidArgument where none does.
[[nodiscard]] Result<uint64_t> connections_within(uint64_t most, uint64_t wanted, size_t io_threads);

/// Returns how many descriptors a process has to be allowed for so many connections.
[[nodiscard]] uint64_t descriptors_for(uint64_t connections, size_t io_threads);

}  // namespace neardup::server
