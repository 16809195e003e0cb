// Single texts between Python and the library, which takes UTF-8 and repairs what is none.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

namespace neardup::python {

/// The UTF-8 of a str (half of a surrogate pair is passed on), or bytes as they are, for as long as it lives and the
/// object does. The GIL is needed to make and to destroy it.
class Utf8 {
 public:
  /// Raises TypeError that names the parameter for anything else.
  Utf8(nanobind::handle value, const char* name);
  [[nodiscard]] std::string_view get() const { return view_; }

 private:
  nanobind::object encoded_;  // where the str has no UTF-8 of its own
  std::string_view view_;
};

/// Returns the name of an object's type, for messages.
[[nodiscard]] std::string name_of_type(nanobind::handle value);

/// Returns a str: what Utf8 passed on is what it was, and what is no UTF-8 at all becomes U+FFFD.
[[nodiscard]] nanobind::object str_of(std::string_view text);

}  // namespace neardup::python
