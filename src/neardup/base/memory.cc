#include "neardup/base/memory.h"

#include <malloc.h>
#include <sys/resource.h>

#include <fstream>
#include <string>

namespace neardup {

uint64_t peak_memory_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    uint64_t kibibytes = 0;
    status >> kibibytes;
    return kibibytes << 10;
  }
  // Without /proc (a bare root): what the kernel keeps, which may be that of the process before exec().
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) << 10 : 0;
}

void give_memory_back() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace neardup
