// The border between exceptions of the standard library and errors as values.
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "neardup/base/result.h"

namespace neardup {

/// Returns the Error of a lack of memory (kMemory). Never throws: where not even its message can be had it is short.
[[nodiscard]] Error out_of_memory_error() noexcept;
/// Returns the Error of something that the system refused: kMemory for what it is short of (threads), else kIo.
[[nodiscard]] Error system_refused_error(const std::system_error& error) noexcept;

/// Returns what `call`, a function that returns a Result, returns; an Error where it threw because the system had no
/// more memory or threads. Other exceptions pass: they are defects.
template <class Call>
auto guarded(const Call& call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return tl::unexpected<Error>(out_of_memory_error());
  } catch (const std::length_error&) {  // more than any memory holds
    return tl::unexpected<Error>(out_of_memory_error());
  } catch (const std::system_error& error) {
    return tl::unexpected<Error>(system_refused_error(error));
  }
}

}  // namespace neardup
