#include "neardup/server/descriptors.h"

#include <fmt/format.h>

#include <algorithm>

namespace neardup::server {
namespace {

uint64_t kept_beside(size_t io_threads) {
  constexpr uint64_t kOfThread = 3;  // epoll, and what wakes it
  return kStoreDescriptors + kOwnDescriptors + kOfThread * io_threads;
}

}  // namespace

Result<uint64_t> connections_within(uint64_t most, uint64_t wanted, size_t io_threads) {
  const uint64_t kept = kept_beside(io_threads);
  if (most >= kept + io_threads) return std::min(wanted, most - kept);
  return fail(Code::kInvalidArgument,
              fmt::format("the system lets this process open {} files (ulimit -n), and {} are needed besides "
                          "connections; raise that limit",
                          most, kept));
}

uint64_t descriptors_for(uint64_t connections, size_t io_threads) {
  constexpr uint64_t kBeside = 256;  // of few threads: some to spare
  return connections + std::max(kBeside, kept_beside(io_threads));
}

}  // namespace neardup::server
