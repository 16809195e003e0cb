// Undo: takes a step back where what should follow it fails.
#pragma once

#include <utility>

namespace neardup {

/// Calls `take_back`, which must not throw, when it ends by an error or an exception before keep() was called.
template <class TakeBack>
class [[nodiscard]] Undo {
 public:
  explicit Undo(TakeBack take_back) : take_back_(std::move(take_back)) {}
  ~Undo() {
    if (!is_kept_) take_back_();
  }
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;

  /// All is done.
  void keep() noexcept { is_kept_ = true; }

 private:
  TakeBack take_back_;
  bool is_kept_ = false;
};

}  // namespace neardup
