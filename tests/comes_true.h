// Waiting for a state that comes by itself, whenever that is.
#pragma once

#include <chrono>
#include <thread>

namespace neardup {

/// Returns whether it is so, as soon as it is, at the latest when `most` is over.
template <class IsSo>
bool comes_true(const IsSo& is_so, std::chrono::milliseconds most = std::chrono::minutes(1)) {
  constexpr std::chrono::milliseconds kPause(10);
  for (auto waited = kPause * 0; waited < most; waited += kPause) {
    if (is_so()) return true;
    std::this_thread::sleep_for(kPause);
  }
  return is_so();
}

}  // namespace neardup
