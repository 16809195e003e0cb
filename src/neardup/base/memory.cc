#include "neardup/base/memory.h"

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
  return 0;
}

}  // namespace neardup
