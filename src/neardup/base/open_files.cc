#include "neardup/base/open_files.h"

#include <sys/resource.h>

#include <algorithm>

namespace neardup {

uint64_t raise_open_files(uint64_t wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return UINT64_MAX;
  const rlim_t needed = std::min<rlim_t>(wanted, limit.rlim_max);
  if (limit.rlim_cur >= needed) return limit.rlim_cur;
  const rlimit raised{needed, limit.rlim_max};
  return setrlimit(RLIMIT_NOFILE, &raised) == 0 ? needed : limit.rlim_cur;
}

}  // namespace neardup
