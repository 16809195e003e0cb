// ICU tells of refused memory by an error code among others.
#pragma once

#include <unicode/utypes.h>

#include <new>

namespace neardup::text {

/// Throws std::bad_alloc where ICU was refused memory: what it has given then is not what the text says.
inline void throw_if_refused(UErrorCode error) {
  if (error == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
}

}  // namespace neardup::text
