// What the program's exit code says.
#pragma once

#include "neardup/base/result.h"

namespace neardup::cli {

inline constexpr int kExitDone = 0;
inline constexpr int kExitUsage = 1;          // the arguments are wrong: nothing was done
inline constexpr int kExitFailed = 2;         // the work could not be done
inline constexpr int kExitInterrupted = 130;  // Ctrl-C or SIGTERM

/// Returns the exit code that stands for `code`.
[[nodiscard]] constexpr int exit_code(Code code) {
  if (code == Code::kInvalidArgument) return kExitUsage;
  return code == Code::kCancelled ? kExitInterrupted : kExitFailed;
}

}  // namespace neardup::cli
