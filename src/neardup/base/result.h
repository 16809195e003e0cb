// Errors as values: every operation that can fail for a reason outside the program returns a Result.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace neardup {

/// Why an operation failed. One table in the faces (CLI, HTTP, Python) maps each code to its own kind of failure.
enum class Code {
  kInvalidArgument,  // the caller asked for something that cannot be
  kNotFound,         // a file or a record is not there
  kIo,               // the operating system refused a read or a write
  kDiskFull,         // no space (or quota) left
  kCorruption,       // bytes on disk are not what was written: bad magic, version, checksum, truncation
  kMismatch,         // two things that must agree do not, such as two recipes
  kMemory,           // the memory limit is too small for the work
  kUnsupported,      // known, but not offered for this input
  kCancelled,        // the caller asked to stop
};

/// Returns the stable lower-case name of `code`, such as "disk_full".
[[nodiscard]] std::string_view code_name(Code code);

/// An expected failure. `message` is one sentence for a person: what, where, found against expected, and the cure.
struct Error {
  Code code;
  std::string message;
};

/// A value or an Error.
template <class T>
using Result = tl::expected<T, Error>;

/// Success without a value, or an Error.
using Status = Result<void>;

/// Returns an Error to give back from a function that returns a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(Code code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

/// Returns an Error for the operating system's `errno_value`: "<what> '<path>': <strerror>", with the code that fits
/// (kNotFound, kDiskFull, kIo) and the cure where there is one.
[[nodiscard]] tl::unexpected<Error> fail_errno(std::string_view what, std::string_view path, int errno_value);

}  // namespace neardup

#define NEARDUP_CONCAT_(a, b) a##b
#define NEARDUP_CONCAT(a, b) NEARDUP_CONCAT_(a, b)

#define NEARDUP_TRY_(result, expression)                                                                           \
  do {                                                                                                             \
    if (auto result = (expression); !result) return ::tl::unexpected<::neardup::Error>(std::move(result).error()); \
  } while (false)

/// Gives the Error of `expression` back from the calling function, if it has one.
#define NEARDUP_TRY(expression) NEARDUP_TRY_(NEARDUP_CONCAT(neardup_try_, __COUNTER__), expression)

#define NEARDUP_ASSIGN_(result, declaration, expression)                             \
  auto result = (expression);                                                        \
  if (!result) return ::tl::unexpected<::neardup::Error>(std::move(result).error()); \
  declaration = std::move(*result)

/// Declares `declaration` as the value of `expression`, or gives its Error back from the calling function.
#define NEARDUP_ASSIGN(declaration, expression) \
  NEARDUP_ASSIGN_(NEARDUP_CONCAT(neardup_assign_, __COUNTER__), declaration, expression)
