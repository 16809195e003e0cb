#include "neardup/cli/memory_flag.h"

#include <fmt/format.h>

#include "neardup/base/sizes.h"
#include "neardup/engine/options.h"

namespace neardup::cli {

Status check_memory(uint64_t memory_bytes) {
  if (memory_bytes >= engine::kSmallestMemory) return {};
  return fail(Code::kInvalidArgument, fmt::format("--memory {} is too little; {} is the least", size_text(memory_bytes),
                                                  size_text(engine::kSmallestMemory)));
}

}  // namespace neardup::cli
