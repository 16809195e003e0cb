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
  const char* exception;  // of the Python module: its name there,
  const char* parent;     // and Python's own exception that it is besides
};

/// In the order of Code.
inline constexpr std::array<CodeRow, 9> kCodeTable = {{
    {Code::kInvalidArgument, "invalid_argument", kExitUsage, 400, "InvalidArgument", "ValueError"},
    {Code::kNotFound, "not_found", kExitFailed, 404, "NotFound", "FileNotFoundError"},
    {Code::kIo, "io", kExitFailed, 500, "IoError", "OSError"},
    {Code::kDiskFull, "disk_full", kExitFailed, 507, "DiskFull", "OSError"},
    {Code::kCorruption, "corruption", kExitFailed, 500, "Corruption", "OSError"},
    {Code::kMismatch, "mismatch", kExitFailed, 409, "Mismatch", "ValueError"},
    {Code::kMemory, "memory", kExitFailed, 503, "OutOfMemory", "MemoryError"},
    {Code::kUnsupported, "unsupported", kExitFailed, 422, "Unsupported", "NotImplementedError"},
    {Code::kCancelled, "cancelled", kExitInterrupted, 503, "Cancelled", "RuntimeError"},
}};

/// Returns the row of `code`.
[[nodiscard]] constexpr const CodeRow& row_of(Code code) { return kCodeTable[static_cast<size_t>(code)]; }

/// Returns the exit code that stands for `code`.
[[nodiscard]] constexpr int exit_code(Code code) { return row_of(code).exit_code; }

/// Returns the HTTP status that stands for it.
[[nodiscard]] constexpr int http_status(Code code) { return row_of(code).http_status; }

}  // namespace neardup
