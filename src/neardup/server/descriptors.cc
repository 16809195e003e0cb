#include "neardup/server/descriptors.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>

namespace neardup::server {

Result<uint64_t> connections_within(uint64_t most, uint64_t wanted, size_t io_threads) {
  constexpr uint64_t kOfThread = 3;  // epoll, and what wakes it
  const uint64_t kept = kStoreDescriptors + kOwnDescriptors + kOfThread * io_threads;
  if (most >= kept + io_threads) return std::min(wanted, most - kept);
  return fail(Code::kInvalidArgument,
              fmt::format("the system lets this process open {} files (ulimit -n), and {} are needed besides "
                          "connections; raise that limit",
                          most, kept));
}

uint64_t raise_descriptor_limit(uint64_t connections) {
  constexpr uint64_t kBeside = 256;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return UINT64_MAX;  // then nobody can tell
  const rlim_t needed = std::min<rlim_t>(connections + kBeside, limit.rlim_max);
  if (limit.rlim_cur >= needed) return limit.rlim_cur;
  const rlimit raised{needed, limit.rlim_max};
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? needed : limit.rlim_cur;
}

}  // namespace neardup::server
