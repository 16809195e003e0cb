// Where an exception must go no further: threads of ours and callbacks of C would end the process by it.
#pragma once

namespace neardup {

/// Runs `work`. Returns whether it came to its end: false where it threw, whatever that was.
template <class Work>
[[nodiscard]] bool tried(const Work& work) noexcept {
  try {
    work();
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace neardup
