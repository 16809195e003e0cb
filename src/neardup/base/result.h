// Errors as values: every operation that can fail for a reason outside the program returns a Result.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace neardup {

/// Why an operation failed. base/code_table.h says what each code is called and which exit code stands for it.
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

/// Ends the program with the message of an error that was taken for a value: a fault of the program that took it.
[[noreturn]] void die_of_error(const Error& error);

/// A value or an Error. Test it (`if (!result)`) before the value is used: *result, result->, result.value() of an
/// error end the program with the error's message. Threads: as for the value.
template <class T>
class Result : public tl::expected<T, Error> {
  using Base = tl::expected<T, Error>;
  template <class U>
  static constexpr bool kIsValue = std::is_convertible_v<U&&, T> && !std::is_base_of_v<Base, std::remove_cvref_t<U>> &&
                                   !std::is_same_v<tl::unexpected<Error>, std::remove_cvref_t<U>>;

 public:
  // A value and an error are each returned as they are.
  // NOLINTBEGIN(google-explicit-constructor, bugprone-forwarding-reference-overload)
  Result() = default;
  template <class U = T>
  requires kIsValue<U> Result(U&& value) : Base(std::forward<U>(value)) {}
  template <class E>
  requires std::is_convertible_v<E, Error> Result(tl::unexpected<E> error) : Base(std::move(error)) {}
  template <class U>
  requires(!std::is_same_v<U, T> && std::is_convertible_v<U, T>) Result(Result<U> other)
      : Base(static_cast<tl::expected<U, Error>&&>(other)) {}
  // NOLINTEND(google-explicit-constructor, bugprone-forwarding-reference-overload)

  T& operator*() & { return checked(), Base::operator*(); }
  const T& operator*() const& { return checked(), Base::operator*(); }
  T operator*() && { return checked(), std::move(Base::operator*()); }  // no reference into what ends
  T* operator->() { return checked(), Base::operator->(); }
  const T* operator->() const { return checked(), Base::operator->(); }
  T& value() & { return **this; }
  const T& value() const& { return **this; }
  T value() && { return *std::move(*this); }

 private:
  void checked() const {
    if (!this->has_value()) [[unlikely]]
      die_of_error(this->error());
  }
};

/// Success without a value, or an Error; value() of an error ends the program likewise.
template <>
class Result<void> : public tl::expected<void, Error> {
 public:
  Result() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as above
  Result(tl::unexpected<Error> error) : tl::expected<void, Error>(std::move(error)) {}
  void value() const {
    if (!has_value()) die_of_error(error());
  }
};
using Status = Result<void>;

/// Returns an Error to give back from a function that returns a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(Code code, std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

/// Returns an Error for the operating system's `errno_value`: "<what> '<path>': <strerror>", with the code that fits
/// (kNotFound, kDiskFull, kMemory, kIo) and the cure where there is one.
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
