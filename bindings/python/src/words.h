// The words of messages: the library speaks of the flags of the program, Python of its parameters.
#pragma once

#include <string>

namespace neardup::python {

/// Returns `message` with parameters in the place of flags: "memory" for "--memory".
[[nodiscard]] std::string in_python_words(const std::string& message);

/// The same of a warning about rows in memory, where no file was read and none is written.
[[nodiscard]] std::string in_words_of_rows(const std::string& message);

}  // namespace neardup::python
