// Waiting for a stream without being deaf.
#pragma once

#include <atomic>
#include <string>

#include "neardup/base/context.h"

namespace neardup {

/// Waits until `descriptor` has bytes or is at its end. A read would go on after a signal and wait for a source that
/// says nothing, so the wish to stop would not be heard. `name` is for messages; `stop`, where it is given, ends the
/// waiting as context.cancel does, from another thread. Errors: kCancelled, kIo.
[[nodiscard]] Status wait_for_bytes(int descriptor, const std::string& name, const Context& context,
                                    const std::atomic<bool>* stop = nullptr);

}  // namespace neardup
