#include "neardup/server/descriptors.h"

#include <fmt/format.h>
#include <sys/resource.h>

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

uint64_t raise_descriptor_limit(uint64_t needed) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return UINT64_MAX;  // then nobody can tell
  const rlim_t most = std::min<rlim_t>(needed, limit.rlim_max);
  if (limit.rlim_cur >= most) return limit.rlim_cur;
  const rlimit raised{most, limit.rlim_max};
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? most : limit.rlim_cur;
}

}  // namespace neardup::server
