// What each error code is called, and what stands for it outside: one table for all faces.
#pragma once

#include <array>
#include <string_view>

#include "neardup/base/result.h"

namespace neardup {

inline constexpr int kExitDone = 0;
inline constexpr int kExitUsage = 1;          // the arguments are wrong: nothing was done
inline constexpr int kExitFailed = 2;         // the work could not be done
inline constexpr int kExitInterrupted = 130;  // Ctrl-C or SIGTERM

/// One code. A face that knows failures of another kind adds its column here.
struct CodeRow {
  Code code;
  std::string_view name;  // stable, in lower case
  int exit_code;          // of the program
  int http_status;        // of an answer of the service
};

/// In the order of Code.
inline constexpr std::array<CodeRow, 9> kCodeTable = {{
    {Code::kInvalidArgument, "invalid_argument", kExitUsage, 400},
    {Code::kNotFound, "not_found", kExitFailed, 404},
    {Code::kIo, "io", kExitFailed, 500},
    {Code::kDiskFull, "disk_full", kExitFailed, 507},
    {Code::kCorruption, "corruption", kExitFailed, 500},
    {Code::kMismatch, "mismatch", kExitFailed, 409},
    {Code::kMemory, "memory", kExitFailed, 503},
    {Code::kUnsupported, "unsupported", kExitFailed, 422},
    {Code::kCancelled, "cancelled", kExitInterrupted, 503},
}};

/// Returns the row of `code`.
[[nodiscard]] constexpr const CodeRow& row_of(Code code) { return kCodeTable[static_cast<size_t>(code)]; }

/// Returns the exit code that stands for `code`.
[[nodiscard]] constexpr int exit_code(Code code) { return row_of(code).exit_code; }

/// Returns the HTTP status that stands for it.
[[nodiscard]] constexpr int http_status(Code code) { return row_of(code).http_status; }

}  // namespace neardup
