// The words of messages: the library below speaks of the flags of the program, the API of its fields.
#pragma once

#include <string>

#include "neardup/base/result.h"

namespace neardup {

/// Returns `message` with fields in the place of flags: "memory_bytes" for "--memory". Flags that no field stands for
/// stay, and so do words with a flag in their midst, such as names of files.
[[nodiscard]] std::string in_field_words(const std::string& message);

/// The same of the error of `result`, if it has one.
template <class Type>
[[nodiscard]] Result<Type> in_field_words(Result<Type> result) {
  if (!result) result.error().message = in_field_words(result.error().message);
  return result;
}

}  // namespace neardup
